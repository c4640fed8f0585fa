"""What the first reading of a page leaves in its history: every page of a crawl has one."""

import struct
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import sha1

from crawler.pages.html import Page
from crawler.pages.page_dates import page_dates
from crawler.pages.url_template import url_template
from crawler.revisit.fingerprints import MAX_LINKS
from crawler.revisit.page_history import MAX_DATES, PageHistory
from crawler.revisit.visit_log import MAX_COUNT, Outcome
from crawler.state.history_records import ValidatorRow
from crawler.strategies.interface import Candidate
from crawler.web.messages import Reply

MIN_ITEMS = 5
"""So many new links in the same place of a page make it a list."""
MAX_VALIDATOR_LENGTH = 500
"""A longer ETag or date is not remembered."""

_UNSIGNED = (1 << 64) - 1
_VISIT = struct.Struct("<dfBHH")


def first_visit(
    link: Candidate, action: int, page: Page, body: bytes, new: Sequence[Candidate], at: float
) -> PageHistory:
    """The history of a page after its first visit; `new` are the links that it showed first.

    The same as `observe_page` makes of an empty history, at a fraction of its cost: a crawl does it
    for every page.
    """
    log = _VISIT.pack(at, 0.0, Outcome.NEW, min(len(new), MAX_COUNT), 0)
    return PageHistory(
        id=link.id,
        template=page_template(action, link.url),
        first_seen=at,
        visits=log,
        last_visit=at,
        last_try=at,
        visit_count=1,
        outlinks=pack_links(one.fingerprint for one in page.links),
        items=items_listed(new),
        depth=link.depth,
        dates=pack_dates(dates_of(page, body, new)),
    )


def page_template(action: int, url: str) -> str:
    """What pages alike share: the action that led to them, and the pattern of their URL."""
    return f"{action} {url_template(url)}"


def unsigned(fingerprint: int) -> int:
    """A fingerprint as histories have it."""
    return fingerprint & _UNSIGNED


def pack_links(fingerprints: Iterable[int]) -> bytes:
    """A bounded set of links, as `crawler.revisit.fingerprints.pack` makes it."""
    return array("Q", sorted({one & _UNSIGNED for one in fingerprints})[:MAX_LINKS]).tobytes()


def pack_dates(days: Sequence[int]) -> bytes:
    """Dates as a history has them."""
    return struct.pack(f"<{len(days)}i", *days)


def dates_of(page: Page, body: bytes, new: Sequence[Candidate]) -> list[int]:
    """The newest dates of a page's items."""
    texts = [link.url for link in page.links]
    texts += [link.anchor for link in new]
    return page_dates(body, texts, MAX_DATES)


def items_listed(new: Sequence[Candidate]) -> int:
    """How many items a page lists, going by its new links; 0 when it is no list."""
    if len(new) < MIN_ITEMS:
        return 0
    most = max(Counter(link.tag_path for link in new).values())
    return most if most >= MIN_ITEMS else 0


def body_hash(body: bytes) -> bytes:
    """Stands for the bytes of a page; compared with later ones of the same page alone."""
    return sha1(body, usedforsecurity=False).digest()


def validators_of(link: int, reply: Reply, body: bytes) -> ValidatorRow:
    """What the next answer for a page is compared with."""
    headers = reply.head.headers if reply.head else {}
    return ValidatorRow(
        link, sendable(headers.get("etag", "")), sendable(headers.get("last-modified", "")), body
    )


def sendable(value: str) -> str:
    """A validator that can be sent back; empty when it cannot."""
    plain = value.isascii() and value.isprintable() and len(value) <= MAX_VALIDATOR_LENGTH
    return value if plain else ""
