"""Addresses that redirected to a file, such as `latest.csv`: they may lead to a newer file now."""

from crawler.engine.answers import GONE, is_redirect
from crawler.engine.task import Task
from crawler.engine.visit_end import PlannedVisits
from crawler.state.history_records import Evidence, VisitOutcome
from crawler.web.messages import Reply


class AddressVisits(PlannedVisits):
    """Takes in the answers of such addresses; the file itself has a check of its own."""

    def receive(self, task: Task, reply: Reply) -> None:
        """Take in an answer that is not to be asked for again."""
        status = reply.head.status if reply.head and reply.failure is None else 0
        if is_redirect(reply):
            evidence = self.redirected(task, reply)
            if evidence is Evidence.REDIRECT_TO_NEW:
                self.finish(task, VisitOutcome.CHANGED, evidence, new_links=1)
            elif evidence is not None:
                self.finish(task, VisitOutcome.UNCHANGED, evidence)
        elif status in GONE:
            self.finish(task, VisitOutcome.GONE, Evidence.NOT_FOUND)
        else:
            self.failed(task, Evidence.REFUSED if status else Evidence.NO_ANSWER)

    def failed(self, task: Task, evidence: Evidence) -> None:
        """No redirection came."""
        self.finish(task, VisitOutcome.FAILED, evidence)
