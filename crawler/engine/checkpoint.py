"""What of a crawl is saved with every step, and how it comes back."""

import json
from typing import Any

from crawler.engine.events import Stopped
from crawler.engine.frame import Frame
from crawler.engine.ledger import Ledger
from crawler.engine.night import Night, Phase
from crawler.engine.rules import Rules
from crawler.engine.task import Purpose, Task
from crawler.pages.reasons import SkipReason
from crawler.state.records import Changes, LinkStatus, LinkUpdate
from crawler.state.saved import SavedState
from crawler.state.stop import StopReason
from crawler.state.totals import Totals
from crawler.strategies.interface import Candidate, Inheriting, Strategy

_WITHOUT_LINK_IN_WORK = {Purpose.PLANNED, Purpose.SUPPORTING}


def complete(changes: Changes, ledger: Ledger, rules: Rules, strategy: Strategy) -> None:
    """Add what the parts of the crawl learned in this step to its changes."""
    changes.links, changes.tag_paths = rules.discovery.take_new()
    # A link may be queued and fetched within one step: its outcome must be written last.
    settled, changes.updates = changes.updates, []
    strategy.save(changes)
    changes.updates.extend(settled)
    if ledger.task is not None and ledger.task.purpose not in _WITHOUT_LINK_IN_WORK:
        in_work = LinkUpdate(ledger.task.link.id, LinkStatus.IN_WORK, ledger.task.action)
        changes.updates.append(in_work)
    changes.robots = rules.gate.take_new()
    changes.counters = rules.counters.changes()
    changes.progress = json.dumps(_progress(ledger, rules, strategy), separators=(",", ":"))


def _progress(ledger: Ledger, rules: Rules, strategy: Strategy) -> dict[str, Any]:
    monitor, night = rules.monitor, ledger.night or ledger.last_night
    return {
        "totals": ledger.totals.save(),
        "task": ledger.task.save() if ledger.task else None,
        "robots_task": rules.gate.task.save() if rules.gate.task else None,
        "pause": ledger.pause,
        "frames": [frame.save() for frame in ledger.frames],
        "night": night.save() if night else None,
        "entries": [entry.id for entry in ledger.entries],
        "failures": ledger.failures_in_a_row,
        "stopped": ledger.stopped is not None and not _continues(ledger.stopped),
        "yield": monitor.save() if monitor else None,
        "strategy": strategy.progress(),
    }


def _continues(stopped: Stopped) -> bool:
    """The next slice must decide as if there had been no pause."""
    return stopped.reason is StopReason.SLICE_ENDED


def load(state: SavedState, ledger: Ledger, rules: Rules, strategy: Strategy) -> None:
    """Bring a crawl back to the moment after its last committed step."""
    text = state.progress()
    if not text:
        if isinstance(strategy, Inheriting):
            strategy.inherit(state)
        return
    progress = json.loads(text)
    rules.discovery.load(state.fingerprints(), state.history.target_prints())
    rules.counters.load(state.counters())
    rules.gate.load(state.robots(), progress["robots_task"])
    strategy.load(state, progress["strategy"])
    ledger.totals = Totals.load(progress["totals"])
    ledger.task = Task.load(progress["task"]) if progress["task"] else None
    ledger.pause = progress["pause"]
    ledger.frames = [_frame(saved, state) for saved in progress["frames"]]
    if progress.get("night"):
        ledger.last_night = Night.load(progress["night"])
    for link in progress["entries"]:
        row = state.link(link)
        ledger.entries.append(Candidate(row.id, row.url, row.depth, tag_path=""))
    for link in state.deferred():
        row = state.link(link)
        if row.reason == SkipReason.MORE_OF_THE_SAME.value:
            ledger.postponed.add(link, row.url)
        else:
            ledger.deferred.append(link)
    if progress["stopped"]:
        # A new run, not one that died: what gave no answer then may do so now.
        rules.gate.forget_unavailable()
    else:
        ledger.failures_in_a_row = progress["failures"]
    if rules.monitor is not None and progress["yield"]:
        rules.monitor.load(progress["yield"])


def _frame(saved: dict[str, Any], state: SavedState) -> Frame:
    links = [
        Candidate(
            row.id,
            row.url,
            row.depth,
            state.tag_path(row.tag_path),
            row.anchor,
            page_action=saved["action"],
            page=saved["page"],
        )
        for row in state.links(saved["first"], saved["end"])
        if row.status is LinkStatus.NEW
    ]
    return Frame(
        saved["page"],
        saved["url"],
        saved["action"],
        saved["end"],
        links,
        saved["reward"],
        is_visit=saved.get("is_visit", False),
    )


def start_night(state: SavedState, ledger: Ledger, run_id: str, at: float) -> None:
    """Make this run a night of revisiting, or resume the night that it is."""
    last = ledger.last_night
    if last is None or last.run_id != run_id:
        ledger.night = Night(run_id, at)
        if last is not None:
            ledger.night.leftovers = last.leftovers
            ledger.night.first_link_before = last.first_link
        return
    if last.phase is not Phase.ROBOTS:  # until then the table has the plan of the night before
        visits = state.history.visits()
        last.ahead.extend(visit for visit in visits if visit.number > last.position)
    ledger.night, ledger.last_night = last, None


def is_planned(state: SavedState) -> bool:
    """Whether the last night came to make its plan: a site may be down before that."""
    text = state.progress()
    night: dict[str, Any] | None = json.loads(text).get("night") if text else None
    return night is not None and Night.load(night).phase is not Phase.ROBOTS
