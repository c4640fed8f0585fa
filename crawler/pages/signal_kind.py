"""Whether an answer is a sitemap or a feed, by its first bytes."""

import re
import zlib
from enum import StrEnum

MAX_BYTES = 50 * 1000**2
"""A larger file, unpacked, is cut; the sitemap protocol allows no more."""

_SNIFFED = 4_096
_GZIP = b"\x1f\x8b"
_BEFORE_ROOT = re.compile(rb"(?:\s|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\])?[^>]*>)*", re.S)
_ROOT = re.compile(rb"<(?:[A-Za-z_][\w.-]*:)?([A-Za-z]+)[\s/>]")
_DATA_FEED = re.compile(rb"schemas\.microsoft\.com/ado|docs\.oasis-open\.org/odata")


class SignalKind(StrEnum):
    """What names URLs beside the pages."""

    SITEMAP = "sitemap"
    FEED = "feed"


def signal_kind(first: bytes) -> SignalKind | None:
    """Whether an answer that begins so is a sitemap or a feed, packed or not.

    Feeds that carry data themselves (OData) are not meant.
    """
    head = unpacked(first, _SNIFFED).removeprefix(b"\xef\xbb\xbf")
    before = _BEFORE_ROOT.match(head)
    root = _ROOT.match(head, before.end() if before else 0)
    match root[1].lower() if root else b"":
        case b"urlset" | b"sitemapindex":
            return SignalKind.SITEMAP
        case b"rss":
            return SignalKind.FEED
        case b"feed" if b"www.w3.org/2005/Atom" in head and not _DATA_FEED.search(head):
            return SignalKind.FEED
        case b"rdf" if b"purl.org/rss/1.0" in head:
            return SignalKind.FEED
    return None


def unpacked(body: bytes, limit: int = MAX_BYTES) -> bytes:
    """The bytes of a file that may be packed with gzip, at most `limit` of them."""
    if not body.startswith(_GZIP):
        return body[:limit]
    try:
        return zlib.decompressobj(wbits=31).decompress(body, limit)
    except zlib.error:
        return b""
