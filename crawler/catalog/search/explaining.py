"""Why a dataset was found: for each word of the question, the text that has it."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, select

from crawler.catalog.db.models import RESOURCE, SIGHTING, VERDICT
from crawler.catalog.read.records import Match, MatchPlace, SearchHit
from crawler.catalog.search.covered import years_between
from crawler.catalog.search.question import Group, Question
from crawler.catalog.search.stemming import DEFAULT_LANGUAGE, language_code, stem
from crawler.catalog.search.tokens import TITLES, pair_token, word_token
from crawler.catalog.search.words import pairs_of, words_of

_MAX_FILES = 3
_MAX_TEXTS = 150
_MAX_LINKS = 20
_MAX_SHOWN = 160

_FILES = select(
    RESOURCE.c.id,
    RESOURCE.c.dataset_id,
    RESOURCE.c.file_name,
    RESOURCE.c.url,
    VERDICT.c.column_names,
    VERDICT.c.places,
    VERDICT.c.dimension_values,
    VERDICT.c.frequency,
).outerjoin(VERDICT, VERDICT.c.version_id == RESOURCE.c.latest_version_id)
_SIGHTINGS = select(
    SIGHTING.c.resource_id, SIGHTING.c.anchor, SIGHTING.c.page_title, SIGHTING.c.headings
).order_by(SIGHTING.c.id)


def explained(
    connection: Connection, asked: Question, hits: Sequence[SearchHit]
) -> tuple[SearchHit, ...]:
    """The same hits, each with where it has the words that were asked for."""
    if not asked.groups or not hits:
        return tuple(hits)
    ids = [file.id for hit in hits for file in hit.files[:_MAX_FILES]]
    files: dict[int, list[Any]] = {}
    for row in connection.execute(_FILES.where(RESOURCE.c.id.in_(ids))):
        files.setdefault(row.dataset_id, []).append(row)
    sightings: dict[int, list[Any]] = {}
    for seen in connection.execute(_SIGHTINGS.where(SIGHTING.c.resource_id.in_(ids))):
        sightings.setdefault(seen.resource_id, []).append(seen)
    # Hits have much text in common: publishers, places, columns, titles of pages.
    tokens_of = cache(_tokens_of)
    found = (
        _matches(asked, hit, files.get(hit.dataset_id, []), sightings, tokens_of) for hit in hits
    )
    return tuple(
        hit.model_copy(update={"matches": tuple(matches)})
        for hit, matches in zip(hits, found, strict=True)
    )


def _matches(
    asked: Question,
    hit: SearchHit,
    files: Sequence[Any],
    sightings: dict[int, list[Any]],
    tokens_of: Callable[[str, str], frozenset[str]],
) -> Iterator[Match]:
    language = language_code(hit.language or hit.content_language.partition(",")[0])
    left = list(asked.groups)
    shown: set[tuple[MatchPlace, str]] = set()
    for where, text in _texts(hit, files, sightings):
        if not left:
            return
        tokens = tokens_of(text, language)
        said = [group for group in left if group.is_in(tokens, TITLES)]
        if said:
            left = [group for group in left if group not in said]
            cut = text if len(text) <= _MAX_SHOWN else f"{text[: _MAX_SHOWN - 1].rstrip()}…"
            if (where, cut) not in shown:
                shown.add((where, cut))
                yield Match(where=where, text=cut, words=tuple(group.text for group in said))
    covered = [group for group in left if _is_covered(group, hit)]
    if covered:
        words = tuple(group.text for group in covered)
        yield Match(where=MatchPlace.PERIOD, text=hit.period, words=words)


def _texts(
    hit: SearchHit, files: Sequence[Any], sightings: dict[int, list[Any]]
) -> Iterator[tuple[MatchPlace, str]]:
    """The texts of a dataset, those that say most about it first."""
    links = [seen for file in files for seen in sightings.get(file.id, [])][:_MAX_LINKS]
    yield MatchPlace.TITLE, hit.title
    yield from ((MatchPlace.LINK, seen.anchor) for seen in links)
    yield from ((MatchPlace.FILE_NAME, file.file_name) for file in files)
    for where, name in (
        (MatchPlace.COLUMN, "column_names"),
        (MatchPlace.PLACE, "places"),
        (MatchPlace.VALUE, "dimension_values"),
    ):
        for file in files:
            listed = getattr(file, name)
            texts = listed[:_MAX_TEXTS] if isinstance(listed, list) else ()
            yield from ((where, text) for text in texts if isinstance(text, str))
    yield MatchPlace.PAGE, hit.page_title
    yield from ((MatchPlace.PAGE, seen.page_title) for seen in links)
    yield from ((MatchPlace.HEADING, seen.headings) for seen in links)
    yield MatchPlace.PUBLISHER, hit.publisher
    yield MatchPlace.SITE, hit.site
    yield MatchPlace.ADDRESS, hit.page_url
    yield from ((MatchPlace.ADDRESS, file.url) for file in files)


def _tokens_of(text: str, language: str) -> frozenset[str]:
    words = words_of([text], 100)
    languages = dict.fromkeys((language, DEFAULT_LANGUAGE))
    stems = (f"{TITLES}{stem(word, each)}" for each in languages for word in words)
    pairs = map(pair_token, pairs_of([text], 100))
    return frozenset([*stems, *map(word_token, words), *pairs])


def _is_covered(group: Group, hit: SearchHit) -> bool:
    years = years_between(hit.period_start or "", hit.period_end or "")
    return years is not None and group.text.isdecimal() and years[0] <= int(group.text) <= years[1]
