"""MIME classes: whether a URL is a page, a target or neither, and how that was found out."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from fnmatch import fnmatchcase

from crawler.pages.file_name import extension_of, extension_of_name, suggested_name
from crawler.pages.mime_groups import (
    DEFAULT_TARGETS,
    EXTENSION_TYPES,
    HTML_TYPES,
    MEDIA_EXTENSIONS,
    TARGET_GROUPS,
)
from crawler.pages.signal_kind import SignalKind, signal_kind
from crawler.pages.sniff import OLE, looks_like_text, sniff

_MIME = re.compile(r"[a-z0-9!#$&^_.+-]+/[a-z0-9!#$&^_.+*-]+")
_OCTETS = "application/octet-stream"
_PLAIN = "text/plain"
_ANY_BYTES = frozenset(TARGET_GROUPS["binary"].mimes) | {
    "application/x-msdownload",
    "application/unknown",
    "application/x-unknown",
    "application/save",
    "unknown/unknown",
    "content/unknown",
    "unknown",
    "*/*",
}
_OTHER_GROUP = "other"
_LEGACY_OFFICE = frozenset({"xls", "xlt", "xla", "doc", "dot", "ppt", "pps"})
# The name of the file says what a container holds; the bytes only show the container.
_INSIDE = {
    "application/zip": frozenset(
        {"xlsx", "xlsm", "xlsb", "xltx", "xltm", "ods", "docx", "docm", "dotx", "odt"}
        | {"pptx", "pptm", "ppsx", "odp"}
    ),
    "application/gzip": frozenset({"gz", "tgz", "rds", "rda", "rdata"}),
    "application/x-bzip2": frozenset({"bz2", "rds", "rda", "rdata"}),
    "application/vnd.sqlite3": frozenset({"gpkg"}),
    "application/x-hdf5": frozenset({"nc", "h5"}),
    OLE: _LEGACY_OFFICE,
}
_WEAK = frozenset({"application/json", "application/xml"})


class UrlClass(Enum):
    """The three classes of Section III-D of paper 000."""

    HTML = "html"
    TARGET = "target"
    NEITHER = "neither"


class Detected(Enum):
    """How the type was found out."""

    HEADER = "header"
    EXTENSION = "extension"
    CONTENT = "content"


@dataclass(frozen=True, slots=True)
class Classified:
    """What an answer is."""

    url_class: UrlClass
    mime: str
    group: str | None
    """The target group; `other` for a MIME type that only the site's YAML names."""
    detected_by: Detected


class MimeRules:
    """The types that one site's crawl is after. Raises ValueError for an unknown group."""

    def __init__(self, targets: Iterable[str] = DEFAULT_TARGETS) -> None:
        self._exact: dict[str, str] = {}
        self._patterns: list[tuple[str, str]] = []
        for target in targets:
            entry = target.strip().lower()
            if entry in TARGET_GROUPS:
                for mime in TARGET_GROUPS[entry].mimes:
                    self._add(mime, entry)
            elif _MIME.fullmatch(entry):
                self._add(entry, _home_of(entry))
            else:
                known = ", ".join(sorted(TARGET_GROUPS))
                raise ValueError(f"{target!r} is neither a MIME type nor one of {known}")
        self._media = {
            extension for extension, mime in MEDIA_EXTENSIONS.items() if self._group(mime) is None
        }
        self._extensions = {
            extension: group
            for extension, mime in EXTENSION_TYPES.items()
            if (group := self._group(mime)) is not None
        }

    def classify(
        self, url: str, content_type: str, disposition: str = "", first_bytes: bytes = b""
    ) -> Classified:
        """Say what an answer is; with no bytes (HEAD), from headers and names alone.

        Sitemaps and feeds are read for their links, like pages, whatever their type is called;
        feeds only where the site's file does not name them as targets.
        """
        by_type = self._by_type(url, content_type, disposition, first_bytes)
        kind = None
        if by_type.url_class is not UrlClass.HTML and first_bytes:
            kind = signal_kind(first_bytes)
        if kind is SignalKind.SITEMAP or (
            kind is SignalKind.FEED and by_type.group in (None, "xml")
        ):
            return Classified(UrlClass.HTML, by_type.mime, None, Detected.CONTENT)
        return by_type

    def _by_type(
        self, url: str, content_type: str, disposition: str, first_bytes: bytes
    ) -> Classified:
        declared = _essence(content_type)
        if declared and declared != _PLAIN and declared not in _ANY_BYTES:
            return self._classified(declared, Detected.HEADER)
        extension = extension_of_name(suggested_name(disposition)) if disposition else ""
        if extension not in EXTENSION_TYPES and extension not in MEDIA_EXTENSIONS:
            extension = extension_of(url)
        named = EXTENSION_TYPES.get(extension) or MEDIA_EXTENSIONS.get(extension)
        sniffed = sniff(first_bytes) if first_bytes else None
        if sniffed is not None and not (sniffed in _WEAK and named is not None):
            inside = _INSIDE.get(sniffed, frozenset())
            if named and (extension in inside or (inside and extension in MEDIA_EXTENSIONS)):
                return self._classified(named, Detected.EXTENSION)
            return self._classified(_LEGACY if sniffed == OLE else sniffed, Detected.CONTENT)
        if named is not None and named != _OCTETS:
            return self._classified(named, Detected.EXTENSION)
        if declared:
            known = declared == _PLAIN or declared in TARGET_GROUPS["binary"].mimes
            return self._classified(declared if known else _OCTETS, Detected.HEADER)
        if not first_bytes:
            return Classified(UrlClass.NEITHER, "", None, Detected.HEADER)
        guessed = _PLAIN if looks_like_text(first_bytes) else _OCTETS
        return self._classified(guessed, Detected.CONTENT)

    def is_media(self, url: str) -> bool:
        """Whether the extension tells an image, a film, a style sheet: not worth a request."""
        return extension_of(url) in self._media

    def data_extension(self, url: str) -> str | None:
        """The target group that the path's extension tells, if this site is after it."""
        return self._extensions.get(extension_of(url))

    def _add(self, mime: str, group: str) -> None:
        if "*" in mime:
            self._patterns.append((mime, group))
        else:
            self._exact.setdefault(mime, group)

    def _group(self, mime: str) -> str | None:
        group = self._exact.get(mime)
        if group is None:
            for pattern, name in self._patterns:
                if fnmatchcase(mime, pattern):
                    return _home_of(mime) if name == _OTHER_GROUP else name
        return group

    def _classified(self, mime: str, detected_by: Detected) -> Classified:
        if mime in HTML_TYPES:
            return Classified(UrlClass.HTML, mime, None, detected_by)
        group = self._group(mime)
        url_class = UrlClass.NEITHER if group is None else UrlClass.TARGET
        return Classified(url_class, mime, group, detected_by)


_LEGACY = EXTENSION_TYPES["xls"]


def _essence(content_type: str) -> str:
    # Some servers send the type twice, in one header.
    essence = re.split(r"[;,]", content_type, maxsplit=1)[0].strip().lower()
    return essence if essence in _ANY_BYTES or _MIME.fullmatch(essence) else ""


def _home_of(mime: str) -> str:
    for name, group in TARGET_GROUPS.items():
        if any(mime == known or fnmatchcase(mime, known) for known in group.mimes):
            return name
    return _OTHER_GROUP
