"""`tallyho catalog export`: the whole catalog as one file."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from crawler.catalog.export.export import ExportFormat
from crawler.catalog.export.export import export as write
from crawler.catalog.facade import open_catalog
from crawler.cli.output import print_error
from crawler.errors import ExitCode

EPILOG = """\b
Examples:
  tallyho catalog export --format parquet -o catalog.parquet
  tallyho catalog export --format csv | head
  tallyho catalog export --format dcat -o catalog.jsonld

\b
csv and parquet have a row per file with its latest version; dcat is DCAT-AP 3 as JSON-LD.
"""


def export(
    form: Annotated[str, typer.Option("--format", help="parquet, csv or dcat.")],
    output: Annotated[
        str, typer.Option("-o", "--output", help="A path; - is standard output.")
    ] = "-",
) -> None:
    """Write the whole catalog as one file."""
    try:
        chosen = ExportFormat(form)
    except ValueError:
        raise typer.BadParameter(
            f"'{form}' is not parquet, csv or dcat", param_hint="--format"
        ) from None
    with open_catalog() as catalog, catalog.database.reading() as session:
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
