"""The file name that a server suggests in Content-Disposition, and the extension of a name."""

import re
from urllib.parse import unquote, unquote_to_bytes

_MAX_HEADER = 4096
_MAX_NAME = 255
_EXTENDED = re.compile(
    r"(?:\A|;)\s*filename\*\s*=\s*\"?([\w!#$%&+^`{}~-]*)'[^']*'([^\s;\"]*)", re.I
)
_QUOTED = re.compile(r"(?:\A|;)\s*filename\s*=\s*\"((?:[^\"\\]|\\.)*)\"?", re.I)
_BARE = re.compile(r"(?:\A|;)\s*filename\s*=\s*([^\s;\"][^;]*)", re.I)
_CONTROL = re.compile(r"[\x00-\x1f\x7f\u200e\u200f\u202a-\u202e]")
_EXTENSION = re.compile(r"[a-z0-9_-]{1,10}")


def suggested_name(disposition: str) -> str:
    """The last part of the name in a Content-Disposition, without path and control characters."""
    header = disposition[:_MAX_HEADER]
    name = ""
    if match := _EXTENDED.search(header):
        encoding = "utf-8" if match[1].lower() in ("utf-8", "utf8", "") else "latin-1"
        name = unquote_to_bytes(match[2]).decode(encoding, "replace")
    elif match := _QUOTED.search(header):
        name = re.sub(r"\\([\"\\])", r"\1", match[1])
    elif match := _BARE.search(header):
        name = match[1].strip().strip("'")
    name = _CONTROL.sub("", name).replace("\\", "/").rpartition("/")[2].strip()
    return name[-_MAX_NAME:]


def extension_of_name(name: str) -> str:
    """The extension of a file name in lower case, without its dot; empty if there is none."""
    stem, dot, extension = name.rpartition(".")
    extension = extension.lower()
    return extension if dot and stem and _EXTENSION.fullmatch(extension) else ""


def extension_of(url: str) -> str:
    """The extension of a URL's path in lower case, without its dot; empty if there is none."""
    end = url.find("?")
    path = url if end < 0 else url[:end]
    end = path.find("#")
    if end >= 0:
        path = path[:end]
    slash = path.rfind("/")
    # "http://example.org" ends in a host, not in a file.
    if slash > 0 and path[slash - 1] == "/" and path.find("://") == slash - 2:
        return ""
    name = path[slash + 1 :]
    if ";" in name:
        name = name.partition(";")[0]
    if "%" in name:
        name = unquote(name, errors="replace")
    return extension_of_name(name)
