"""Tags too large to be honest, cut before they reach the parser.

libxml2 compares each attribute of a tag with all before it: one tag of a megabyte, full of
attributes, would keep it busy for minutes.
"""

import re

_WINDOW = 8192
_WORDS = 1000
_OPENING = re.compile(rb"<[A-Za-z]")


def without_oversized_tags(body: bytes) -> bytes:
    """The page as it is; where a tag has kilobytes of attributes, without most of them."""
    # One quick look per window: pages without such a tag have a ">" in nearly every one.
    for start in range(0, len(body), _WINDOW):
        if body.find(b">", start, start + _WINDOW) < 0:
            return b">".join(map(_cut, body.split(b">")))
    return body


def _cut(run: bytes) -> bytes:
    if len(run) <= _WINDOW:
        return run
    opening = _OPENING.search(run)
    if opening is None:
        return run
    tag = run[opening.start() :]
    if len(tag) <= _WINDOW or len(tag.split(None, _WORDS)) <= _WORDS:
        return run
    # The quote closes a value that the cut may have opened.
    return run[: opening.start() + _WINDOW] + b'"'
