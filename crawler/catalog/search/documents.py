"""Search documents: what a dataset can be found by, rebuilt whenever it changes.

A token is a digit and a word. The digit says how good a place the word was found in: `1` the title,
`2` also link texts and file names, `3` also page titles and column names. A word of the title is in
all three, so a question about one tier looks up one list. Tokens with `0` are the filters, among
them those that a question names in words: `language:fr`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from typing import Any

from sqlalchemy import Connection, bindparam, delete, select, text
from sqlalchemy.orm import Session

from crawler.catalog.db.models import DATASET, RESOURCE, SIGHTING, VERDICT, VERSION, UtcDateTime
from crawler.catalog.db.search_schema import search_document
from crawler.catalog.search.words import words_of

UNCHECKED = "unchecked"
"""Stands for the verdict of a file that validation has not seen."""
NOT_VALID = "notvalid"
"""Stands for every verdict but `valid`."""

# Bounds: a page of ten thousand links of one title must not make every ingest read them all.
_MAX_FILES = 200
_MAX_LINKS = 400
_MAX_TITLE_WORDS = 100
_MAX_WORDS = 600

# Locked where the database can: of two writers the second sees what the first has written.
_DATASET = select(
    DATASET.c.site_id, DATASET.c.title, DATASET.c.page_title, DATASET.c.language
).with_for_update()
_FILES = (
    select(
        RESOURCE.c.id,
        RESOURCE.c.title,
        RESOURCE.c.file_name,
        RESOURCE.c.format,
        VERSION.c.fetched_at,
        VERSION.c.content_language,
        VERDICT.c.verdict,
        VERDICT.c.column_names,
    )
    .join(VERSION, VERSION.c.id == RESOURCE.c.latest_version_id)
    .outerjoin(VERDICT, VERDICT.c.version_id == VERSION.c.id)
    .where(RESOURCE.c.removed_at.is_(None))
    .order_by(VERSION.c.fetched_at.desc(), RESOURCE.c.id.desc())
    .limit(_MAX_FILES)
)
_SIGHTINGS = select(SIGHTING.c.anchor, SIGHTING.c.page_title).limit(_MAX_LINKS)
_KNOWN = select(search_document.c.tokens, search_document.c.facets, search_document.c.changed_at)
_STORE = text("""
INSERT INTO search_document (dataset_id, changed_at, facets, tokens)
VALUES (:dataset_id, :changed_at, :facets, :tokens)
ON CONFLICT (dataset_id) DO UPDATE
SET changed_at = excluded.changed_at, facets = excluded.facets, tokens = excluded.tokens
""").bindparams(bindparam("changed_at", type_=UtcDateTime()))


@dataclass(frozen=True, slots=True)
class Document:
    """What is stored for a dataset."""

    changed_at: datetime
    facets: str
    tokens: str


def update_document(session: Session, dataset_id: int) -> None:
    """Rebuilds the search document of a dataset; one without files is not found any more."""
    connection = session.connection()
    session.flush()
    document = build_document(connection, dataset_id)
    known = connection.execute(_KNOWN.where(search_document.c.dataset_id == dataset_id)).first()
    if document is None:
        if known is not None:
            connection.execute(
                delete(search_document).where(search_document.c.dataset_id == dataset_id)
            )
        return
    if known is None or tuple(known) != (document.tokens, document.facets, document.changed_at):
        connection.execute(
            _STORE,
            {
                "dataset_id": dataset_id,
                "changed_at": document.changed_at,
                "facets": document.facets,
                "tokens": document.tokens,
            },
        )


def build_document(connection: Connection, dataset_id: int) -> Document | None:
    """The search document of a dataset, read from the tables; None without files."""
    dataset = connection.execute(_DATASET.where(DATASET.c.id == dataset_id)).first()
    files = connection.execute(_FILES.where(RESOURCE.c.dataset_id == dataset_id)).all()
    if dataset is None or not files:
        return None
    ids = [file.id for file in files]
    sightings = connection.execute(_SIGHTINGS.where(SIGHTING.c.resource_id.in_(ids))).all()
    return compose(dataset, files, sightings)


def compose(dataset: Any, files: Sequence[Any], sightings: Sequence[Any]) -> Document:
    """The search document of a dataset, from the rows of its files and sightings."""
    titles = words_of(chain([dataset.title], (file.title for file in files)), _MAX_TITLE_WORDS)
    names = words_of(
        chain((file.file_name for file in files), (seen.anchor for seen in sightings)),
        _MAX_WORDS,
    )
    others = words_of(
        chain(
            [dataset.page_title],
            (seen.page_title for seen in sightings),
        ),
        _MAX_WORDS,
    )
    # Counted on their own: no number of pages may push a column out of the search.
    columns = words_of(
        chain.from_iterable(_column_names(file.column_names) for file in files), _MAX_WORDS
    )
    changed_at = max(file.fetched_at for file in files)
    filters = _filters(dataset.site_id, files)
    return Document(
        changed_at=changed_at,
        facets=" ".join(_facets(dataset.site_id, files)),
        tokens=" ".join(
            chain(
                filters,
                _languages(dataset, files),
                day_tokens(changed_at),
                tier_tokens(titles, names, [*others, *columns]),
            )
        ),
    )


def tier_tokens(
    titles: Sequence[str], names: Sequence[str], others: Sequence[str]
) -> Iterator[str]:
    """The tokens of words by the places they were found in."""
    known: dict[str, None] = {}
    for tier, words in enumerate((titles, names, others), start=1):
        known.update(dict.fromkeys(words))
        yield from (f"{tier}{word}" for word in known)


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


def named_token(name: str, value: str) -> str | None:
    """The token of a filter that a question names in words; None when there is no such name."""
    return _language_token(value) if name == "language" else None


def _language_token(tag: str) -> str:
    return f"0l{_plain(tag)}"


def _languages(dataset: Any, files: Sequence[Any]) -> list[str]:
    """The languages of its page and files; `en-GB` is found as `en` and as `en-GB`."""
    headers = (file.content_language.split(",") for file in files)
    tags = [dataset.language, *(tag.strip() for tag in chain.from_iterable(headers))]
    spellings = {part for tag in tags if tag for part in (tag, tag.partition("-")[0])}
    return sorted({_language_token(spelling) for spelling in spellings})


def _filters(site_id: int, files: Sequence[Any]) -> list[str]:
    tokens: dict[str, None] = {}
    for file in files:
        verdict = file.verdict or UNCHECKED
        verdicts = [verdict] if verdict in ("valid", UNCHECKED) else [verdict, NOT_VALID]
        tokens[file_token(file.format, None)] = None
        for name in verdicts:
            tokens[file_token(None, name)] = None
            tokens[file_token(file.format, name)] = None
    return [site_token(site_id), *sorted(tokens)]


def _facets(site_id: int, files: Sequence[Any]) -> list[str]:
    formats = {f"f{''.join(file.format.split())}" for file in files}
    verdicts = {f"v{file.verdict or UNCHECKED}" for file in files}
    return [f"s{site_id}", *sorted(formats), *sorted(verdicts)]


def _column_names(names: Any) -> list[str]:
    return [str(name)[:200] for name in names[:1000]] if isinstance(names, list) else []


def _plain(name: str) -> str:
    return "".join(mark for mark in name.lower() if mark.isascii() and mark.isalnum())
