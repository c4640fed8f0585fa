"""Texts from the web, made fit to be stored: what one database takes, the other refuses."""

import re

MAX_TEXT = 1000
"""Titles, link texts and the like are cut here."""

# PostgreSQL has no NUL in texts, and UTF-8 no surrogates; other controls only disturb a reader.
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")


def plain(text: str, limit: int) -> str:
    """The text on one line, without characters that cannot be stored or shown, cut at a limit."""
    return " ".join(_UNFIT.sub(" ", text[: 4 * limit]).split())[:limit].rstrip()


def fit(text: str, limit: int) -> str:
    """The text as it is, tabs and all, but for what cannot be stored or shown."""
    return _UNFIT.sub(" ", text[:limit])


def exact(text: str, limit: int) -> str:
    """A text that is only of use as it is (an ETag); empty when it cannot be stored as it is."""
    return "" if len(text) > limit or _UNFIT.search(text) else text


def stored_url(url: str) -> str:
    """A URL as it was found, but for what no database stores."""
    return _UNFIT.sub("\ufffd", url)
