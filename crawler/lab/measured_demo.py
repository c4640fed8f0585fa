"""The demo site as a measured site."""

from functools import cached_property, lru_cache

from crawler.config.scope import ScopeConfig
from crawler.lab.demo import DemoSite
from crawler.lab.demo.answer import HTML, Answer, answer
from crawler.lab.volumes import Volumes
from crawler.pages.mime import DEFAULT_TARGETS, MimeRules, UrlClass
from crawler.pages.urls import origin, resolve

_MOST_HOPS = 5
_REMEMBERED = 100_000


class MeasuredDemo:
    """The demo site with the truth about it."""

    target_types = tuple(DEFAULT_TARGETS)
    scope = ScopeConfig()

    def __init__(self, pages: int, seed: int, *, unique_ids: bool = False) -> None:
        self._site = DemoSite(pages, seed, unique_ids=unique_ids)
        self.name = f"demo{'-ids' if unique_ids else ''}-{pages}-{seed}"
        self.start_url = f"{self._site.base}/"
        self._origin = origin(self.start_url)
        self._mime = MimeRules(self.target_types)
        # Oracles ask for every link of the frontier, often more than once.
        self._class = lru_cache(maxsize=_REMEMBERED)(self._find_class)

    def respond(self, url: str) -> Answer:
        """What a GET of this URL is answered; other hosts have nothing."""
        if origin(url) != self._origin:
            return answer(b"", HTML, status=404)
        return self._site.respond(url)

    def url_class(self, url: str) -> UrlClass:
        """The truth about a URL."""
        return self._class(url)

    def _find_class(self, url: str) -> UrlClass:
        for _ in range(_MOST_HOPS):
            found = self.respond(url)
            location = found.headers.get("Location", "")
            if 200 <= found.status <= 299:
                told = found.headers.get("Content-Type", "")
                disposition = found.headers.get("Content-Disposition", "")
                return self._mime.classify(url, told, disposition, found.body[:4096]).url_class
            next_url = resolve(url, location) if location else None
            if next_url is None:
                break
            url = next_url
        return UrlClass.NEITHER

    def targets(self) -> int:
        """How many targets there are."""
        return self._counts[0]

    def available(self) -> int:
        """Pages and targets."""
        return sum(self._counts)

    @cached_property
    def _counts(self) -> tuple[int, int]:
        targets = sum(1 for _ in self._site.target_paths())
        return targets, sum(1 for _ in self._site.page_paths())

    def volumes(self) -> Volumes:
        """The bytes of all targets and pages."""
        return self._volumes

    @cached_property
    def _volumes(self) -> Volumes:
        respond = self._site.respond
        return Volumes(
            target=sum(len(respond(path).body) for path in self._site.target_paths()),
            other=sum(len(respond(path).body) for path in self._site.page_paths()),
        )

    def close(self) -> None:
        """Nothing is open."""
