"""The engine over a site that is no server: no network, no waiting, the same decisions."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol
from urllib.parse import urlsplit

from crawler.engine.crawl import Crawl
from crawler.engine.events import Event
from crawler.state.crawl_state import CrawlState
from crawler.web.messages import (
    SNIFFED_BYTES,
    Decision,
    Head,
    Method,
    Reply,
    Request,
    StoredFile,
)


class SiteAnswer(Protocol):
    """What a site answers."""

    @property
    def status(self) -> int:
        """The HTTP status."""

    @property
    def headers(self) -> Mapping[str, str]:
        """Header names as sent."""

    @property
    def body(self) -> bytes:
        """The whole body."""


Respond = Callable[[str], SiteAnswer]
"""From path and query to the answer."""


def answer_request(
    request: Request, respond: Respond, decide: Callable[[Head, bytes], Decision]
) -> Reply:
    """What a fetcher would report of this request."""
    parts = urlsplit(request.url)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    answer = respond(path)
    headers = {name.lower(): value for name, value in answer.headers.items()}
    head = Head(request.url, answer.status, headers)
    if request.method is Method.HEAD or not 200 <= answer.status <= 299:
        return Reply(head=head)
    decision = decide(head, answer.body[:SNIFFED_BYTES])
    match decision:
        case Decision.READ:
            return Reply(head=head, decision=decision, body=answer.body, received=len(answer.body))
        case Decision.KEEP:
            file = StoredFile(sha256(answer.body).hexdigest(), len(answer.body))
            return Reply(head=head, decision=decision, file=file, received=file.size)
        case Decision.DROP:
            return Reply(head=head, decision=decision)


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a replay cost and gave."""

    requests: int
    targets: int
    targets_after: list[int]
    """Targets found after each request."""

    def requests_until(self, share: float, targets: int) -> int | None:
        """Requests until this share of all targets was found; None when it never was."""
        wanted = share * targets
        return next(
            (number for number, found in enumerate(self.targets_after, 1) if found >= wanted), None
        )


def replay(
    crawl: Crawl,
    state: CrawlState,
    respond: Respond,
    on_event: Callable[[Event], None] | None = None,
) -> Replayed:
    """Run a crawl to its end over a site's answers."""
    targets_after = []
    while (request := crawl.next_request()) is not None:
        events = crawl.receive(answer_request(request, respond, crawl.on_headers))
        state.commit(crawl.take_changes())
        targets_after.append(crawl.totals.targets)
        if on_event is not None:
            for event in events:
                on_event(event)
    state.commit(crawl.take_changes())
    return Replayed(crawl.totals.requests, crawl.totals.targets, targets_after)
