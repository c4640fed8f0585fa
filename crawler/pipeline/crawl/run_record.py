"""What a crawl state remembers of its run, so that the run can go on after a pause."""

import json
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime

from crawler.engine.budget import RunSoFar
from crawler.engine.stop import StopReason
from crawler.engine.totals import Totals
from crawler.state.crawl_state import CrawlState
from crawler.state.reports import totals


def new_run_id(now: datetime | None = None) -> str:
    """An id that sorts by time and is nobody else's."""
    return f"{now or datetime.now(UTC):%Y%m%dT%H%M%SZ}-{secrets.token_hex(3)}"


@dataclass(frozen=True, slots=True)
class RunRecord:
    """The last run of a state."""

    run_id: str
    stop_reason: StopReason | None
    """None while it runs, and when its process died."""
    stop_detail: str
    start: Totals
    """The counts of the crawl when the run began."""
    minutes: float
    """That the run has worked, up to the last note of it."""

    @property
    def over(self) -> bool:
        """Whether it ended for good: complete, or its budget is spent."""
        return self.stop_reason is not None and self.stop_reason.ends_run

    @property
    def so_far(self) -> RunSoFar:
        """What its budget has to know."""
        return RunSoFar(self.start, self.minutes)


def read_run(state: CrawlState) -> RunRecord | None:
    """The last run of this state; None when there was none, or none that can go on."""
    meta = state.meta()
    if not meta.get("run_id") or "run_start" not in meta:
        return None
    reason = meta.get("stop_reason", "")
    return RunRecord(
        run_id=meta["run_id"],
        stop_reason=StopReason(reason) if reason else None,
        stop_detail=meta.get("stop_detail", ""),
        start=Totals.load(json.loads(meta["run_start"])),
        minutes=float(meta.get("run_minutes", "0")),
    )


def died_run(state: CrawlState) -> str:
    """The id of the last run when its process died in it; empty otherwise."""
    record = read_run(state)
    return record.run_id if record is not None and record.stop_reason is None else ""


def begin(state: CrawlState, run_id: str) -> RunRecord:
    """Note that a run begins, or goes on when it is the last one of this state."""
    record = read_run(state)
    if record is None or record.run_id != run_id:
        saved = totals(state)
        start = Totals.load(saved) if saved else Totals()
        record = RunRecord(run_id, None, "", start, 0.0)
    state.set_meta(
        {
            "run_id": run_id,
            "run_start": json.dumps(record.start.save()),
            "run_minutes": str(record.minutes),
            "stop_reason": "",
            "stop_detail": "",
        }
    )
    return record


def note_minutes(state: CrawlState, minutes: float) -> None:
    """Keep the minutes of the run: after a crash its budget must not begin anew."""
    state.set_meta({"run_minutes": f"{minutes:.3f}"})
