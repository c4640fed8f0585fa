"""A strategy's state file, written step by step as the engine writes it."""

import json
from collections.abc import Iterable
from pathlib import Path

from crawler.state.crawl_state import CrawlState
from crawler.state.records import ActionRow, Changes, LinkRow, LinkStatus, LinkUpdate
from crawler.strategies.interface import Candidate, Strategy


def candidate(number: int, path: str = "html body a", url: str = "") -> Candidate:
    """A link that may be followed."""
    return Candidate(number, url or f"https://stat.example/{number}", 1, path)


class SavedCrawl:
    """Commits what a strategy says has changed, and brings another strategy to the same point."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._state = CrawlState(path)

    def commit(
        self, strategy: Strategy, found: Iterable[Candidate] = (), fetched: Iterable[int] = ()
    ) -> None:
        """One step: new links enter the table, fetched ones leave the frontier."""
        changes = Changes(links=[LinkRow(link.id, link.id, link.url) for link in found])
        strategy.save(changes)
        changes.updates.extend(LinkUpdate(link, LinkStatus.PAGE) for link in fetched)
        changes.progress = json.dumps({"totals": {}, "strategy": strategy.progress()})
        self._state.commit(changes)

    def load_into(self, strategy: Strategy) -> None:
        """What a new process does: open the file and bring everything back."""
        self._state.close()
        self._state = CrawlState(self._path)
        strategy.load(self._state, json.loads(self._state.progress())["strategy"])

    def actions(self) -> list[ActionRow]:
        """The actions as they were saved."""
        return list(self._state.actions())

    def ngrams(self) -> list[tuple[int, str]]:
        """The vocabulary as it was saved."""
        return list(self._state.ngrams())

    def close(self) -> None:
        """Let go of the file."""
        self._state.close()
