"""Citations of a file: who, when, what, where, and exactly which bytes.

The year is that of the publication, as a page says; else that of the Last-Modified header, which
is marked as such, as servers often know only when a file was copied.
"""

from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from crawler.catalog.db.texts import MAX_TEXT, plain
from crawler.catalog.read.iri import iri

if TYPE_CHECKING:
    from crawler.catalog.read.records import FileDetail, Version


class CitationFormat(StrEnum):
    """What a citation can be written as."""

    TEXT = "text"
    BIBTEX = "bibtex"
    RIS = "ris"

    @property
    def media_type(self) -> str:
        """As reference managers know it."""
        return _MEDIA_TYPES[self]

    @property
    def extension(self) -> str:
        """Of a file with such a citation."""
        return {"text": "txt", "bibtex": "bib", "ris": "ris"}[self]


_MEDIA_TYPES = {
    CitationFormat.TEXT: "text/plain; charset=utf-8",
    CitationFormat.BIBTEX: "application/x-bibtex; charset=utf-8",
    CitationFormat.RIS: "application/x-research-info-systems; charset=utf-8",
}
_BY_SERVER = "by its Last-Modified header"
# A brace counts for BibTeX even behind a backslash, so braces are written by their names.
_BIBTEX = str.maketrans(
    {mark: f"\\{mark}" for mark in "$&%#_"}
    | {"\\": r"\textbackslash{}", "{": r"\textbraceleft{}", "}": r"\textbraceright{}"}
    | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
)


def cite(file: "FileDetail", form: CitationFormat = CitationFormat.TEXT) -> str:
    """The citation of the latest version that the record has."""
    if form is CitationFormat.BIBTEX:
        return _bibtex(file)
    return _ris(file) if form is CitationFormat.RIS else _text(file)


def with_version(file: "FileDetail", version: "Version") -> "FileDetail":
    """The same file as of one of its versions, to be cited."""
    names = ("bytes", "sha256", "mime", "fetched_at", "modified_at", "content_language")
    facts = {name: getattr(version, name) for name in names}
    published = version.published_at or file.published_at
    return file.model_copy(update={**facts, "version": version.number, "published_at": published})


def _text(file: "FileDetail") -> str:
    date, by_server = _date(file)
    year = f"{date:%Y}" if date else "n.d."
    marked = f"{year}, {_BY_SERVER}" if by_server else year
    return (
        f"{_who(file)} ({marked}): {_title(file).rstrip('.')}. {file.url} Version "
        f"{file.version}, acquired {file.fetched_at:%Y-%m-%d}, SHA-256 {file.sha256}."
    )


def _bibtex(file: "FileDetail") -> str:
    date, _ = _date(file)
    fields = [
        ("author", f"{{{_tex(_who(file))}}}"),
        ("title", f"{{{_tex(_title(file))}}}"),
        ("year", f"{date:%Y}" if date else ""),
        ("publisher", _tex(_who(file))),
        ("url", iri(file.url)),
        ("urldate", f"{file.fetched_at:%Y-%m-%d}"),
        ("version", str(file.version)),
        ("note", _tex("; ".join(_notes(file)))),
    ]
    lines = [f"  {name} = {{{value}}}," for name, value in fields if value]
    return "\n".join([f"@misc{{{file.site}-{file.id}-v{file.version},", *lines, "}"]) + "\n"


def _ris(file: "FileDetail") -> str:
    date, _ = _date(file)
    fields = [
        ("TY", "DATA"),
        ("AU", _who(file)),
        ("TI", _title(file)),
        ("PY", f"{date:%Y}" if date else ""),
        ("DA", f"{date:%Y/%m/%d}" if date else ""),
        ("PB", _who(file)),
        ("ET", f"Version {file.version}"),
        ("UR", iri(file.url)),
        ("Y2", f"{file.fetched_at:%Y/%m/%d}"),
        *(("N1", note) for note in _notes(file)),
    ]
    lines = [f"{name}  - {plain(value, MAX_TEXT)}" for name, value in fields if value]
    return "\r\n".join([*lines, "ER  - ", ""])


def _date(file: "FileDetail") -> tuple[datetime | None, bool]:
    """The best date that is known, and whether only the server says it."""
    if file.published_at is not None:
        return file.published_at, False
    return file.modified_at, file.modified_at is not None


def _notes(file: "FileDetail") -> Iterator[str]:
    yield f"SHA-256 {file.sha256}"
    if _date(file)[1]:
        yield f"dated {_BY_SERVER}"
    if file.licence:
        yield f"licence: {plain(file.licence, MAX_TEXT)}"


def _who(file: "FileDetail") -> str:
    return plain(file.publisher or file.site_title or file.site, MAX_TEXT)


def _title(file: "FileDetail") -> str:
    return plain(file.title or file.file_name or file.url, MAX_TEXT)


def _tex(text: str) -> str:
    return text.translate(_BIBTEX)
