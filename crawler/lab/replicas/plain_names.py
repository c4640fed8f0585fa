"""Plain names: URLs as a site had them before a mirroring tool wrote `.html` onto its pages.

Mirrors of `wget` and its like name the pages that they have: `budget.asp` becomes
`budget.asp.html`, `list?page=2` becomes `list%3Fpage=2.html`, a folder `index.html`. A link without
the suffix is then a page that was not mirrored, and a strategy that reads URLs learns for nothing
which are alive.
"""

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from crawler.pages.urls import resolve

_SUFFIX = re.compile(r"\.html?$", re.I)
_INDEX = re.compile(r"(^|/)index$", re.I)
_QUERY_IN_NAME = re.compile("%3f", re.I)
_ATTRIBUTE = re.compile(
    rb"""(<(?:a|area|link|iframe|frame)\b[^<>]{0,4000}?\s(?:href|src)\s*=\s*)("[^"]*"|'[^']*')""",
    re.I,
)


def plain_name(reference: str) -> str:
    """A URL or a relative reference without what a mirroring tool added to it."""
    before, mark, fragment = reference.partition("#")
    path, question, query = before.partition("?")
    if not path or (path.partition("://")[2].count("/") == 0 and "://" in path):
        return reference
    plain = _SUFFIX.sub("", path)
    plain = _QUERY_IN_NAME.sub("?", plain, count=1) if not question else plain
    plain = _INDEX.sub(r"\1", plain) if plain != path else plain
    return (plain or "./") + question + query + mark + fragment


class PlainNames:
    """Rewrites the answers of one site; links to other hosts stay as they are."""

    def __init__(self, start_url: str) -> None:
        self._origin = _origin(start_url)

    def url(self, url: str) -> str:
        """The plain form of a URL of the site."""
        return plain_name(url) if _origin(url) == self._origin else url

    def headers(self, url: str, headers: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        """The same headers, with the place of a redirection in its plain form."""
        return [
            (name, self.url(resolve(url, value) or value) if name.lower() == "location" else value)
            for name, value in headers
        ]

    def body(self, body: bytes) -> bytes:
        """A page whose links have their plain form."""
        return _ATTRIBUTE.sub(self._attribute, body)

    def _attribute(self, match: re.Match[bytes]) -> bytes:
        quote, value = match[2][:1], match[2][1:-1]
        # Bytes stand for themselves: names are plain letters in whatever encoding.
        text = value.decode("latin-1")
        if "://" in text and _origin(text) != self._origin:
            return match[0]
        if text.startswith(("//", "#")) or (":" in text.partition("/")[0] and "://" not in text):
            return match[0]
        return match[1] + quote + plain_name(text).encode("latin-1") + quote

    def leads_to_itself(self, url: str, headers: Sequence[tuple[str, str]]) -> bool:
        """Whether a redirection only led to the name with the suffix."""
        places = [value for name, value in self.headers(url, headers) if name.lower() == "location"]
        return bool(places) and places[0] == self.url(url)


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc
