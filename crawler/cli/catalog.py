"""`tallyho catalog`: find files, know where they came from, and get them."""

import csv
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from crawler.cli import catalog_upkeep
from crawler.cli.output import (
    clean,
    print_error,
    print_json,
    print_json_list,
    print_pairs,
    print_table,
    size_text,
)
from crawler.cli.verdict import print_columns, profile_facts, reason_facts, verdict_line
from crawler.errors import ExitCode

if TYPE_CHECKING:
    from datetime import datetime

    from crawler.catalog.facade import Catalog
    from crawler.catalog.read.records import FileDetail, SearchHit, Version
    from crawler.catalog.search.search import SearchResult

app = typer.Typer(
    help="Find acquired files, their history and their origin, and get them.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Json = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]
Id = Annotated[int, typer.Argument(metavar="ID", help="The number that search prints.")]

SEARCH_EPILOG = """\b
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
SHOW_EPILOG = """\b
Examples:
  tallyho catalog show 17
  tallyho catalog show 17 --json | jq .citation
"""
GET_EPILOG = """\b
Examples:
  tallyho catalog get 17
  tallyho catalog get 17 -o births.csv
  tallyho catalog get 17 --version 1 -o - | head
"""
HISTORY_EPILOG = """\b
Examples:
  tallyho catalog history 17
  tallyho catalog history 17 --json | jq '.items[0].sha256'
"""
EXPORT_EPILOG = """\b
Examples:
  tallyho catalog export --format parquet -o catalog.parquet
  tallyho catalog export --format csv | head
  tallyho catalog export --format dcat -o catalog.jsonld

\b
csv and parquet have a row per file with its latest version; dcat is DCAT-AP 3 as JSON-LD.
"""
CSV_COLUMNS = (
    "id site title format bytes verdict first_seen last_seen gone_since url sha256 page_url "
    "publisher licence published_at"
)


@app.command(epilog=SEARCH_EPILOG)
def search(
    words: Annotated[
        list[str] | None, typer.Argument(metavar="WORDS", help="All of them must be found.")
    ] = None,
    site: Annotated[str | None, typer.Option(help="Only this site.")] = None,
    file_format: Annotated[
        str | None, typer.Option("--format", help="csv, excel, ods, json, sdmx, pdf, ...")
    ] = None,
    valid: Annotated[bool, typer.Option("--valid", help="Only files found valid.")] = False,
    since: Annotated[
        str | None, typer.Option(help="New or changed since: 12h, 7d, 4w, or 2026-11-01.")
    ] = None,
    limit: Annotated[int, typer.Option(min=0, help="Datasets to print.")] = 20,
    offset: Annotated[int, typer.Option(min=0, help="Datasets to leave out first.")] = 0,
    as_json: Json = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV.")] = False,
) -> None:
    """Search the catalog; without words, list it."""
    if as_json and as_csv:
        raise typer.BadParameter("choose --json or --csv")
    with opened() as catalog:
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


@app.command(epilog=SHOW_EPILOG)
def show(file_id: Id, as_json: Json = False) -> None:
    """Print all that is known about a file."""
    with opened() as catalog:
        file = catalog.show(file_id)
    if as_json:
        print_json(file)
    else:
        print_pairs(_facts(file))
        if file.check is not None:
            print_columns(file.check.profile)


@app.command(epilog=HISTORY_EPILOG)
def history(file_id: Id, as_json: Json = False) -> None:
    """List the versions of a file, the newest first."""
    with opened() as catalog:
        versions = catalog.history(file_id)
    if as_json:
        print_json_list(versions)
    else:
        columns = ("version", "fetched", "bytes", "change", "verdict", "sha256")
        print_table(columns, map(_version_row, versions))


@app.command(epilog=GET_EPILOG)
def get(
    file_id: Id,
    output: Annotated[
        str | None, typer.Option("-o", "--output", help="A path; - is standard output.")
    ] = None,
    version: Annotated[int | None, typer.Option(help="The newest by default.")] = None,
) -> None:
    """Download a file from the store."""
    import shutil

    with opened() as catalog:
        if output == "-":
            with catalog.open(file_id, version) as stream:
                shutil.copyfileobj(stream, sys.stdout.buffer)
                sys.stdout.buffer.flush()
            return
        path = Path(output) if output is not None else _free_name(catalog.show(file_id))
        saved = catalog.get(file_id, path, version)
    typer.echo(clean(saved))


@app.command(epilog=EXPORT_EPILOG)
def export(
    form: Annotated[str, typer.Option("--format", help="parquet, csv or dcat.")],
    output: Annotated[
        str, typer.Option("-o", "--output", help="A path; - is standard output.")
    ] = "-",
) -> None:
    """Write the whole catalog as one file."""
    from crawler.catalog.export.export import ExportFormat
    from crawler.catalog.export.export import export as write

    try:
        chosen = ExportFormat(form)
    except ValueError:
        raise typer.BadParameter(
            f"'{form}' is not parquet, csv or dcat", param_hint="--format"
        ) from None
    with opened() as catalog, catalog.database.reading() as session:
        if output == "-":
            write(session, sys.stdout.buffer, chosen)
            sys.stdout.buffer.flush()
            return
        path = Path(output)
        partial = path.with_name(f".{path.name}.part")
        try:
            with partial.open("wb") as file:
                write(session, file, chosen)
            partial.replace(path)
        except OSError as error:
            print_error(f"{path}: {error.strerror or error}")
            raise typer.Exit(int(ExitCode.STORAGE)) from None
        finally:
            partial.unlink(missing_ok=True)


@contextmanager
def opened() -> "Iterator[Catalog]":
    """The catalog of the settings."""
    from crawler.catalog import open_catalog

    with open_catalog() as catalog:
        yield catalog


def _print_hits(result: "SearchResult") -> None:
    columns = ("id", "title", "site", "format", "bytes", "verdict", "last seen")
    print_table(columns, map(_row, result))
    first, last = result.offset + 1, result.offset + len(result)
    more = "more than " if result.more else ""
    typer.echo(f"\n{f'{first}-{last}' if len(result) else 'none'} of {more}{result.total:,}")


def _row(hit: "SearchHit") -> tuple[object, ...]:
    formats = list(dict.fromkeys(file.format for file in hit.files))
    title = hit.title if hit.gone_since is None else f"{hit.title} (gone)"
    verdict = hit.verdict or "-"
    size = size_text(hit.bytes)
    return hit.id, title, hit.site, ", ".join(formats), size, verdict, _day(hit.last_seen)


def _print_csv(result: "SearchResult") -> None:
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


def _facts(file: "FileDetail") -> Iterator[tuple[str, object]]:
    for name in ("id", "title", "site", "url", "format"):
        yield name, getattr(file, name)
    if file.removed_at is not None:
        yield "removed", f"{_day(file.removed_at)}: {file.removal_reason}"
    yield "bytes", size_text(file.bytes)
    yield "sha256", file.sha256
    yield "version", f"{file.version}, fetched {_day(file.fetched_at)}"
    gone = f", gone since {_day(file.gone_since)}" if file.gone_since else ""
    yield "seen", f"{_day(file.first_seen)} to {_day(file.last_seen)}{gone}"
    if file.check is not None:
        check = file.check
        yield "verdict", verdict_line(check.verdict, check.kind, check.rows, check.columns)
        yield from reason_facts(check.reasons)
        yield from profile_facts(check.profile)
    for title, value in file.facts():
        yield title.lower(), value if isinstance(value, str) else _day(value)
    for sighting in file.sightings:
        yield "on page", f'{sighting.page_url}  "{sighting.anchor}"'
    yield "dataset", f"{file.dataset_id}  {file.dataset_title}"
    for sibling in file.files:
        if sibling.id != file.id:
            yield "also as", f"{sibling.id}  {sibling.format}  {sibling.url}"
    yield "cite as", file.citation


def _version_row(version: "Version") -> tuple[object, ...]:
    change = "" if version.change is None else f"{version.change:+,}"
    verdict = version.verdict or "-" if version.available else "bytes removed"
    fetched = f"{version.fetched_at:%Y-%m-%d %H:%M}"
    return version.number, fetched, f"{version.bytes:,}", change, verdict, version.sha256


def _free_name(file: "FileDetail") -> Path:
    """A file of this folder, named as on the site; nothing of the name leads elsewhere."""
    last = file.file_name.replace("\\", "/").rpartition("/")[2]
    name = "".join(mark for mark in last if mark.isprintable() and mark not in '<>:"|?*')
    name = name.strip(" .")[-150:] or f"file-{file.id}"
    path = Path(name)
    if path.exists():
        raise typer.BadParameter(f"{clean(name)} is there already; choose a path with -o")
    return path


def _day(moment: "datetime") -> str:
    return f"{moment:%Y-%m-%d}"


catalog_upkeep.add_to(app)
