"""What people and manifests read from a crawl state."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from crawler.state.crawl_state import CrawlState
from crawler.state.records import LinkStatus, PageRow


@dataclass(frozen=True, slots=True)
class ActionReport:
    """What an action is and what it gave."""

    id: int
    path: str
    selections: int
    reward: float
    waiting: int | None = None
    """Its links in the frontier; None where they were not counted."""

    @property
    def mean(self) -> float:
        """New targets per selection."""
        return self.reward / self.selections if self.selections else 0.0


@dataclass(frozen=True, slots=True)
class RequestMade:
    """One request for a URL."""

    number: int
    """Which request of the crawl it was."""
    method: str
    status: int
    """0 when no answer came."""
    outcome: str


class _OnlyRead(CrawlState):
    """A state file that a crawl may be writing.

    A connection that may write would make the tables of a file that a crawl is just beginning.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._uncommitted = 0
        with self._storage_errors():
            uri = f"{path.absolute().as_uri()}?mode=ro"
            self._db = sqlite3.connect(uri, uri=True, isolation_level=None)

    def _upgrade(self, version: int) -> None:  # noqa: ARG002
        """A file of an earlier version is upgraded by a connection that may write."""
        CrawlState(self.path).close()

    def started(self) -> bool:
        """Whether a crawl was started here; raises StateUnreadable when it is another file."""
        if not next(self.rows("SELECT count(*) FROM sqlite_master"))[0]:
            return False
        with self._storage_errors():
            self._open()
        return self.identity() is not None


def open_for_reading(path: Path) -> CrawlState | None:
    """The state of a crawl, which may be running; None when there is none yet."""
    if not path.exists():
        return None
    state = _OnlyRead(path)
    try:
        started = state.started()
    except BaseException:
        state.close()
        raise
    if started:
        return state
    state.close()
    return None


def top_actions(state: CrawlState, count: int) -> list[ActionReport]:
    """The actions with the highest mean reward that were selected at least once."""
    query = """
    SELECT id, path, selections, reward FROM action WHERE selections > 0
    ORDER BY reward / selections DESC, selections DESC, id LIMIT ?
    """
    return [ActionReport(*row) for row in state.rows(query, (count,))]


def with_waiting(state: CrawlState, actions: Sequence[ActionReport]) -> list[ActionReport]:
    """The same actions, with how many of their links wait (reads the whole table of links)."""
    query = "SELECT action, count(*) FROM link WHERE status = ? GROUP BY action"
    waiting = dict(state.rows(query, (LinkStatus.FRONTIER,)))
    return [replace(action, waiting=waiting.get(action.id, 0)) for action in actions]


def action(state: CrawlState, number: int) -> ActionReport | None:
    """One action, with how many of its links wait in the frontier."""
    query = """
    SELECT id, path, selections, reward,
           (SELECT count(*) FROM link WHERE link.action = action.id AND link.status = ?)
    FROM action WHERE id = ?
    """
    rows = state.rows(query, (LinkStatus.FRONTIER, number))
    return next((ActionReport(*row) for row in rows), None)


def counts_by_status(state: CrawlState) -> dict[LinkStatus, int]:
    """How many known URLs stand where."""
    rows = state.rows("SELECT status, count(*) FROM link GROUP BY status")
    return {LinkStatus(status): count for status, count in rows}


def actions_count(state: CrawlState) -> int:
    """How many actions there are."""
    return int(next(state.rows("SELECT count(*) FROM action"))[0])


def steps_of(state: CrawlState, link: int) -> list[RequestMade]:
    """Every request that was made for a URL, in their order."""
    query = "SELECT number, method, status, outcome FROM step WHERE link = ? ORDER BY number"
    return [RequestMade(*row) for row in state.rows(query, (link,))]


def page_of(state: CrawlState, link: int) -> PageRow | None:
    """What a page showed when it was read."""
    query = "SELECT link, title, language, action, links, new_links FROM page WHERE link = ?"
    return next((PageRow(*row) for row in state.rows(query, (link,))), None)


def hop_from(state: CrawlState, link: int) -> str:
    """The URL that a redirection of this URL led to; empty when it led to no new one."""
    query = """
    SELECT hop.url FROM link JOIN link AS hop ON hop.parent = link.id AND hop.depth = link.depth
    WHERE link.id = ? ORDER BY hop.id LIMIT 1
    """
    return next((str(row[0]) for row in state.rows(query, (link,))), "")


def curve(state: CrawlState, points: int = 400) -> list[tuple[int, int]]:
    """Targets by the number of requests: the crawl as a curve of at most this many points."""
    count = int(next(state.rows("SELECT count(*) FROM step"))[0])
    every = max(1, -(-count // points))
    query = "SELECT number, targets FROM step WHERE number % ? = 0 OR number = ? ORDER BY number"
    return [(number, targets) for number, targets in state.rows(query, (every, count))]
