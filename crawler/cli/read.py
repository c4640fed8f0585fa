"""`tallyho read`: a file of this disk as a table, read as the catalog would read it."""

import datetime
import math
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import pandas as pd
import typer

from crawler.cli.output import clean, count, print_json, print_pairs, print_table
from crawler.cli.verdict import ledger_line
from crawler.readers.choosing import parts_of
from crawler.readers.reading import Reading, read_file
from crawler.validation.columns import describe_column

EPILOG = """\b
Examples:
  tallyho read births.xlsx                     what is in it, and its first rows
  tallyho read births.xlsx --table 2023        another table: by name, or by place from 0
  tallyho read births.xlsx --table all --csv   all sheets of the same shape as one table
  tallyho read births.csv --json               header, rows, first, last, types and ledger
  tallyho read births.csv --raw --csv          the values as they are written

\b
Exit codes: 0 read, 2 wrong usage, 7 there is no table in it, or no such table.
"""

_MAX_ROWS = 5
_MAX_COLUMNS = 8
_MAX_DROPPED = 20


def read(
    file: Annotated[Path, typer.Argument(help="The file, of any kind that is known.")],
    table: Annotated[
        str | None,
        typer.Option(help="Which table: its name, its place from 0, or 'all' of the same shape."),
    ] = None,
    raw: Annotated[bool, typer.Option("--raw", help="Values as they are written.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print the whole table as CSV.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was read as JSON.")] = False,
) -> None:
    """Read a file as a table, and show how it was read."""
    if not file.is_file():
        raise typer.BadParameter(f"{file} is not a file", param_hint="FILE")
    if as_csv and as_json:
        raise typer.BadParameter("choose --csv or --json")
    with file.open("rb") as stream:
        reading = read_file(stream, name=file.name, table=table, raw=raw)
    if as_csv:
        typer.echo(reading.table.frame.to_csv(index=False), nl=False)
    elif as_json:
        print_json(_as_json(reading))
    else:
        _print(reading)


def _as_json(reading: Reading) -> dict[str, object]:
    table, tables = reading.table, reading.content.tables
    own = table.own_columns
    flags = table.frame.iloc[:, own.shape[1] :]
    return {
        "kind": reading.content.kind.value,
        "table": table.name,
        "tables": [
            {
                "name": one.name,
                "rows": one.rows,
                "columns": one.frame.shape[1] - one.flag_columns,
                "hidden": one.hidden,
                "aside": one.aside,
            }
            for one in tables
        ],
        "same_shape": [one.name for one in parts_of(tables, tables[0])],
        "header": [str(name) for name in own.columns],
        "levels": [list(line) for line in table.levels],
        "rows": table.rows,
        "first": _row(own, 0),
        "last": _row(own, -1),
        "types": _types(own),
        "flags": {str(name): int(flags[name].notna().sum()) for name in flags.columns},
        "ledger": asdict(table.ledger),
        "dropped": [asdict(line) for line in table.dropped],
        "confidence": table.confidence.value,
        "assumed": list(table.assumed),
    }


def _types(frame: "pd.DataFrame") -> list[str]:
    types: list[str] = []
    for place in range(frame.shape[1]):
        column = frame.iloc[:, place]
        kind = describe_column(column, str(frame.columns[place]), place).profile.type.value
        # Texts that look like numbers here and there are texts all the same.
        types.append("text" if kind == "mixed" and str(column.dtype) == "str" else kind)
    return types


def _row(frame: "pd.DataFrame", place: int) -> list[object]:
    return [_cell(value) for value in frame.iloc[place].tolist()] if len(frame) else []


def _cell(value: Any) -> object:
    """A value as JSON has it; dates and periods as texts."""
    if value is None or value is pd.NaT or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, datetime.datetime):
        return value.isoformat().removesuffix("T00:00:00")
    return value.item() if hasattr(value, "item") else str(value)


def _print(reading: Reading) -> None:
    table, tables = reading.table, reading.content.tables
    others = [one.name or "the only one" for one in tables if one is not table]
    facts = [
        ("file", f"{reading.content.kind.value}, {count(len(tables), 'table')}"),
        ("table", f"{table.name or 'the only one'}: {count(table.rows, 'row')}, "
                  f"{count(table.own_columns.shape[1], 'column')}, {table.confidence.value}"),
        ("rows", ledger_line(table.ledger)),
        *(("other table", name) for name in others[:_MAX_DROPPED]),
        *(("assumed", said) for said in table.assumed[:_MAX_DROPPED]),
        *(("dropped", f"{line.row}: {line.taken_for}: {line.text}")
          for line in table.dropped[:_MAX_DROPPED]),
    ]  # fmt: skip
    print_pairs(facts)
    typer.echo()
    own = table.own_columns
    print_table(("column", "type"), zip(map(str, own.columns), _types(own), strict=True))
    typer.echo()
    shown = own.iloc[:_MAX_ROWS, :_MAX_COLUMNS]
    rows = [["" if cell is None else str(cell)[:40] for cell in _row(shown, at)]
            for at in range(len(shown))]  # fmt: skip
    print_table([clean(str(name))[:40] for name in shown.columns], rows)
