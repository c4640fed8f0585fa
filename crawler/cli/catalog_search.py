"""`tallyho catalog search`: find acquired files by words."""

import csv
import sys
from typing import Annotated

import typer

from crawler.catalog.facade import open_catalog
from crawler.catalog.read.records import SearchHit
from crawler.catalog.search.search import SearchResult
from crawler.cli.output import clean, day, print_json, print_table, size_text

EPILOG = """\b
Examples:
  tallyho catalog search births
  tallyho catalog search "births region" --format csv --valid
  tallyho catalog search --site demo --since 7d
  tallyho catalog search births --json | jq -r '.items[].url'

\b
Every word must begin a word of the title, a link text, a file name, a page title or a
column name; case and accents do not matter. language:fr finds what is in French. Without
words everything is listed, the newest first. The id is that of a dataset's best file.
"""
CSV_COLUMNS = (
    "id site title format bytes verdict first_seen last_seen gone_since url sha256 page_url "
    "publisher licence published_at"
)


def search(
    words: Annotated[
        list[str] | None, typer.Argument(metavar="WORDS", help="All of them must match.")
    ] = None,
    site: Annotated[str | None, typer.Option(help="Only this site.")] = None,
    file_format: Annotated[
        str | None, typer.Option("--format", help="csv, excel, ods, json, sdmx, pdf, ...")
    ] = None,
    valid: Annotated[
        bool, typer.Option("--valid", help="Only files with the verdict valid.")
    ] = False,
    since: Annotated[
        str | None, typer.Option(help="New or changed since: 12h, 7d, 4w, or 2026-11-01.")
    ] = None,
    limit: Annotated[int, typer.Option(min=0, help="Datasets to print.")] = 20,
    offset: Annotated[int, typer.Option(min=0, help="Datasets to leave out first.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
) -> None:
    """Search the catalog; without words, list it."""
    if as_json and as_csv:
        raise typer.BadParameter("choose --json or --csv")
    with open_catalog() as catalog:
        try:
            result = catalog.search(
                " ".join(words or ()),
                site=site,
                format=file_format,
                valid=True if valid else None,
                since=since,
                limit=limit,
                offset=offset,
            )
        except ValueError as error:
            raise typer.BadParameter(str(error), param_hint="--since") from None
    if as_json:
        print_json(result)
    elif as_csv:
        _print_csv(result)
    else:
        _print_hits(result)


def _print_hits(result: SearchResult) -> None:
    columns = ("id", "title", "site", "format", "bytes", "verdict", "last seen")
    print_table(columns, map(_row, result))
    first, last = result.offset + 1, result.offset + len(result)
    more = "more than " if result.more else ""
    typer.echo(f"\n{f'{first}-{last}' if len(result) else 'none'} of {more}{result.total:,}")


def _row(hit: SearchHit) -> tuple[object, ...]:
    formats = list(dict.fromkeys(file.format for file in hit.files))
    title = hit.title if hit.gone_since is None else f"{hit.title} (gone)"
    verdict = hit.verdict or "-"
    size = size_text(hit.bytes)
    return hit.id, title, hit.site, ", ".join(formats), size, verdict, day(hit.last_seen)


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
