"""The engine over a site that is no server: no network, no waiting, the same decisions."""

from array import array
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from crawler.engine.crawl import Crawl
from crawler.engine.events import Event
from crawler.lab.sites.answer import Answer
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


@dataclass(frozen=True, slots=True)
class Volumes:
    """Bytes of all bodies that a complete crawl receives, as Table III of paper 000 counts them."""

    target: int
    other: int
    """Of pages; what is neither page nor target is closed unread."""


Respond = Callable[[str], Answer]
"""From a URL to the answer that a GET would get."""


def answer_request(
    request: Request, respond: Respond, decide: Callable[[Head, bytes], Decision]
) -> Reply:
    """What a fetcher would report of this request."""
    answer = respond(request.url)
    headers = {name.lower(): value for name, value in answer.headers.items()}
    head = Head(request.url, answer.status, headers)
    if request.method is Method.HEAD or not 200 <= answer.status <= 299:
        return Reply(head=head)
    decision = decide(head, answer.body[:SNIFFED_BYTES])
    size = answer.size
    match decision:
        case Decision.READ:
            return Reply(head=head, decision=decision, body=answer.body, received=size)
        case Decision.KEEP:
            file = StoredFile(sha256(answer.body).hexdigest(), size)
            return Reply(head=head, decision=decision, file=file, received=size)
        case Decision.DROP:
            return Reply(head=head, decision=decision)


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a replay cost and gave."""

    requests: int
    heads: int
    """How many of the requests were HEAD."""
    targets: int
    targets_after: Sequence[int]
    """Targets found after each request, of whatever kind."""
    target_bytes_after: Sequence[int]
    """Bytes of targets received after each request, at their true size."""
    other_bytes_after: Sequence[int]
    """Bytes of everything else received after each request."""

    def requests_until(self, share: float, targets: int) -> int | None:
        """Requests until this share of all targets was found; None when it never was."""
        at = bisect_left(self.targets_after, share * targets)
        return at + 1 if at < len(self.targets_after) else None

    def other_bytes_until(self, share: float, target_bytes: int) -> int | None:
        """Bytes that are no target's until this share of the target volume was received."""
        at = bisect_left(self.target_bytes_after, share * target_bytes)
        return self.other_bytes_after[at] if at < len(self.target_bytes_after) else None


def replay(
    crawl: Crawl,
    state: CrawlState,
    respond: Respond,
    on_event: Callable[[Event], None] | None = None,
    enough: int | None = None,
) -> Replayed:
    """Run a crawl over a site's answers: to its end, or until it has `enough` targets."""
    targets_after, target_bytes, other_bytes = array("q"), array("q"), array("q")
    totals = crawl.totals
    while (request := crawl.next_request()) is not None:
        events = crawl.receive(answer_request(request, respond, crawl.on_headers))
        state.commit(crawl.take_changes())
        targets_after.append(totals.targets)
        target_bytes.append(totals.kept)
        other_bytes.append(totals.received - totals.kept)
        if on_event is not None:
            for event in events:
                on_event(event)
        if enough is not None and totals.targets >= enough:
            break
    state.commit(crawl.take_changes())
    return Replayed(
        totals.requests, totals.heads, totals.targets, targets_after, target_bytes, other_bytes
    )
