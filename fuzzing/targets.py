"""What is fuzzed: functions that take any bytes and must not raise, and what they must keep to."""

import io
from collections.abc import Callable

from crawler.config.document import read_document
from crawler.pages.html import MAX_LINKS, PageReader
from crawler.pages.robots import RobotsRules
from crawler.pages.robots_rule_table import MAX_WILDCARD_RULES
from crawler.pages.tagpath import MAX_CHARACTERS_AT_AN_END
from crawler.pages.urls import canonical, fingerprint, resolve
from crawler.readers.bounds import Bounds
from crawler.readers.reading import read_content

_BASE = "https://stat.example/data/index.html?x=1"
_SMALL = Bounds(
    file_bytes=10**6, rows=1000, columns=100, cells=10_000, tables=5, members=20, unpacked=10**6
)


def robots(data: bytes) -> None:
    """Any robots.txt says of any URL yes or no."""
    text, _, path = data.rpartition(b"\n")
    rules = RobotsRules.from_text(text, "tallyho")
    rules.allows(f"https://stat.example/{path.decode('latin-1')}")
    assert rules.allows("https://stat.example/robots.txt")
    assert len(rules._table._wildcards) <= MAX_WILDCARD_RULES


def html(data: bytes) -> None:
    """Any page gives a limited number of links with limited paths."""
    page = PageReader().read(data, _BASE)
    assert len(page.links) <= MAX_LINKS
    for link in page.links[:50]:
        assert len(link.tag_path) <= 2 * MAX_CHARACTERS_AT_AN_END + 1000
        assert len(link.anchor) <= 300
    assert page.title is not None
    assert page.metadata is not None


def urls(data: bytes) -> None:
    """What a link resolves to is one URL, and stays the same when it is spelt canonically twice."""
    url = resolve(_BASE, data.decode("utf-8", "replace"))
    if url is not None:
        assert url.startswith(("http://", "https://"))
        assert fingerprint(canonical(canonical(url))) == fingerprint(canonical(url))


def yaml(data: bytes) -> None:
    """Any site file is read, or its mistakes are listed."""
    read_document(data)


def readers(data: bytes) -> None:
    """Any file is recognised and read within its bounds, whatever it claims to be."""
    content = read_content(io.BytesIO(data), name="x", declared="", bounds=_SMALL)
    assert len(content.tables) <= _SMALL.tables


TARGETS: dict[str, Callable[[bytes], None]] = {
    target.__name__: target for target in (robots, html, urls, yaml, readers)
}
