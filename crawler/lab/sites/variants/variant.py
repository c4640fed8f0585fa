"""A synthetic site with a trait of its own, laid over the answers of another one."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from crawler.config.scope import ScopeConfig
from crawler.lab.replay import Volumes
from crawler.lab.sites.answer import HTML, Answer, answer
from crawler.lab.sites.site import SyntheticSite
from crawler.pages.mime import UrlClass

PDF = b"%PDF-1.4\n"
_END = b"</body>"


class Variant:
    """Answers as the site below does, but for what the trait changes or adds."""

    scope = ScopeConfig()

    def __init__(self, site: SyntheticSite, name: str) -> None:
        self.site = site
        self.name = name
        self.base = site.base
        self.start_url = site.start_url
        self.target_types = site.target_types
        self.chance = site.chance

    def written(self, path: str, html: bytes) -> bytes:  # noqa: ARG002 - traits need it
        """What a page of the site below says here."""
        return html

    def added(self, path: str) -> Answer | None:  # noqa: ARG002 - traits need it
        """The answer for a path that the site below does not have."""
        return None

    def added_targets(self) -> Iterator[str]:
        """Paths of targets that the site below does not have."""
        return iter(())

    def respond(self, url: str) -> Answer:
        """The answer to a GET."""
        path = self.site.path_of(url)
        if path and (own := self.added(path)) is not None:
            return own
        below = self.site.respond(url)
        if below.status != 200 or not below.headers.get("Content-Type", "").startswith("text/html"):
            return below
        return answer(self.written(path, below.body), HTML)

    def url_class(self, url: str) -> UrlClass:
        """The truth about a URL."""
        own = self.added(path) if (path := self.site.path_of(url)) else None
        if own is None:
            return self.site.url_class(url)
        if own.status != 200:
            return UrlClass.NEITHER
        is_page = own.headers["Content-Type"].startswith("text/html")
        return UrlClass.HTML if is_page else UrlClass.TARGET

    def targets(self) -> int:
        """How many targets there are."""
        return self.site.targets() + sum(1 for _ in self.added_targets())

    def available(self) -> int:
        """Pages and targets that are worth a request: not the pages that the trait adds."""
        return self.site.available() + sum(1 for _ in self.added_targets())

    def volumes(self) -> Volumes:
        """The bytes of targets, and of the pages of the site below as they are here."""
        return self._volumes

    @cached_property
    def _volumes(self) -> Volumes:
        below = self.site.volumes()
        other = sum(
            len(self.written(path, self.site.respond(self.base + path).body))
            for path in self.site.page_paths()
        )
        more = sum(1 for _ in self.added_targets()) * len(PDF)
        return replace(below, target=below.target + more, other=other)

    def close(self) -> None:
        """Nothing is open."""


def with_links(html: bytes, place: str, links: list[tuple[str, str]]) -> bytes:
    """A page with a list of links at its end."""
    rows = "".join(
        f'<li><a href="{href.replace("&", "&amp;")}">{text}</a></li>' for href, text in links
    )
    return html.replace(_END, f'<ul class="{place}">{rows}</ul>'.encode() + _END, 1)


def page(title: str, links: list[tuple[str, str]], place: str = "list") -> Answer:
    """A page of nothing but links."""
    html = f"<!DOCTYPE html><html><head><title>{title}</title></head><body><h1>{title}</h1></body>"
    return answer(with_links(f"{html}</html>".encode(), place, links), HTML)
