"""`tallyho sql`: one SELECT over the tables in acquired files, and over the catalog."""

import sys
from typing import Annotated

import typer

from crawler.catalog.facade import open_catalog
from crawler.cli.options import Json
from crawler.cli.output import cell_text, clean, print_json_list, print_table

EPILOG = """\b
Examples:
  tallyho sql "select * from file(38) limit 5"
  tallyho sql "select region, sum(births) from file(38) group by region" --csv
  tallyho sql "select * from file(38) join file(41) using (region, year)" --json
  tallyho sql "select * from file(38, version := 1, part := '2024')"
  tallyho sql "select site, count(*) from files group by site"

\b
A file is a table: file(ID), with `version` an older one, with `part` another of its tables.
The catalog's views are files, datasets and new_since. The dialect is DuckDB's.
A query reads, and writes nothing.
Exit codes: 0 answered, 2 the query is wrong or not allowed, 7 a file is no table.
"""


def sql(
    query: Annotated[str, typer.Argument(help="One SELECT; - reads it from standard input.")],
    as_csv: Annotated[bool, typer.Option("--csv", help="Print all rows as CSV.")] = False,
    as_json: Json = False,
    rows: Annotated[int, typer.Option(min=1, help="Rows that are printed as a table.")] = 50,
) -> None:
    """Answer a SELECT over acquired files and the catalog."""
    if as_csv and as_json:
        raise typer.BadParameter("choose --csv or --json")
    with open_catalog() as catalog:
        answer = catalog.sql(sys.stdin.read() if query == "-" else query)
    if as_csv:
        answer.to_csv(sys.stdout, index=False)
        return
    texts = answer.astype(object).where(answer.notna(), None)
    if as_json:
        print_json_list(texts.to_dict("records"))
        return
    shown = [[cell_text(value) for value in row] for row in texts.head(rows).to_numpy().tolist()]
    print_table([clean(str(name)) for name in answer.columns], shown)
    if len(answer) > rows:
        typer.echo(f"{len(answer) - rows:,} more rows: --rows, --csv or --json", err=True)
