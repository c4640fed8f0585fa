"""`tallyho catalog cite | lookup`: how to cite a file, and which file an address or a hash is."""

from typing import Annotated

import typer

from crawler.catalog.facade import open_catalog
from crawler.catalog.read.citation import CitationFormat
from crawler.cli.catalog_file import AsOf
from crawler.cli.options import Id, Json, reported_as_usage
from crawler.cli.output import clean, print_json, print_table

CITE_EPILOG = """\b
Examples:
  tallyho catalog cite 17
  tallyho catalog cite 17 --format bibtex >> sources.bib
  tallyho catalog cite 17 --format ris --version 1

\b
The year is that of the publication as the page says; else that of the Last-Modified header,
and then the citation says so.
"""
LOOKUP_EPILOG = """\b
Examples:
  tallyho catalog lookup https://stats.example/files/births-2025.csv
  tallyho catalog lookup $(sha256sum births.csv)
  tallyho catalog lookup 9f86d081884c7d65 --json | jq '.items[].id'
"""


def cite(
    file_id: Id,
    form: Annotated[
        CitationFormat, typer.Option("--format", help="How it is written.")
    ] = CitationFormat.TEXT,
    version: Annotated[int | None, typer.Option(help="The newest by default.")] = None,
    as_of: AsOf = None,
) -> None:
    """Print a citation of a file: who, when, what, where, and exactly which bytes."""
    with open_catalog() as catalog:
        citation = catalog.cite(file_id, form, version, as_of=as_of)
    for line in citation.splitlines():
        typer.echo(clean(line))


def lookup(
    address: Annotated[
        list[str],
        typer.Argument(metavar="URL|SHA256", help="A whole address, or a hash or its beginning."),
    ],
    as_json: Json = False,
) -> None:
    """Find files by their address, or by the SHA-256 of one of their versions.

    The output of sha256sum can be given as it is. Exit code 2 when the catalog has no such file.
    """
    with open_catalog() as catalog, reported_as_usage():
        found = catalog.lookup(address[0])
    if as_json:
        print_json(found)
    elif found.items:
        rows = [
            (file.id, file.site, ", ".join(map(str, file.matching_versions)), file.title, file.url)
            for file in found.items
        ]
        print_table(("id", "site", "versions", "title", "url"), rows)
        if found.more:
            typer.echo("... and more")
    else:
        typer.echo("The catalog has no such file.", err=True)
    if not found.items:
        raise typer.Exit(2)
