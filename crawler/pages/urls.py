"""URLs: from a link as written to a URL to request, and from a URL to its identity.

A URL is requested as it was found; the canonical form and its fingerprint only say whether two
URLs are the same.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

from crawler.pages.authority import Authority, parse_authority
from crawler.pages.tracking import is_noise, without_session_segments

_EDGE = "".join(map(chr, range(0x21)))
_REMOVED = str.maketrans("", "", "\t\n\r")
_SURROGATE = re.compile("[\ud800-\udfff]")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_DOT_SEGMENT = re.compile(r"/(?:\.|%2[eE]){1,2}(?:/|\Z)")
_SINGLE_DOT = frozenset({".", "%2e"})
_DOUBLE_DOT = frozenset({"..", ".%2e", "%2e.", "%2e%2e"})
# No escapes and no dot segment: found as a browser asks for it, if its authority is spelt so.
_PLAIN = re.compile(
    r"(https?)://([a-z0-9.:-]+[a-z0-9])(?:/(?!\.)[A-Za-z0-9_~.-]*)+(?:\?([A-Za-z0-9_~.=&/:+,-]+))?"
)
# The links of most pages: nothing to encode, no scheme, no dot segment.
_SIMPLE = re.compile(
    r"(/?)(?!\.)[A-Za-z0-9_~.-]+(?:/(?!\.)[A-Za-z0-9_~.-]*)*(?:\?[A-Za-z0-9_~.=&/:-]*)?"
)
_LOCATED = re.compile(r"(https?)://([a-z0-9._-]+(?::[0-9]+)?)(?:[/?]|\Z)")

_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_PATH_UNSAFE = re.compile(r"[^!$-;=@-\[\]_a-z|~]")
_QUERY_UNSAFE = re.compile(r"[^!$%&(-;=?-~]")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})?")
_SPELT_TWO_WAYS = re.compile(r"[\\^`{|}]")


@dataclass(frozen=True, slots=True)
class _Parts:
    scheme: str
    authority: Authority
    path: str
    query: str | None

    def __str__(self) -> str:
        tail = "" if self.query is None else f"?{self.query}"
        return f"{self.scheme}://{self.authority}{self.path}{tail}"


@dataclass(frozen=True, slots=True)
class _Base:
    parts: _Parts
    root: str
    directory: str


def resolve(base: str, href: str) -> str | None:
    """The http(s) URL that a browser would ask for, without fragment; None if there is none."""
    if _plain(href) is not None:
        return href
    start = _base(base)
    if start is not None and (simple := _SIMPLE.fullmatch(href)) is not None:
        return (start.root if simple[1] else start.directory) + href
    parts = _parse(None if start is None else start.parts, href)
    return None if parts is None else str(parts)


def canonical(url: str) -> str:
    """The one spelling that stands for all spellings of a URL; what is no URL stays as it is."""
    plain = _plain(url)
    if plain is not None:
        if plain[3] is None:
            return url
        return (url[: plain.start(3)] + _without_noise(plain[3])).removesuffix("?")
    parts = _parse(None, url)
    if parts is None:
        return url
    path = _without_dots(without_session_segments(_normalise(_encode_path(parts.path))))
    query = _without_noise(_normalise(parts.query)) if parts.query else ""
    return str(_Parts(parts.scheme, parts.authority, path, query or None))


def fingerprint(canonical_url: str) -> int:
    """64 bits, signed, that stand for a canonical URL in memory and in the state file."""
    digest = blake2b(canonical_url.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def origin(url: str) -> str:
    """`scheme://host:port` with the port spelt out, as robots.txt counts; empty if it is no URL."""
    scheme, authority = _located(url)
    return "" if authority is None else f"{scheme}://{authority.host}:{authority.port}"


def host_of(url: str) -> str:
    """The host in lower case, without port; empty if it is no URL."""
    authority = _located(url)[1]
    return "" if authority is None else authority.host


def authority_of(url: str) -> Authority | None:
    """Host and port of a URL, or None if it is no URL."""
    return _located(url)[1]


def _plain(url: str) -> re.Match[str] | None:
    match = _PLAIN.fullmatch(url) if url.startswith("http") else None
    return match if match is not None and _spelt(match[1], match[2]) == match[2] else None


def _located(url: str) -> tuple[str, Authority | None]:
    match = _LOCATED.match(url)
    if match is not None:
        return match[1], _authority(match[1], match[2])
    parts = _parse(None, url)
    return ("", None) if parts is None else (parts.scheme, parts.authority)


@lru_cache(maxsize=64)
def _base(url: str) -> _Base | None:
    parts = _parse(None, url)
    if parts is None:
        return None
    root = f"{parts.scheme}://{parts.authority}"
    return _Base(parts, root, root + parts.path[: parts.path.rfind("/") + 1])


def _parse(base: _Parts | None, text: str) -> _Parts | None:
    text = text.strip(_EDGE).translate(_REMOVED)
    if not text.isascii():
        text = _SURROGATE.sub("\ufffd", text)
    text = text.partition("#")[0]
    before, mark, after = text.partition("?")
    query = _encode_query(after) if mark else None
    before = before.replace("\\", "/")

    match = _SCHEME.match(before)
    if match is None:
        return None if base is None else _relative(base, before, query)
    scheme = match[1].lower()
    if scheme not in ("http", "https"):
        return None
    rest = before[match.end() :]
    # "http:page.html" is relative to a page of the same scheme; browsers still honour it.
    if base is not None and scheme == base.scheme and not rest.startswith("//"):
        return _relative(base, rest, query)
    return _absolute(scheme, rest, query)


def _absolute(scheme: str, rest: str, query: str | None) -> _Parts | None:
    netloc, slash, path = rest.lstrip("/").partition("/")
    authority = _authority(scheme, netloc)
    if authority is None:
        return None
    return _Parts(scheme, authority, _without_dots(_encode_path(slash + path)), query)


def _relative(base: _Parts, path: str, query: str | None) -> _Parts | None:
    if path.startswith("//"):
        return _absolute(base.scheme, path, query)
    if not path:
        kept = base.query if query is None else query
        return _Parts(base.scheme, base.authority, base.path, kept)
    if not path.startswith("/"):
        path = base.path[: base.path.rfind("/") + 1] + path
    return _Parts(base.scheme, base.authority, _without_dots(_encode_path(path)), query)


@lru_cache(maxsize=1024)
def _authority(scheme: str, netloc: str) -> Authority | None:
    return parse_authority(scheme, netloc)


@lru_cache(maxsize=1024)
def _spelt(scheme: str, netloc: str) -> str:
    return str(_authority(scheme, netloc) or "")


def _without_dots(path: str) -> str:
    if not _DOT_SEGMENT.search(path):
        return path or "/"
    kept: list[str] = []
    segments = path[1:].split("/")
    for segment in segments:
        lowered = segment.lower()
        if lowered in _DOUBLE_DOT:
            if kept:
                kept.pop()
        elif lowered not in _SINGLE_DOT:
            kept.append(segment)
    last = segments[-1].lower()
    if last in _SINGLE_DOT or last in _DOUBLE_DOT:
        kept.append("")
    return "/" + "/".join(kept)


def _without_noise(query: str) -> str:
    kept = []
    for part in query.split("&"):
        name, _, value = part.partition("=")
        if part and not is_noise(name, value):
            kept.append(part)
    return "&".join(kept)


def _encode_path(path: str) -> str:
    """Encode what may not stand in a path; escapes that are there stay."""
    return _PATH_UNSAFE.sub(_encode, path)


def _encode_query(query: str) -> str:
    """Encode what may not stand in a query; escapes that are there stay."""
    return _QUERY_UNSAFE.sub(_encode, query)


def _normalise(text: str) -> str:
    """One spelling for all: unreserved characters bare, escapes in upper case, a lone % escaped."""
    if "%" in text:
        text = _ESCAPE.sub(_normal_escape, text)
    return _SPELT_TWO_WAYS.sub(_encode, text)


def _encode(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "replace"))


def _normal_escape(match: re.Match[str]) -> str:
    if match[1] is None:
        return "%25"
    byte = int(match[1], 16)
    return chr(byte) if byte in _UNRESERVED else f"%{byte:02X}"
