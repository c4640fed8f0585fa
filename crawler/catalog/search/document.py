"""The search document of a dataset: what it can be found by, composed from its rows."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from math import log10
from typing import Any
from urllib.parse import unquote

from crawler.catalog.read.what import what_happened
from crawler.catalog.search.covered import all_years, as_spans, years_between
from crawler.catalog.search.stemming import DEFAULT_LANGUAGE, language_code, stem
from crawler.catalog.search.tokens import (
    EVERY_DOCUMENT,
    NOT_VALID,
    UNCHECKED,
    day_tokens,
    file_token,
    language_token,
    pair_token,
    place_token,
    publisher_token,
    site_token,
    tier_tokens,
    what_token,
    word_token,
    year_token,
)
from crawler.catalog.search.words import pairs_of, words_of

MAX_PLACES = 40
"""Places of a dataset that a search can be narrowed by."""
_MAX_TITLE_WORDS = 100
_MAX_WORDS = 400
"""Of each kind, counted on their own: no number of pages may push a column out of the search."""
_MAX_PAIRS = 200
_MAX_VALUES = 500
_QUALITIES = {
    "valid": 30, "suspect": 20, None: 20, "document": 15, "broken": 5, "not_a_dataset": 0,
}  # fmt: skip
_FREQUENCIES = {
    "year": "annual", "quarter": "quarterly", "month": "monthly", "week": "weekly", "day": "daily",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Document:
    """What is stored for a dataset."""

    changed_at: datetime
    quality: int
    """How much there is to trust and to use: verdict and rows of its best file, 0 to 40."""
    facets: str
    """What a search can be narrowed by, one to a line: a letter for the facet, and the value."""
    tokens: str
    words: tuple[str, ...]
    """Words to correct the spelling of a question by."""


def compose(dataset: Any, files: Sequence[Any], sightings: Sequence[Any], site: Any) -> Document:
    """The search document of a dataset, from the rows of its files, its sightings and its site."""
    publisher = dataset.publisher or site.publisher
    titles = list(dict.fromkeys([dataset.title, *(file.title for file in files)]))
    anchors = list(dict.fromkeys(seen.anchor for seen in sightings))
    file_names = [file.file_name for file in files]
    columns = list(_texts(file.column_names for file in files))
    places = list(_texts(file.places for file in files))
    values = list(_texts(file.dimension_values for file in files))[:_MAX_VALUES]
    pages = [dataset.page_title, *(seen.page_title for seen in sightings)]
    headings = list(dict.fromkeys(seen.headings for seen in sightings))
    about = [publisher, site.name, site.title, *_frequencies(files)]
    addresses = [_words_of_address(url) for url in (dataset.page_url, *(f.url for f in files[:20]))]
    by_tier = (
        words_of(titles, _MAX_TITLE_WORDS),
        [*words_of(chain(file_names, anchors), _MAX_WORDS), *words_of(columns, _MAX_WORDS)],
        [
            *words_of(dict.fromkeys([*pages, *about]), _MAX_WORDS),
            *words_of(headings, _MAX_WORDS),
            *words_of(chain(places, values), _MAX_WORDS),
            *words_of(addresses, _MAX_WORDS),
        ],
    )
    said = [*titles, *anchors, *columns[:100], *pages, *headings, *about, *places[:100]]
    years = all_years(years_between(file.period_start, file.period_end) for file in files)
    languages = _languages(dataset, files)
    what, changed_at = what_happened(files)
    language = language_code(next(iter(languages), ""))
    shown_places = list(dict.fromkeys(places))[:MAX_PLACES]
    tokens = chain(
        [EVERY_DOCUMENT, site_token(dataset.site_id)],
        _file_tokens(files),
        sorted({language_token(part) for tag in languages for part in (tag, language_code(tag))}),
        map(year_token, years),
        map(place_token, shown_places),
        [publisher_token(publisher)] if publisher else [],
        day_tokens(changed_at),
        [what_token(what)],
        tier_tokens(*(_stems(words, language) for words in by_tier)),
        map(word_token, sorted(set(chain.from_iterable(by_tier)))),
        map(pair_token, pairs_of(dict.fromkeys(said), _MAX_PAIRS)),
    )
    spelt = words_of(dict.fromkeys([*said, *values]), 2 * _MAX_WORDS)
    return Document(
        changed_at=changed_at,
        quality=_quality(files),
        facets="\n".join(
            _facets(dataset.site_id, files, languages, years, shown_places, publisher)
        ),
        tokens=" ".join(dict.fromkeys(tokens)),
        words=tuple(spelt),
    )


def _stems(words: Iterable[str], language: str) -> list[str]:
    """In the language of the document, and in English: pages of two languages share files."""
    languages = dict.fromkeys((language, DEFAULT_LANGUAGE))
    return [stem(word, each) for each in languages for word in words]


def _facets(
    site_id: int,
    files: Sequence[Any],
    languages: Sequence[str],
    years: list[int],
    places: Sequence[str],
    publisher: str,
) -> Iterator[str]:
    yield f"s{site_id}"
    yield from sorted({f"f{''.join(file.format.split())}" for file in files})
    yield from sorted({f"v{file.verdict or UNCHECKED}" for file in files})
    yield from sorted({f"l{language_code(tag)}" for tag in languages})
    yield from (f"t{first}-{last}" for first, last in as_spans(years))
    yield from (f"p{_line(place)}" for place in places)
    if publisher:
        yield f"b{_line(publisher)}"


def _file_tokens(files: Sequence[Any]) -> list[str]:
    tokens: dict[str, None] = {}
    for file in files:
        verdict = file.verdict or UNCHECKED
        verdicts = [verdict] if verdict in ("valid", UNCHECKED) else [verdict, NOT_VALID]
        tokens[file_token(file.format, None)] = None
        for name in verdicts:
            tokens[file_token(None, name)] = None
            tokens[file_token(file.format, name)] = None
    return sorted(tokens)


def _languages(dataset: Any, files: Sequence[Any]) -> list[str]:
    """The languages of its page and files; `en-GB` is found as `en` and as `en-GB`."""
    headers = (file.content_language.split(",") for file in files)
    tags = (tag.strip() for tag in chain([dataset.language], *headers))
    return list(dict.fromkeys(tag for tag in tags if tag))


def _quality(files: Sequence[Any]) -> int:
    """Verdict and size of the best file: a valid table of many rows before its fragments."""
    qualities = (
        _QUALITIES.get(file.verdict, 0) + min(10, int(2 * log10(1 + max(file.rows or 0, 0))))
        for file in files
    )
    gone = 5 if all(file.gone_since is not None for file in files) else 0
    return max(0, max(qualities) - gone)


def _frequencies(files: Sequence[Any]) -> list[str]:
    named = (_FREQUENCIES.get(file.frequency, "") for file in files)
    return list(dict.fromkeys(name for name in named if name))


def _texts(lists: Iterable[Any]) -> Iterator[str]:
    """The texts of JSON lists, each once; another version may have stored something else."""
    known: set[str] = set()
    for texts in lists:
        for text in texts[:1000] if isinstance(texts, list) else ():
            if isinstance(text, str) and text not in known:
                known.add(text)
                yield text[:200]


def _words_of_address(url: str) -> str:
    """Host and path, without what stands before and behind them."""
    address = url.partition("://")[2].partition("?")[0].partition("#")[0]
    return unquote(address[:500], errors="replace")


def _line(text: str) -> str:
    return " ".join(text.split())
