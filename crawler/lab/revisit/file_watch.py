"""How stale the copies of known files are, against checking all files in turn."""

from collections import deque

from crawler.lab.revisit.simulated_crawl import SimulatedCrawl


class FileWatch:
    """Watches a crawl's copies night by night, and lives through the same with checks in turn."""

    def __init__(self, crawl: SimulatedCrawl) -> None:
        self._crawl = crawl
        self._in_turn: dict[str, int] = {}
        """The version of each file that checks in turn would hold."""
        self._queue: deque[str] = deque()
        self._stale_since: dict[str, int] = {}
        self._turn_stale_since: dict[str, int] = {}
        self._stale_nights = 0
        self._turn_stale_nights = 0
        self._file_nights = 0
        self._removed: dict[str, int] = {}
        self._marked: dict[str, int] = {}
        self._take_in_new()

    @property
    def staleness(self) -> float:
        """Mean nights out of date, over all nights and files."""
        return self._stale_nights / max(self._file_nights, 1)

    @property
    def staleness_in_turn(self) -> float:
        """The same with as many checks in turn."""
        return self._turn_stale_nights / max(self._file_nights, 1)

    def close(self, night: int) -> None:
        """Count a night that is over."""
        crawl = self._crawl
        files = crawl.site.files(night)
        self._take_in_new()
        for _ in range(crawl.file_checks):
            file = self._queue.popleft()
            self._queue.append(file)
            if file in files:
                self._in_turn[file] = files[file]
        for file, version in crawl.versions.items():
            if file not in files:
                self._removed.setdefault(file, night)
                if crawl.is_gone(file):
                    self._marked.setdefault(file, night)
                continue
            self._file_nights += 1
            held = files[file]
            self._stale_nights += _wait(self._stale_since, file, night, stale=version != held)
            turned = self._in_turn[file] != held
            self._turn_stale_nights += _wait(self._turn_stale_since, file, night, stale=turned)

    def removed_before(self, night: int) -> int:
        """Known files that were removed up to a night."""
        return sum(1 for removed in self._removed.values() if removed <= night)

    def marked_within(self, delay: int, before: int) -> int:
        """Those of them that were marked gone within so many nights."""
        return sum(
            1
            for file, removed in self._removed.items()
            if removed <= before and self._marked.get(file, 10**9) - removed <= delay
        )

    def _take_in_new(self) -> None:
        for file in self._crawl.known_files[len(self._queue) :]:
            self._queue.append(file)
            self._in_turn[file] = self._crawl.versions[file]


def _wait(since: dict[str, int], file: str, night: int, *, stale: bool) -> int:
    """Nights for which a copy is out of date by now, this one counted."""
    if not stale:
        since.pop(file, None)
        return 0
    return night - since.setdefault(file, night) + 1
