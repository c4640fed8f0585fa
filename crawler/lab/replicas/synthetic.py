"""A synthetic site written as a replica."""

import re
from collections.abc import Callable
from pathlib import Path

from crawler.lab.replicas.schema import About, Origin
from crawler.lab.replicas.writer import ReplicaWriter, new_replica
from crawler.lab.sites.site import SyntheticSite

_TICK = 200
_MOVED = re.compile(rb'href="(/go/[0-9]+/[0-9]+)"')


def write_synthetic(
    site: SyntheticSite, path: Path, on_answers: Callable[[int], None] = lambda _: None
) -> int:
    """Write every page and file of a site and where moved pages lead; returns how many answers."""
    about = About(site.name, site.start_url, Origin.SYNTHETIC, site.target_types, site.scope)
    with new_replica(path, about) as replica:
        return _Writing(site, replica, on_answers).all()


class _Writing:
    def __init__(
        self, site: SyntheticSite, replica: ReplicaWriter, on_answers: Callable[[int], None]
    ) -> None:
        self._site = site
        self._replica = replica
        self._on_answers = on_answers
        self._written = 0

    def all(self) -> int:
        site, root = self._site, self._site.start_url.rstrip("/")
        moved: set[str] = set()
        for page in site.pages():
            body = self._write(site.url_of(page))
            moved.update(match.decode() for match in _MOVED.findall(body))
        for file in site.files():
            self._write(site.url_of(file))
        for path in ("/robots.txt", *sorted(moved)):
            self._write(root + path)
        return self._written

    def _write(self, url: str) -> bytes:
        answer = self._site.respond(url)
        headers = tuple(answer.headers.items())
        self._replica.put(url, answer.status, headers, body=answer.body, size=answer.size)
        self._written += 1
        if self._written % _TICK == 0:
            self._on_answers(self._written)
        return answer.body
