"""A walk over the whole demo site by its links, in this process, as a polite crawler would."""

import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urljoin, urlsplit

import pytest
from lxml import etree
from protego import Protego

from crawler.lab.sites.demo import demo_site
from crawler.lab.sites.site import SyntheticSite

PARSER = etree.HTMLParser(encoding="utf-8")


@dataclass
class Walk:
    """What the walk saw; all keys are canonical paths."""

    depth: dict[str, int] = field(default_factory=dict)
    links: dict[str, list[str]] = field(default_factory=dict)
    """Hrefs of each page, as written."""
    sizes: dict[str, int] = field(default_factory=dict)
    targets: set[str] = field(default_factory=set)
    redirects: dict[str, str] = field(default_factory=dict)
    dead: dict[str, int] = field(default_factory=dict)
    forbidden: set[str] = field(default_factory=set)

    @property
    def pages(self) -> set[str]:
        return set(self.links)


def canonical(url: str) -> str:
    """Path and query without session ids, tracking and fragment."""
    parts = urlsplit(re.sub(r";jsessionid=[0-9A-F]*", "", url))
    kept = [each for each in parts.query.split("&") if each and not each.startswith("utm_")]
    return parts.path + (f"?{'&'.join(kept)}" if kept else "")


def hrefs(body: bytes) -> list[str]:
    """Every link of a page that a crawler would follow."""
    tree = etree.fromstring(body, PARSER)
    found = tree.xpath("//a/@href | //link[@rel='alternate']/@href")
    return [str(href) for href in found]


def walk_site(site: SyntheticSite) -> Walk:
    """Follow every link that robots.txt allows, breadth first."""
    robots = Protego.parse(site.respond("/robots.txt").body.decode())
    walk = Walk(depth={"/": 0})
    queue = deque(["/"])
    # Only links to other sheets of a list are relative; all others mean the same on every page.
    resolved: set[str] = set()
    while queue:
        path = queue.popleft()
        answer = site.respond(path)
        found: list[str] = []
        if answer.status in (301, 302):
            walk.redirects[path] = answer.headers["Location"]
            found = [answer.headers["Location"]]
        elif answer.status != 200:
            walk.dead[path] = answer.status
        elif answer.headers["Content-Type"].startswith("text/html"):
            found = walk.links[path] = hrefs(answer.body)
            walk.sizes[path] = len(answer.body)
        elif not path.startswith("/image/"):
            walk.targets.add(path)
        for href in found:
            if href in resolved:
                continue
            if not href.startswith("?"):
                resolved.add(href)
            url = urljoin(site.base + path, href)
            link = canonical(url)
            if not url.startswith(f"{site.base}/") or link in walk.depth or link in walk.forbidden:
                continue
            if not robots.can_fetch(site.base + link, "tallyho"):
                walk.forbidden.add(link)
                continue
            walk.depth[link] = walk.depth[path] + 1
            queue.append(link)
    return walk


@pytest.fixture(scope="session")
def walk() -> Callable[[SyntheticSite], Walk]:
    """The walk, as a function of a site."""
    return walk_site


@pytest.fixture(scope="session")
def site() -> SyntheticSite:
    """The default site."""
    return demo_site()


@pytest.fixture(scope="session")
def walked(site: SyntheticSite) -> Walk:
    """What a walk over the default site saw."""
    return walk_site(site)
