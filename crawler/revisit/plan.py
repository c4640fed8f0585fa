"""`plan_night`: history in, plan out. The one call that the engine makes before a revisit."""

from collections.abc import Iterable, Sequence

from crawler.config.revisit import RevisitConfig, amount_of
from crawler.revisit.file_schedule import due_files
from crawler.revisit.night_plan import NightPlan, PlannedPage
from crawler.revisit.page_columns import PageColumns
from crawler.revisit.page_history import FileHistory, PageHistory
from crawler.revisit.planner_state import PlannerState
from crawler.revisit.signals import Signal, settle_signals
from crawler.revisit.strategies.interface import Night, Selection
from crawler.revisit.strategies.make import make_strategy


def plan_night(
    pages: Iterable[PageHistory],
    files: Sequence[FileHistory],
    config: RevisitConfig,
    now: float,
    state: PlannerState,
    signals: Sequence[Signal] = (),
) -> NightPlan:
    """Which known pages and files the night at `now` looks at, in order, with reasons.

    Pages are read once and may come from a cursor; those gone (`missing`) may be among them, those
    taken down must not. What last night's choices yielded is read from the history itself: nothing
    else has to be reported.
    """
    columns = PageColumns.of(pages, now)
    budget = amount_of(config.pages, columns.alive_count)
    settled = settle_signals(state, columns, signals)
    night = Night(columns, config, now, budget, settled, tuple(signals))
    selection = make_strategy(config.name).choose(night)
    checks = due_files(files, amount_of(config.files, len(files)), now)
    return NightPlan(
        at=now,
        strategy=config.name.value,
        pages=_planned(columns, selection),
        files=tuple(checks),
        state=selection.state.after_night(now),
    )


def _planned(columns: PageColumns, selection: Selection) -> tuple[PlannedPage, ...]:
    return tuple(
        PlannedPage(int(columns.ids[choice.row]), choice.reason, choice.score)
        for choice in selection.choices
    )
