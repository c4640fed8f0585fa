"""How a download is to be labelled, so that a browser saves it and runs nothing of it."""

import codecs
import re
import unicodedata
from urllib.parse import quote

OCTETS = "application/octet-stream"
_MIME = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]{0,126}/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}")
_RUNS_IN_BROWSERS = frozenset({"text/html", "application/xhtml+xml", "image/svg+xml"})
_UNSAFE = re.compile(r'[\x00-\x1f\x7f-\x9f/\\:*?"<>|%;\u200e\u200f\u2028-\u202e\u2066-\u2069]')
_MAX_NAME = 150
_RUN_WHEN_OPENED = frozenset(
    [
        "bat",
        "cmd",
        "com",
        "cpl",
        "exe",
        "hta",
        "htm",
        "html",
        "jar",
        "js",
        "jse",
        "lnk",
        "mht",
        "mhtml",
        "msi",
        "pif",
        "ps1",
        "scr",
        "shtml",
        "svg",
        "svgz",
        "vbe",
        "vbs",
        "wsf",
        "xht",
        "xhtml",
    ]
)
"""Extensions of files that do something when they are opened; a server chooses the name."""
# Where the web has another name than Python: RFC 2046 and the Encoding Standard.
_CHARSETS = {
    "ascii": "us-ascii",
    "utf-8-sig": "utf-8",
    "cp932": "shift_jis",
    "shift_jis": "shift_jis",
    "mac-roman": "macintosh",
    **{f"cp125{number}": f"windows-125{number}" for number in range(9)},
    **{f"iso8859-{number}": f"iso-8859-{number}" for number in range(1, 17)},
}


def attachment(file_name: str) -> str:
    """A Content-Disposition (RFC 6266) for a file name that may come from a stranger."""
    name = _UNSAFE.sub("_", unicodedata.normalize("NFC", file_name)).strip(" .")
    name = name.encode("utf-8", "replace").decode("utf-8")
    stem, dot, extension = name.rpartition(".")
    if dot and len(extension) < 20:
        name = f"{stem[: _MAX_NAME - len(extension)]}.{extension}"
    name = name[: _MAX_NAME + 1] or "download"
    if name.rpartition(".")[2].lower() in _RUN_WHEN_OPENED:
        name += ".txt"
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii")
    plain = plain.strip(" .") or "download"
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"


def harmless_type(mime: str) -> str:
    """The type itself where a browser may know it, and bare octets otherwise."""
    bare = mime.partition(";")[0].strip().lower()
    return bare if _MIME.fullmatch(bare) and bare not in _RUNS_IN_BROWSERS else OCTETS


def content_type(mime: str, encoding: str) -> str:
    """The harmless type; a text whose encoding is known has it, by the name of the web."""
    bare = harmless_type(mime)
    if not encoding or not bare.startswith("text/"):
        return bare
    try:
        codec = codecs.lookup(encoding).name
    except LookupError:
        return bare
    return f"{bare}; charset={_CHARSETS.get(codec, codec.replace('_', '-'))}"
