"""What a request for a known URL is made conditional on."""

from dataclasses import replace

from crawler.engine.first_visit import sendable
from crawler.engine.task import Task
from crawler.revisit.night_plan import CheckMethod
from crawler.revisit.page_history import Validators
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
    known: ValidatorRow | KnownFile | None
    if visit.kind is not VisitKind.FILE:
        known = state.history.validators(task.link.id)
    elif visit.method == CheckMethod.CONDITIONAL:
        known = state.history.known_file(task.link.id)
    else:
        return UNCONDITIONAL
    if known is None or known.refuted or known.not_modified >= FULL_EVERY:
        return UNCONDITIONAL
    return Conditions(known.etag, known.last_modified)


def after_not_modified(known: ValidatorRow, reply: Reply) -> ValidatorRow:
    """The validators of a URL after an answer 304, which may name newer ones."""
    headers = reply.head.headers if reply.head else {}
    return replace(
        known,
        etag=sendable(headers.get("etag", "")) or known.etag,
        last_modified=sendable(headers.get("last-modified", "")) or known.last_modified,
        not_modified=known.not_modified + 1,
    )


def usable(known: ValidatorRow | KnownFile) -> Validators:
    """What the server lets us ask about a file; nothing where its validators proved false."""
    flags = Validators.NONE
    if known.etag and not known.refuted:
        flags |= Validators.ETAG
    if known.last_modified and not known.refuted:
        flags |= Validators.LAST_MODIFIED
    return flags


def says_unchanged(now: ValidatorRow, before: ValidatorRow | KnownFile) -> bool:
    """Whether the validators of two answers are the same, as if nothing had changed."""
    if before.etag:
        return before.etag == now.etag
    return bool(before.last_modified) and before.last_modified == now.last_modified
