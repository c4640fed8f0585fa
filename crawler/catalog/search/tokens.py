"""Tokens: what the full-text index holds of a document, each a digit and a word.

The digit says what the word is. `1` is a stem of the title, `2` also of link texts, file names and
columns, `3` of anything: a stem of the title is in all three, so a question about one tier looks
up one list. `4` is a word as it is written, `5` two words that stand beside each other. Tokens
with `0` are filters.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from hashlib import blake2b

from crawler.catalog.db.count_schema import UNCHECKED as UNCHECKED
from crawler.catalog.search.words import normalised

TITLES, NAMES, ANYWHERE = 1, 2, 3
"""The tiers: each holds those before it."""
EVERY_DOCUMENT = "0a"
"""The token that every document has."""
NOT_VALID = "notvalid"
"""Stands for every verdict but `valid`."""


def tier_tokens(
    titles: Sequence[str], names: Sequence[str], others: Sequence[str]
) -> Iterator[str]:
    """The tokens of stems by the places they were found in."""
    known: dict[str, None] = {}
    for tier, stems in enumerate((titles, names, others), start=TITLES):
        known.update(dict.fromkeys(stems))
        yield from (f"{tier}{stem}" for stem in known)


def word_token(word: str) -> str:
    """The token of a word as it is written."""
    return f"4{word}"


def pair_token(pair: str) -> str:
    """The token of two words beside each other, joined."""
    return f"5{pair}"


def day_tokens(moment: datetime) -> tuple[str, str, str]:
    """The tokens of a time: its year, month and day."""
    day = moment.astimezone(UTC)
    return f"0y{day:%Y}", f"0m{day:%Y%m}", f"0d{day:%Y%m%d}"


def site_token(site_id: int) -> str:
    """The token of a site."""
    return f"0s{site_id}"


def file_token(file_format: str | None, verdict: str | None) -> str:
    """The token of files of a format, with a verdict, or of that format with that verdict."""
    if file_format is not None and verdict is not None:
        return f"0c{_plain(file_format)}0{_plain(verdict)}"
    return f"0f{_plain(file_format)}" if file_format is not None else f"0v{_plain(verdict or '')}"


def what_token(what: str) -> str:
    """The token of what happened last: new, changed or gone."""
    return f"0w{_plain(what)}"


def language_token(tag: str) -> str:
    """The token of a language."""
    return f"0l{_plain(tag)}"


def year_token(year: int) -> str:
    """The token of a year that tables cover."""
    return f"0t{year}"


def place_token(name: str) -> str:
    """The token of a place that tables cover."""
    return f"0p{_hashed(name)}"


def publisher_token(name: str) -> str:
    """The token of a publisher."""
    return f"0b{_hashed(name)}"


def _plain(name: str) -> str:
    return "".join(mark for mark in name.lower() if mark.isascii() and mark.isalnum())


def _hashed(name: str) -> str:
    """Names have any letters and lengths; their spelling does not matter."""
    words = " ".join(normalised(name).split())
    return blake2b(words.encode("utf-8", "replace"), digest_size=6).hexdigest()
