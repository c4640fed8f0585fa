"""A synthetic site written as a replica."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from crawler.lab.replicas.schema import About, Origin
from crawler.lab.replicas.writer import new_replica
from crawler.lab.sites.answer import Answer
from crawler.lab.sites.site import SyntheticSite

_TICK = 200
_MOVED = re.compile(rb'href="(/go/[0-9]+/[0-9]+)"')


def write_synthetic(
    site: SyntheticSite, path: Path, on_answers: Callable[[int], None] = lambda _: None
) -> int:
    """Write every page and file of a site and where moved pages lead; returns how many answers."""
    about = About(site.name, site.start_url, Origin.SYNTHETIC, site.target_types, site.scope)
    written = 0
    with new_replica(path, about) as replica:
        for written, (url, answer) in enumerate(_answers(site), 1):
            headers = tuple(answer.headers.items())
            replica.put(url, answer.status, headers, body=answer.body, size=answer.size)
            if written % _TICK == 0:
                on_answers(written)
    return written


def _answers(site: SyntheticSite) -> Iterator[tuple[str, Answer]]:
    moved: set[str] = set()
    for page in site.pages():
        answer = site.respond(site.url_of(page))
        moved.update(match.decode() for match in _MOVED.findall(answer.body))
        yield site.url_of(page), answer
    more = [site.base + path for path in ("/robots.txt", *sorted(moved))]
    for url in (*map(site.url_of, site.files()), *more):
        yield url, site.respond(url)
