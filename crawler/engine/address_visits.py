"""Addresses that redirected to a file, such as `latest.csv`: they may lead to a newer file now."""

from collections.abc import Callable

from crawler.engine.answers import GONE, is_redirect
from crawler.engine.ledger import Ledger
from crawler.engine.rules import Rules
from crawler.engine.task import Task
from crawler.engine.visit_end import VisitEnd
from crawler.state.history_records import Evidence, VisitOutcome
from crawler.web.messages import Reply


class AddressVisits:
    """Takes in the answers of such addresses; the file itself has a check of its own."""

    def __init__(self, ledger: Ledger, rules: Rules, wall_clock: Callable[[], float]) -> None:
        self._end = VisitEnd(ledger, rules, wall_clock)

    def receive(self, task: Task, reply: Reply) -> None:
        """Take in an answer that is not to be asked for again."""
        status = reply.head.status if reply.head and reply.failure is None else 0
        if is_redirect(reply):
            evidence = self._end.redirected(task, reply)
            if evidence is Evidence.REDIRECT_TO_NEW:
                self._end.finish(task, VisitOutcome.CHANGED, evidence, new_links=1)
            elif evidence is not None:
                self._end.finish(task, VisitOutcome.UNCHANGED, evidence)
        elif status in GONE:
            self._end.finish(task, VisitOutcome.GONE, Evidence.NOT_FOUND)
        else:
            self.failed(task, Evidence.REFUSED if status else Evidence.NO_ANSWER)

    def failed(self, task: Task, evidence: Evidence) -> None:
        """No redirection came."""
        self._end.finish(task, VisitOutcome.FAILED, evidence)
