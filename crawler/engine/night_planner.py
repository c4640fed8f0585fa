"""From the history in the state to the plan of a night, and back: what the last night yielded."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from crawler.config.revisit import RevisitConfig
from crawler.engine.conditions import usable
from crawler.engine.first_visit import page_template, unsigned
from crawler.pages.file_name import extension_of
from crawler.pages.signals import moment
from crawler.revisit.observe import PageSeen, credit_targets, observe_page
from crawler.revisit.page_history import FileHistory, PageHistory, Validators
from crawler.revisit.planner_state import PlannerState
from crawler.revisit.signals import Signal
from crawler.revisit.visit_log import Outcome
from crawler.state.history_records import HistoryChanges, KnownFile, VisitKind, VisitRow
from crawler.state.records import LinkStatus
from crawler.state.saved import SavedState

MAX_WAY = 1_000
"""Links between a new target and the planned page that led to it."""


@dataclass(frozen=True, slots=True)
class RevisitOrder:
    """What a run has to know to be a revisit."""

    run_id: str
    at: float
    """When the run started; the plan is made for this time, however often it is made."""
    config: RevisitConfig
    seed: int = 0
    taken_down: Callable[[str], bool] = lambda _: False
    """Whether the file at a URL was removed from the catalog: it is not fetched again."""


def file_history(file: KnownFile) -> FileHistory:
    """The history of a kept file, also of one that was never checked."""
    validators = usable(file)
    modified = moment(file.last_modified) if Validators.LAST_MODIFIED in validators else None
    template = f"{extension_of(file.url)} {file.page_template}"
    history = file.history or FileHistory(file.link, template, file.fetched_at)
    return replace(history, size=file.size, validators=validators, modified=modified)


class NightPlanner:
    """Plans nights from what the state knows. The same state and time give the same plan."""

    def __init__(self, state: SavedState, order: RevisitOrder) -> None:
        self._state = state
        self._order = order

    def plan(self, first_number: int, changes: HistoryChanges) -> list[VisitRow]:
        """The pages and files of the night; what the planner learned goes to the changes."""
        # The planner's libraries take longer to import than many a crawl to start.
        from crawler.revisit.plan import plan_night

        history, order = self._state.history, self._order
        saved = history.planner()
        before = PlannerState.from_json(saved) if saved else PlannerState(seed=order.seed)
        signals = [Signal(row.link, url, row.at) for row, url in history.signals()]
        plan = plan_night(
            self._pages(changes), self._files(), order.config, order.at, before, signals
        )
        changes.planner = plan.state.to_json()
        visits = [
            VisitRow(0, VisitKind.PAGE, page.id, page.reason.value, score=page.score)
            for page in plan.pages
        ]
        for file in plan.files:
            source = self._address_of(file.id)
            if source is not None:
                visits.append(VisitRow(0, VisitKind.ADDRESS, source, file.reason.value))
            visits.append(
                VisitRow(
                    0, VisitKind.FILE, file.id, file.reason.value, file.method.value, file.score
                )
            )
        return [replace(visit, number=first_number + n) for n, visit in enumerate(visits)]

    def _pages(self, changes: HistoryChanges) -> Iterator[PageHistory]:
        """Every page as it stands with the changes of this step."""
        changed = {page.id: page for page in changes.pages}
        for page in self._state.history.pages():
            yield changed.pop(page.id, page)
        for page in changed.values():
            if self._state.history.source(page.id) is None:
                yield page

    def _files(self) -> list[FileHistory]:
        taken_down = self._order.taken_down
        return [
            file_history(file)
            for file in self._state.history.known_files()
            if not taken_down(file.url)
        ]

    def _address_of(self, file: int) -> int | None:
        """Where the redirections to a file start; None when a page links to the file itself."""
        link = self._state.link(file)
        source = None
        for _ in range(MAX_WAY):
            if not link.parent:
                break
            link = self._state.link(link.parent)
            if link.status is not LinkStatus.REDIRECT:
                break
            source = link.id
        return source


def settle_histories(state: SavedState, first_link: int) -> HistoryChanges:
    """Count every new target for the pages that led to it.

    That is the page that shows it and, where the way to that page was found by a visit of the last
    plan, the page of that visit. Links of that night have `first_link` or a higher id.
    """
    history = state.history
    changed = {page.id: page for page in _unrecorded(state)}
    visits = {visit.link: visit for visit in history.visits() if visit.outcome}
    led_to: dict[int, list[int]] = defaultdict(list)
    behind: Counter[int] = Counter()
    for credit, fingerprint in history.credits():
        target = unsigned(fingerprint)
        led_to[credit.page].append(target)
        origin = _origin(state, credit.page, first_link, visits)
        if origin is not None:
            behind[origin] += 1
            if origin != credit.page:
                led_to[origin].append(target)
    for link, targets in led_to.items():
        page = changed.get(link) or history.page(link)
        if page is not None:
            changed[link] = credit_targets(page, targets)
    return HistoryChanges(
        pages=list(changed.values()),
        visits=[
            replace(visits[link], new_targets=visits[link].new_targets + targets)
            for link, targets in behind.items()
        ],
        credited=True,
    )


def _origin(
    state: SavedState, page: int, first_link: int, visits: Mapping[int, VisitRow]
) -> int | None:
    """The visited page on which the way to a page was found that night, if it was."""
    for _ in range(MAX_WAY):
        if page in visits:
            return page
        if page < first_link or not page:
            return None
        page = state.link(page).parent
    return None


def _unrecorded(state: SavedState) -> Iterator[PageHistory]:
    """Pages that were read by a version without histories: all that is known is that they were."""
    at = state.history.first_time()
    for link, url, action, depth, new_links in state.history.unrecorded_pages():
        seen = PageSeen(at, Outcome.NEW, new_links=new_links)
        yield observe_page(PageHistory(link, page_template(action, url), at, depth=depth), seen)
