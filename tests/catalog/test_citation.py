"""Citations as text, BibTeX and RIS: every field where it belongs, and nothing breaks out."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from crawler.catalog.facade import Catalog
from crawler.errors import NotInCatalog
from crawler.storage.local_folder import LocalFolder
from tests.catalog.recorded import NIGHT, START, ingest_of, kept

HOSTILE = "100% of \\input{x} & more_$1 #~^\u202e\r\nER  - \r\nTY  - BOOK"
PUBLISHED = datetime(2025, 6, 1, tzinfo=UTC)


@pytest.fixture
def catalog(database, tmp_path) -> Catalog:
    return Catalog(database, LocalFolder(tmp_path / "store"))


def keep(catalog: Catalog, **changes) -> int:
    return ingest_of(catalog.database).keep(kept(**changes)).resource_id


def fields_of_bibtex(entry: str) -> dict[str, str]:
    """A small reader of BibTeX that counts braces as BibTeX does, behind a backslash too."""
    head, body = entry.split(",", 1)
    assert re.fullmatch(r"@misc\{[a-z0-9-]+", head)
    found, depth, name, value = {}, 0, "", ""
    for mark in body:
        if depth == 0 and mark == "}":
            assert not name.strip(" ,\n")
            return found
        depth += {"{": 1, "}": -1}.get(mark, 0)
        if depth == 0 and mark == "}":
            found[name.strip(" ,\n=")], name, value = value[1:], "", ""
        elif depth == 0:
            name += mark
        else:
            value += mark
    raise AssertionError("the entry does not end")


def test_text_says_who_when_what_where_and_which_bytes(catalog) -> None:
    file = keep(catalog, publisher="Statistics Office", published_at=PUBLISHED)
    shown = catalog.show(file)
    assert catalog.cite(file) == shown.citation
    assert shown.citation == (
        f"Statistics Office (2025): Births by region. {shown.url} Version 1, "
        f"acquired 2026-03-01, SHA-256 {shown.sha256}."
    )


def test_a_year_of_the_server_is_marked_in_every_form(catalog) -> None:
    file = keep(catalog, last_modified="Sun, 02 Mar 2025 10:00:00 GMT")
    assert "(2025, by its Last-Modified header)" in catalog.cite(file)
    for form in ("bibtex", "ris"):
        citation = catalog.cite(file, form)
        assert "2025" in citation
        assert "dated by its Last-Modified header" in citation


def test_without_any_date_there_is_no_year(catalog) -> None:
    file = keep(catalog)
    assert "(n.d.)" in catalog.cite(file)
    assert "year" not in fields_of_bibtex(catalog.cite(file, "bibtex"))
    assert "PY  - " not in catalog.cite(file, "ris")


def test_bibtex_holds_hostile_titles(catalog) -> None:
    file = keep(catalog, anchor=HOSTILE, publisher="A {B", url=f"{START}a{{b}}.csv?x=1&y=%20")
    fields = fields_of_bibtex(catalog.cite(file, "bibtex"))
    assert fields["author"] == r"{A \textbraceleft{}B}"
    assert r"100\% of \textbackslash{}input\textbraceleft{}x\textbraceright{}" in fields["title"]
    assert r"\& more\_\$1 \#\textasciitilde{}\textasciicircum{}" in fields["title"]
    assert fields["url"] == f"{START}a%7Bb%7D.csv?x=1&y=%20"
    assert fields["urldate"] == "2026-03-01"


def test_ris_has_one_record_whatever_the_title_says(catalog) -> None:
    file = keep(catalog, anchor=HOSTILE, publisher="Statistics Office", published_at=PUBLISHED)
    lines = catalog.cite(file, "ris").split("\r\n")
    assert all(re.match(r"[A-Z][A-Z0-9]  - ", line) for line in lines[:-1])
    assert [line[:2] for line in lines[:-1]].count("TY") == 1
    assert lines[0] == "TY  - DATA"
    assert lines[-2:] == ["ER  - ", ""]
    assert "DA  - 2025/06/01" in lines


def test_a_version_is_cited_with_its_own_bytes_and_days(catalog) -> None:
    ingest = ingest_of(catalog.database)
    file = ingest.keep(kept(b"old")).resource_id
    ingest.keep(kept(b"new", fetched_at=NIGHT + timedelta(days=3)))
    old = catalog.history(file)[-1]
    citation = catalog.cite(file, version=1)
    assert f"Version 1, acquired 2026-03-01, SHA-256 {old.sha256}." in citation
    assert "Version 2, acquired 2026-03-04" in catalog.cite(file)
    assert citation == catalog.cite(file, as_of="2026-03-02")
    with pytest.raises(NotInCatalog, match="version 9 of file"):
        catalog.cite(file, version=9)
