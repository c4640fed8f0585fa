"""The encoding of a page: BOM, then HTTP, then <meta>, then UTF-8, then windows-1252.

libxml2 ends a page at the first byte that an encoding other than UTF-8 does not know, so such
pages are decoded here, and the parser always gets UTF-8.
"""

import codecs
import re

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

# Labels as browsers read them (the Encoding standard), to Python's codecs: a name from the web
# must never reach codecs.lookup, which also knows rot13 and bz2.
_LABELS = {
    "big5hkscs": "big5 big5-hkscs cn-big5 csbig5 x-x-big5",
    "cp866": "866 cp866 csibm866 ibm866",
    "cp874": "dos-874 iso-8859-11 iso8859-11 tis-620 windows-874",
    "cp932": "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis",
    "cp949": "cseuckr euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 "
    "windows-949",
    "cp1250": "cp1250 windows-1250 x-cp1250",
    "cp1251": "cp1251 windows-1251 x-cp1251",
    "cp1252": "ansi_x3.4-1968 ascii cp1252 cp819 ibm819 iso-8859-1 iso8859-1 iso_8859-1 l1 latin1 "
    "latin-1 us-ascii windows-1252 x-cp1252",
    "cp1253": "cp1253 windows-1253 x-cp1253",
    "cp1254": "cp1254 iso-8859-9 iso8859-9 iso_8859-9 l5 latin5 windows-1254 x-cp1254",
    "cp1255": "cp1255 windows-1255 x-cp1255",
    "cp1256": "cp1256 windows-1256 x-cp1256",
    "cp1257": "cp1257 windows-1257 x-cp1257",
    "cp1258": "cp1258 windows-1258 x-cp1258",
    "euc_jp": "cseucpkdfmtjapanese euc-jp x-euc-jp",
    "gb18030": "chinese csgb2312 gb18030 gb2312 gb_2312 gb_2312-80 gbk x-gbk",
    "iso2022_jp": "csiso2022jp iso-2022-jp",
    "iso8859-2": "iso-8859-2 iso8859-2 iso_8859-2 l2 latin2",
    "iso8859-3": "iso-8859-3 iso8859-3 latin3",
    "iso8859-4": "iso-8859-4 iso8859-4 latin4",
    "iso8859-5": "cyrillic iso-8859-5 iso8859-5",
    "iso8859-6": "arabic iso-8859-6 iso8859-6",
    "iso8859-7": "greek iso-8859-7 iso8859-7",
    "iso8859-8": "hebrew iso-8859-8 iso-8859-8-i iso8859-8 logical",
    "iso8859-10": "iso-8859-10 iso8859-10 latin6",
    "iso8859-13": "iso-8859-13 iso8859-13",
    "iso8859-14": "iso-8859-14 iso8859-14",
    "iso8859-15": "iso-8859-15 iso8859-15 iso_8859-15 l9 latin-9 latin9",
    "iso8859-16": "iso-8859-16 iso8859-16",
    "koi8-r": "cskoi8r koi koi8 koi8-r koi8_r",
    "koi8-u": "koi8-ru koi8-u",
    "mac-cyrillic": "x-mac-cyrillic x-mac-ukrainian",
    "mac-roman": "csmacintosh mac macintosh x-mac-roman",
    "utf-8": "unicode-1-1-utf-8 utf-8 utf8 x-unicode20utf8",
    "utf-16-be": "utf-16be",
    "utf-16-le": "csunicode iso-10646-ucs-2 ucs-2 unicode utf-16 utf-16le",
}
_CODECS = {label: codec for codec, labels in _LABELS.items() for label in labels.split()}


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


def _from_http(content_type: str) -> str | None:
    match = _PARAMETER.search(content_type[:512])
    return None if match is None else _CODECS.get(match[1].lower())


def _from_meta(body: bytes) -> str | None:
    match = _META.search(body[:_PRESCAN_BYTES])
    if match is None:
        return None
    codec = _CODECS.get(match[1].decode("ascii").lower())
    # The declaration was read as ASCII, so that the page cannot be in UTF-16.
    return "utf-8" if codec is not None and codec.startswith("utf-16") else codec


def _guess(body: bytes) -> str:
    try:
        # A page that was cut may end inside of a character: final=False lets that pass.
        codecs.utf_8_decode(body, "strict", False)
    except UnicodeDecodeError:
        return "cp1252"
    return "utf-8"
