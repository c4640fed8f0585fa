"""What a state file records beside its steps: the crawl's identity and its last run.

Both are stored as rows of the table `meta`, one per field. The names of the rows are known here
alone, and are those of the first version: what a version did not write yet has a default.
"""

import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from crawler.state.stop import StopReason
from crawler.state.totals import Totals


class RunKind(StrEnum):
    """What a run does with its site."""

    ACQUIRE = "acquire"
    """Follows links to find files."""
    REVISIT = "revisit"
    """Requests known URLs again to find what changed."""


@dataclass(frozen=True, slots=True)
class CrawlIdentity:
    """The values that a crawl's decisions depend on: it is resumed only with the same ones."""

    site: str
    start_url: str
    strategy: str
    """The strategy with its parameters, as JSON with sorted keys."""
    seed: int
    created_at: datetime | None = None
    """When the crawl was started."""

    def to_rows(self) -> dict[str, str]:
        """As it is stored."""
        return {
            "site": self.site,
            "start_url": self.start_url,
            "strategy": self.strategy,
            "seed": str(self.seed),
            "created_at": _written(self.created_at),
        }

    @staticmethod
    def from_rows(rows: dict[str, str]) -> "CrawlIdentity | None":
        """Back from the file; None when no crawl was started in it."""
        if "site" not in rows:
            return None
        return CrawlIdentity(
            site=rows["site"],
            start_url=rows.get("start_url", ""),
            strategy=rows.get("strategy", "{}"),
            seed=int(rows.get("seed", "0")),
            created_at=_time(rows.get("created_at", "")),
        )


@dataclass(frozen=True, slots=True)
class RunRecord:
    """The last run of a crawl, with all that is needed to resume it."""

    run_id: str
    start: Totals
    """The counts of the crawl when the run started: its budget counts from there."""
    kind: RunKind = RunKind.ACQUIRE
    started_at: datetime | None = None
    """None when an earlier version recorded the run."""
    minutes: float = 0.0
    """Minutes of work up to the last time this was recorded."""
    stop_reason: StopReason | None = None
    """None while it runs, and when its process died."""
    stop_detail: str = ""
    stopped_at: datetime | None = None
    fence: int = 0
    """Of the lease under which the state was last written."""

    @property
    def over(self) -> bool:
        """Whether it ended for good: complete, or its budget is spent."""
        return self.stop_reason is not None and self.stop_reason.ends_run

    @property
    def complete(self) -> bool:
        """Whether it left nothing to resume."""
        return self.stop_reason is not None and self.stop_reason.complete

    def to_rows(self) -> dict[str, str]:
        """As it is stored."""
        return {
            "run_id": self.run_id,
            "run_kind": self.kind.value,
            "run_start": json.dumps(self.start.save()),
            "run_started_at": _written(self.started_at),
            "run_minutes": f"{self.minutes:.3f}",
            "stop_reason": self.stop_reason.value if self.stop_reason else "",
            "stop_detail": self.stop_detail,
            "stopped_at": _written(self.stopped_at),
            "fence": str(self.fence),
        }

    @staticmethod
    def from_rows(rows: dict[str, str], present_totals: Callable[[], Totals]) -> "RunRecord | None":
        """Back from the file; None when there was no run.

        The first version did not record the counts at the start of a run: the present counts of
        the crawl take their place.
        """
        if not rows.get("run_id"):
            return None
        start, reason = rows.get("run_start"), rows.get("stop_reason")
        return RunRecord(
            run_id=rows["run_id"],
            start=Totals.load(json.loads(start)) if start else present_totals(),
            kind=RunKind(rows.get("run_kind", RunKind.ACQUIRE.value)),
            started_at=_time(rows.get("run_started_at", "")),
            minutes=float(rows.get("run_minutes", "0")),
            stop_reason=StopReason(reason) if reason else None,
            stop_detail=rows.get("stop_detail", ""),
            stopped_at=_time(rows.get("stopped_at", "")),
            fence=int(rows.get("fence", "0")),
        )


def new_run_id(now: datetime | None = None) -> str:
    """A unique id that sorts by time."""
    return f"{now or datetime.now(UTC):%Y%m%dT%H%M%SZ}-{secrets.token_hex(3)}"


def _written(time: datetime | None) -> str:
    return time.isoformat() if time else ""


def _time(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
