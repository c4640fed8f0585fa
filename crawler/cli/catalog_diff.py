"""`tallyho catalog diff`: what a version of a file says otherwise than an older one."""

from collections.abc import Iterator
from typing import Annotated

import typer

from crawler.catalog.facade import open_catalog
from crawler.cli.options import Id, Json
from crawler.cli.output import cell_text, clean, count, print_json, print_table
from crawler.differences.records import FileDifference, TableDifference
from crawler.pipeline.validate.comparing import Comparer

EPILOG = """\b
Examples:
  tallyho catalog diff 38                    the newest version against the one before it
  tallyho catalog diff 38 --from 1 --to 4
  tallyho catalog diff 38 --json | jq .summary
"""
_SHOWN = 20


def diff(
    file_id: Id,
    from_version: Annotated[
        int | None, typer.Option("--from", help="The older version; the one before by default.")
    ] = None,
    to_version: Annotated[
        int | None, typer.Option("--to", help="The newer version; the newest by default.")
    ] = None,
    rows: Annotated[
        int, typer.Option(min=0, help="Rows and cells of each kind that are printed.")
    ] = _SHOWN,
    as_json: Json = False,
) -> None:
    """Compare two versions of a file.

    Prints which columns, rows and figures the newer one has otherwise.
    """
    with open_catalog() as catalog, Comparer(catalog.store) as comparer:
        pair = catalog.versions_to_compare(file_id, from_version, to_version)
        found = pair.compared(comparer.compare(pair.old, pair.new, pair.url))
    if as_json:
        print_json(found)
    else:
        _print(found, rows)


def _print(found: FileDifference, rows: int) -> None:
    typer.echo(f"version {found.from_version} to {found.to_version}: {clean(found.summary)}")
    for what, names in (("added", found.tables_added), ("gone", found.tables_gone)):
        for name in names:
            typer.echo(f"table {what}: {clean(name)}")
    for table in found.tables:
        if not table.is_same:
            _print_table(table, rows)


def _print_table(table: TableDifference, rows: int) -> None:
    title = f"table {clean(table.table)}, rows" if table.table else "rows"
    typer.echo(f"\n{title} recognised by {clean(', '.join(table.key))}")
    for line in _column_lines(table):
        typer.echo(line)
    if table.revised and rows:
        typer.echo(f"\n{count(table.cells_revised, 'cell')} revised")
        print_table(
            (*table.key, "column", "old", "new"),
            [
                (
                    *map(cell_text, cell.key.values()),
                    cell.column,
                    cell_text(cell.old),
                    cell_text(cell.new),
                )
                for cell in table.revised[:rows]
            ],
        )
    for what, total, some in (
        ("added", table.rows_added, table.added),
        ("gone", table.rows_gone, table.gone),
    ):
        if some and rows:
            typer.echo(f"\n{count(total, 'row')} {what}")
            print_table(
                tuple(some[0]), [tuple(map(cell_text, row.values())) for row in some[:rows]]
            )


def _column_lines(table: TableDifference) -> Iterator[str]:
    for what, names in (("added", table.columns_added), ("gone", table.columns_gone)):
        for name in names:
            yield f"column {what}: {clean(name)}"
    for column in table.columns_renamed:
        yield f"column renamed: {clean(column.old)} -> {clean(column.new)}"
