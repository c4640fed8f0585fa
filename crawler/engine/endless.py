"""Endless parts of a site: seen by what their pages give, and left for the end."""

from collections.abc import Sequence
from enum import Enum, auto

from crawler.engine.ledger import Ledger
from crawler.engine.rules import Rules
from crawler.engine.task import Purpose, Task
from crawler.engine.twins import same_links
from crawler.pages.html import Page
from crawler.pages.idle_parameters import Parameter, parameters_of
from crawler.pages.reasons import SkipReason
from crawler.state.records import LinkStatus
from crawler.state.saved import SavedState
from crawler.strategies.interface import Candidate

_MAY_WAIT = (Purpose.SELECTED, Purpose.PREDICTED)
"""A calendar that is taken for files would be followed from month to month before all else."""


class Leads(Enum):
    """Where the new links of a page lead that has a parameter."""

    NOWHERE = auto()
    """To nothing but pages with the same parameter."""
    ELSEWHERE = auto()
    """To pages that its twin might have led to as well: this says nothing of the parameter."""
    TO_ITS_NEXT_VALUE = auto()
    """As the pages of a list do: each says that there is one more, and one of them has the file."""


class EndlessParts:
    """Learns from every page that is read, and is asked before a URL is requested."""

    def __init__(self, ledger: Ledger, rules: Rules, state: SavedState) -> None:
        self._ledger = ledger
        self._rules = rules
        self._state = state

    def read(self, page: Page, link: Candidate, new: Sequence[Candidate]) -> None:
        """A page was read that led to these new links."""

        def shown_by() -> str:
            return self._state.link(link.page).url if link.page else ""

        self._rules.more_of_the_same.read(link.url, [one.url for one in new], shown_by)
        for parameter in parameters_of(link.url):
            known = self._rules.discovery.id_of(parameter.bare)
            if known is None or known == link.id:
                continue
            twin = self._state.history.page(known)
            if twin is None:
                continue
            leads_on = _leads_on(parameter, new)
            if leads_on is Leads.ELSEWHERE:
                continue
            same = leads_on is Leads.NOWHERE and same_links(
                page, link.url, parameter.name, twin.outlinks
            )
            self._rules.idle_parameters.compared(link.url, parameter, same=same)

    def earned(self, page: str) -> None:
        """A page gave a target: what counted against its like is forgotten."""
        self._rules.traps.earned(page)
        self._rules.more_of_the_same.earned(page)

    def postponed(self, task: Task) -> bool:
        """Whether a URL is not requested, or not before all else is done."""
        if task.purpose not in _MAY_WAIT or task.attempts or task.chain:
            return False
        ledger, url = self._ledger, task.link.url
        if task.purpose is Purpose.SELECTED and self._rules.discovery.repeats_known(url):
            ledger.give_up(task, SkipReason.IDLE_PARAMETER)
            return True
        if task.second_chance or task.postponed or not self._waits(url):
            return False
        ledger.postponed.add(task.link.id, url)
        ledger.settle(task, LinkStatus.DEFERRED, SkipReason.MORE_OF_THE_SAME.value)
        return True

    def _waits(self, url: str) -> bool:
        discovery = self._rules.discovery
        return self._rules.more_of_the_same.waits(url, lambda one: discovery.id_of(one) is not None)


def _leads_on(parameter: Parameter, new: Sequence[Candidate]) -> Leads:
    own = (parameter.name, parameter.value)
    leads = Leads.NOWHERE
    for candidate in new:
        others = parameters_of(candidate.url)
        if any(one.name == parameter.name and one.bare == parameter.bare for one in others):
            return Leads.TO_ITS_NEXT_VALUE
        if own not in {(one.name, one.value) for one in others}:
            leads = Leads.ELSEWHERE
    return leads
