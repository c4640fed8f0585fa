"""`tallyho catalog package`: download what a search finds, as a Frictionless data package."""

from pathlib import Path
from typing import Annotated, cast

import typer

from crawler.catalog.export.data_package import DEFAULT_BYTES, DEFAULT_FILES, MAX_FILES
from crawler.catalog.facade import open_catalog
from crawler.catalog.read.records import FileDetail
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
from crawler.cli.output import clean, print_error, print_json, size_text
from crawler.config.sizes import parse_size
from crawler.errors import ExitCode

EPILOG = """\b
Examples:
  tallyho catalog package births --format csv -o births/
  tallyho catalog package --site demo --valid --limit 500 -o demo/
  tallyho catalog package births --as-of 2026-11-01 -o births-november/

\b
The folder gets data/ with the files and datapackage.json with their sizes, hashes, columns,
licences and sources (Frictionless). Interrupted, the same command goes on where it stopped.
Exit code 7 when some of the files could not be fetched; they are listed.
"""


def package(
    folder: Annotated[Path, typer.Option("-o", "--output", help="The folder of the package.")],
    words: Words = None,
    site: SiteName = None,
    file_format: Format = None,
    valid: Valid = False,
    language: Language = None,
    period: Period = None,
    place: Place = None,
    publisher: Publisher = None,
    since: Annotated[
        str | None, typer.Option(help="New or changed since: 12h, 7d, 4w, or 2026-11-01.")
    ] = None,
    as_of: AsOf = None,
    limit: Annotated[
        int, typer.Option(min=1, max=MAX_FILES, help="Files at most.")
    ] = DEFAULT_FILES,
    max_bytes: Annotated[
        str, typer.Option("--max-bytes", help="Bytes at most, such as 500 MB.")
    ] = f"{DEFAULT_BYTES // 1000**3} GB",
    all_files: Annotated[
        bool, typer.Option("--all-files", help="All files of each dataset, not only the best.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Download what a search finds, as a Frictionless data package."""

    def tell(file: FileDetail) -> None:
        if not as_json:
            typer.echo(clean(f"{file.id}  {size_text(file.bytes)}  {file.title}"))

    with open_catalog() as catalog, reported_as_usage():
        made = catalog.package(
            " ".join(words or ()),
            folder,
            limit=limit,
            max_bytes=cast(int, parse_size(max_bytes)),
            all_files=all_files,
            valid=True if valid else None,
            since=since,
            as_of=as_of,
            progress=tell,
            site=site,
            format=file_format,
            language=language,
            period=period,
            place=place,
            publisher=publisher,
        )
    if as_json:
        print_json(made)
    else:
        there = f", {made.already_there:,} of them there already" if made.already_there else ""
        typer.echo(clean(made.sentence))
        typer.echo(clean(f"{made.path}: {made.files:,} files, {size_text(made.bytes)}{there}"))
    for failed in made.unfetched:
        print_error(clean(f"file {failed.id}: {failed.why}"))
    if made.unfetched:
        raise typer.Exit(int(ExitCode.FAILURES))
