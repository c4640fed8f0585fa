"""`tallyho catalog search`: find acquired files by words."""

import csv
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Annotated
from urllib.parse import urlsplit

import typer

from crawler.catalog.db.news_tables import What
from crawler.catalog.facade import open_catalog
from crawler.catalog.read.records import SearchHit
from crawler.catalog.search.result import SearchResult
from crawler.cli.catalog_file import AsOf
from crawler.cli.options import (
    Format,
    Json,
    Language,
    Period,
    Place,
    Publisher,
    SiteName,
    Valid,
    Words,
    reported_as_usage,
)
from crawler.cli.output import clean, day, print_json, print_records

EPILOG = """\b
Examples:
  tallyho catalog search births
  tallyho catalog search "how many births were there in Corsica in 2019"
  tallyho catalog search '"consumer prices" OR inflation -monthly' --format csv --valid
  tallyho catalog search --site demo --since 7d --what changed
  tallyho catalog search births --period 2015-2019 --place Corsica
  tallyho catalog search https://stats.example/files/births-2025.csv
  tallyho catalog search births --as-of 2026-11-01
  tallyho catalog search births --json | jq -r '.items[].url'

\b
Plurals, synonyms (GDP, PIB, BIP) and spelling mistakes are understood. Searched are titles,
link texts, file names, columns, the periods and places of the tables, values, page
titles, publishers, sites, addresses and SHA-256. Without words everything is listed,
the newest first. The id is that of a dataset's best file. `what` says what happened last:
it is new, changed or gone. See docs/search.md; `tallyho catalog news` has each time.
"""
CSV_COLUMNS = (
    "id site title format bytes verdict first_seen last_seen gone_since url sha256 page_url "
    "publisher licence published_at what"
)


def search(
    words: Words = None,
    site: SiteName = None,
    file_format: Format = None,
    valid: Valid = False,
    language: Language = None,
    period: Period = None,
    place: Place = None,
    publisher: Publisher = None,
    what: Annotated[
        What | None, typer.Option(help="What happened last: it is new, changed or gone.")
    ] = None,
    since: Annotated[
        str | None, typer.Option(help="New, changed or gone since: 12h, 7d, 4w, or 2026-11-01.")
    ] = None,
    as_of: AsOf = None,
    limit: Annotated[int, typer.Option(min=0, help="Datasets to print.")] = 20,
    offset: Annotated[int, typer.Option(min=0, help="Datasets to leave out first.")] = 0,
    as_json: Json = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
) -> None:
    """Search the catalog; without words, list it."""
    if as_json and as_csv:
        raise typer.BadParameter("choose --json or --csv")
    with open_catalog() as catalog, reported_as_usage():
        result = catalog.search(
            " ".join(words or ()),
            site=site,
            format=file_format,
            valid=True if valid else None,
            language=language,
            period=period,
            place=place,
            publisher=publisher,
            what=what and what.value,
            since=since,
            as_of=as_of,
            limit=limit,
            offset=offset,
        )
    if as_json:
        print_json(result)
    elif as_csv:
        _print_csv(result)
    else:
        _print_hits(result)


def _print_hits(result: SearchResult) -> None:
    for line in _understood(result):
        typer.echo(f"{line}\n")
    titles = Counter(hit.title for hit in result)
    print_records(
        result,
        {
            "id": lambda hit: hit.id,
            "title": lambda hit: _title(hit, alone=titles[hit.title] == 1),
            "site": lambda hit: hit.site,
            "format": lambda hit: ", ".join(dict.fromkeys(file.format for file in hit.files)),
            "rows": lambda hit: "-" if hit.rows is None else f"{hit.rows:,}",
            "period": lambda hit: hit.period or "-",
            "verdict": lambda hit: hit.verdict or "-",
            "last seen": lambda hit: day(hit.last_seen),
            "what": lambda hit: f"{hit.what} {day(hit.what_at)}",
            "found in": lambda hit: ", ".join(
                dict.fromkeys(match.where.replace("_", " ") for match in hit.matches)
            ),
        },
    )
    first, last = result.offset + 1, result.offset + len(result)
    more = "more than " if result.at_least else ""
    typer.echo(f"\n{f'{first}-{last}' if len(result) else 'none'} of {more}{result.total:,}")
    if result.suggestions:
        typer.echo(f"These find something: {', '.join(result.suggestions)}")


def _understood(result: SearchResult) -> Iterator[str]:
    if result.did_you_mean:
        yield f"Nothing is spelt like that here. These are for: {clean(result.did_you_mean)}"
    if result.partial:
        yield "No dataset has all of these words. Those with the most of them:"
    if result.indexing:
        yield "The search index is being made anew: `tallyho catalog reindex` finishes it."


def _title(hit: SearchHit, *, alone: bool) -> str:
    title = hit.title if hit.gone_since is None else f"{hit.title} (gone)"
    # Several of one title are told apart by where they are.
    return title if alone else f"{title} [{urlsplit(hit.page_url).path or hit.page_url}]"


def _print_csv(result: SearchResult) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    columns = CSV_COLUMNS.split()
    writer.writerow(columns)
    for hit in result:
        values = hit.model_dump(mode="json", include=set(columns))
        writer.writerow(_safe_cell(values[name]) for name in columns)


def _safe_cell(value: object) -> object:
    """Nothing that a spreadsheet would run as a formula, and no control characters."""
    if not isinstance(value, str):
        return "" if value is None else value
    text = clean(value)
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text
