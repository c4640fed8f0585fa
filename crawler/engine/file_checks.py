"""Known files that are checked: unchanged, a new version, or missing."""

from collections.abc import Callable
from dataclasses import replace

from crawler.engine.answers import is_success
from crawler.engine.conditions import after_not_modified, says_unchanged, usable
from crawler.engine.first_visit import validators_of
from crawler.engine.ledger import Ledger
from crawler.engine.night_planner import file_history
from crawler.engine.rules import Rules
from crawler.engine.task import Task
from crawler.engine.visit_end import PlannedVisits
from crawler.pages.mime import Classified, UrlClass
from crawler.revisit.observe import FileSeen, observe_file, observe_file_failure
from crawler.revisit.visit_log import Outcome
from crawler.state.history_records import Evidence, KnownFile, ValidatorRow, VisitOutcome
from crawler.state.saved import SavedState
from crawler.web.messages import Decision, Reply

RecordTarget = Callable[[Task, Reply, Classified], None]
"""Records the bytes of an answer as the newest version of the task's file."""


class FileChecks(PlannedVisits):
    """Takes in the answers of planned checks of files."""

    def __init__(
        self,
        ledger: Ledger,
        rules: Rules,
        state: SavedState,
        wall_clock: Callable[[], float],
        record: RecordTarget,
    ) -> None:
        super().__init__(ledger, rules, state, wall_clock)
        self._record = record

    def receive(self, task: Task, reply: Reply, classified: Classified | None) -> None:
        """Take in an answer that is not to be asked for again."""
        if task.only_head:
            self._compare_length(task, self._file(task), reply)
        elif self.came(task, reply):
            self._arrived(task, self._file(task), reply, classified)

    def _file(self, task: Task) -> KnownFile:
        file = self._state.history.known_file(task.link.id)
        if file is None:
            raise ValueError(f"no file was kept for {task.link.url}")
        return file

    def not_modified(self, task: Task, reply: Reply) -> None:
        """The file is as it was; its validators may be newer."""
        file = self._file(task)
        known = ValidatorRow(
            file.link, file.etag, file.last_modified, b"", file.not_modified, file.refuted
        )
        self._remember(after_not_modified(known, reply))
        self._unchanged(task, file, Evidence.NOT_MODIFIED)

    def gone(self, task: Task, evidence: Evidence) -> None:
        """The file is not where it was."""
        self._observe(self._file(task), FileSeen(self._now(), Outcome.GONE))
        self.finish(task, VisitOutcome.GONE, evidence)

    def failed(self, task: Task, evidence: Evidence) -> None:
        """No answer that says anything about the file."""
        file = self._state.history.known_file(task.link.id)
        if file is not None:
            failed = observe_file_failure(file_history(file), self._now())
            self._ledger.changes.history.files.append(failed)
        self.finish(task, VisitOutcome.FAILED, evidence)

    def _compare_length(self, task: Task, file: KnownFile, reply: Reply) -> None:
        """Only the same length spares the download; whatever else HEAD says, GET says it better."""
        headers = reply.head.headers if reply.head and is_success(reply) else {}
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length) == file.size and "content-encoding" not in headers:
            self._remember(_validators(file, reply))
            self._unchanged(task, file, Evidence.SAME_LENGTH)
            return
        self._ledger.outcome = "head_inconclusive"
        task.only_head, task.attempts, task.wait = False, 0, 0.0

    def _arrived(
        self, task: Task, file: KnownFile, reply: Reply, classified: Classified | None
    ) -> None:
        stored = reply.file
        if reply.decision is not Decision.KEEP or stored is None or classified is None:
            is_page = classified is not None and classified.url_class is UrlClass.HTML
            self.gone(task, Evidence.SOFT_404 if is_page else Evidence.OTHER_TYPE)
        elif stored.sha256 == file.sha256:
            self._remember(_validators(file, reply))
            self._unchanged(task, file, Evidence.SAME_BYTES)
        elif not stored.size:
            self.failed(task, Evidence.EMPTY)
        else:
            validators = _validators(file, reply)
            if says_unchanged(validators, file):
                # The next 304 would have hidden this change.
                validators = replace(validators, refuted=True)
            self._remember(validators)
            self._record(task, reply, classified)
            flags = usable(validators)
            seen = FileSeen(self._now(), Outcome.CHANGED, size=stored.size, validators=flags)
            self._observe(file, seen)
            self.finish(task, VisitOutcome.CHANGED, Evidence.OTHER_BYTES)

    def _unchanged(self, task: Task, file: KnownFile, evidence: Evidence) -> None:
        proven = evidence is not Evidence.SAME_LENGTH
        self._observe(file, FileSeen(self._now(), Outcome.UNCHANGED, is_proven=proven))
        self.finish(task, VisitOutcome.UNCHANGED, evidence)

    def _observe(self, file: KnownFile, seen: FileSeen) -> None:
        self._ledger.changes.history.files.append(observe_file(file_history(file), seen))

    def _remember(self, validators: ValidatorRow) -> None:
        self._ledger.changes.history.validators.append(validators)


def _validators(file: KnownFile, reply: Reply) -> ValidatorRow:
    """The validators of a newer answer."""
    return replace(validators_of(file.link, reply, b""), refuted=file.refuted)
