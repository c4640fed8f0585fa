"""`tallyho catalog export`: the whole catalog as one file."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from crawler.catalog.export.export import ExportFormat
from crawler.catalog.export.export import export as write
from crawler.catalog.export.saved_copy import writing
from crawler.catalog.facade import open_catalog

EPILOG = """\b
Examples:
  tallyho catalog export --format parquet -o catalog.parquet
  tallyho catalog export --format csv | head
  tallyho catalog export --format dcat -o catalog.jsonld

\b
csv and parquet have a row per file with its latest version; dcat is DCAT-AP 3 as JSON-LD.
"""


def export(
    form: Annotated[ExportFormat, typer.Option("--format", help="What it is written as.")],
    output: Annotated[
        str, typer.Option("-o", "--output", help="A path; - is standard output.")
    ] = "-",
) -> None:
    """Write the whole catalog as one file."""
    with open_catalog() as catalog, catalog.database.reading() as session:
        if output == "-":
            write(session, sys.stdout.buffer, form)
            sys.stdout.buffer.flush()
            return
        with writing(Path(output)) as file:
            write(session, file, form)
