"""The encoding of a page: BOM, then HTTP, then <meta>, then UTF-8, then windows-1252.

libxml2 ends a page at the first byte that an encoding other than UTF-8 does not know, so such
pages are decoded here, and the parser always gets UTF-8.
"""

import codecs
import re

from webencodings import LABELS, PYTHON_NAMES

_PRESCAN_BYTES = 4096
_META = re.compile(
    rb"<meta[^>]{0,512}?charset\s*=\s*(?:[\"']\s*)?([A-Za-z0-9_.:+-]{1,40})", re.IGNORECASE
)
_PARAMETER = re.compile(r"charset\s*=\s*(?:[\"']\s*)?([A-Za-z0-9_.:+-]{1,40})", re.IGNORECASE)
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_WITHOUT_CODEC = ("replacement", "x-user-defined")
_LABELS = {label: name for label, name in LABELS.items() if name not in _WITHOUT_CODEC}
_LABELS |= {"latin-1": "windows-1252", "iso8859-16": "iso-8859-16"}
_LABELS |= dict.fromkeys(("latin9", "latin-9"), "iso-8859-15")
"""Labels as browsers read them (the Encoding standard), and a few more that pages have."""
_CODEC_NAMES = PYTHON_NAMES | {"gbk": "gb18030"}


def as_utf8(body: bytes, content_type: str = "") -> bytes:
    """The page in UTF-8; what cannot be decoded becomes replacement characters."""
    codec, skip = detect(body, content_type)
    if codec == "utf-8":
        return body[skip:] if skip else body
    return body[skip:].decode(codec, "replace").encode("utf-8", "replace")


def detect(body: bytes, content_type: str = "") -> tuple[str, int]:
    """The codec of a page, and the length of its byte order mark."""
    for bom, codec in _BOMS:
        if body.startswith(bom):
            return codec, len(bom)
    declared = _from_http(content_type) if content_type else None
    if declared is None:
        # ASCII reads the same in all that a page may declare by itself, but for ISO-2022-JP.
        if body.isascii() and b"\x1b" not in body:
            return "utf-8", 0
        declared = _from_meta(body)
    return declared or _guess(body), 0


def _codec(label: str) -> str | None:
    # A name from the web must never reach codecs.lookup, which also knows rot13 and bz2.
    name = _LABELS.get(label.lower())
    return None if name is None else codecs.lookup(_CODEC_NAMES.get(name, name)).name


def _from_http(content_type: str) -> str | None:
    match = _PARAMETER.search(content_type[:512])
    return None if match is None else _codec(match[1])


def _from_meta(body: bytes) -> str | None:
    match = _META.search(body[:_PRESCAN_BYTES])
    if match is None:
        return None
    codec = _codec(match[1].decode("ascii"))
    # The declaration was read as ASCII, so that the page cannot be in UTF-16.
    return "utf-8" if codec is not None and codec.startswith("utf-16") else codec


def _guess(body: bytes) -> str:
    try:
        # A page that was cut may end inside of a character: final=False lets that pass.
        codecs.utf_8_decode(body, "strict", False)
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"
