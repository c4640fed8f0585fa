"""What a request for a known URL is made conditional on."""

from dataclasses import replace

from crawler.engine.first_visit import sendable
from crawler.engine.task import Task
from crawler.revisit.night_plan import CheckMethod
from crawler.state.history_records import KnownFile, ValidatorRow, VisitKind
from crawler.state.saved import SavedState
from crawler.web.messages import UNCONDITIONAL, Conditions, Reply

FULL_EVERY = 12
"""After this many answers 304 in a row the bytes are asked for all the same: some servers say 304
whatever is asked, and some keep an old Last-Modified on new bytes."""


def conditions_of(task: Task, state: SavedState) -> Conditions:
    """The validators of the last answer for this URL; none where they proved false, or are due to
    be proved."""
    visit = task.visit
    if visit is None or task.only_head or visit.kind is VisitKind.ADDRESS:
        return UNCONDITIONAL
    if visit.kind is VisitKind.FILE:
        file = state.history.known_file(task.link.id)
        if file is None or visit.method != CheckMethod.CONDITIONAL:
            return UNCONDITIONAL
        etag, last_modified = file.etag, file.last_modified
        is_doubtful = file.refuted or file.not_modified >= FULL_EVERY
    else:
        known = state.history.validators(task.link.id)
        if known is None:
            return UNCONDITIONAL
        etag, last_modified = known.etag, known.last_modified
        is_doubtful = known.refuted or known.not_modified >= FULL_EVERY
    return UNCONDITIONAL if is_doubtful else Conditions(etag, last_modified)


def after_not_modified(known: ValidatorRow, reply: Reply) -> ValidatorRow:
    """The validators of a URL after an answer 304, which may name newer ones."""
    headers = reply.head.headers if reply.head else {}
    return replace(
        known,
        etag=sendable(headers.get("etag", "")) or known.etag,
        last_modified=sendable(headers.get("last-modified", "")) or known.last_modified,
        not_modified=known.not_modified + 1,
    )


def says_unchanged(now: ValidatorRow, before: ValidatorRow | KnownFile) -> bool:
    """Whether the validators of two answers are the same, as if nothing had changed."""
    if before.etag:
        return before.etag == now.etag
    return bool(before.last_modified) and before.last_modified == now.last_modified
