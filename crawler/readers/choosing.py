"""Which table of a file is wanted: the best one, one by its name, or all parts of one together."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from crawler.errors import NotATable
from crawler.readers.content import Table
from crawler.readers.ledger import Ledger
from crawler.readers.names import name_key

if TYPE_CHECKING:
    import pandas as pd

ALL_PARTS = "all"
"""The name by which all tables of the same shape as the best one are read together."""
PART = "part"
"""The column that says which table a row comes from."""
_MAX_LISTED = 20


def choose(tables: Sequence[Table], wanted: str | int | None) -> Table:
    """The table that is wanted, of at least one; NotATable lists them when there is no such."""
    if wanted is None:
        return tables[0]
    if isinstance(wanted, int):
        if 0 <= wanted < len(tables):
            return tables[wanted]
        raise NotATable(f"there is no table {wanted}, but {_listed(tables)}")
    named = [table for table in tables if table.name == wanted]
    named = named or [table for table in tables if name_key(table.name) == name_key(wanted)]
    if named:
        return named[0]
    if wanted == ALL_PARTS:
        return together(parts_of(tables, tables[0]))
    if wanted.isdecimal() and int(wanted) < len(tables):
        return tables[int(wanted)]
    raise NotATable(f"there is no table '{wanted[:60]}', but {_listed(tables)}")


def parts_of(tables: Sequence[Table], table: Table) -> list[Table]:
    """The tables with the same columns as this one: one sheet per year, one file per state."""
    names = _columns(table)
    return [one for one in tables if _columns(one) == names and one.hidden == table.hidden]


def together(parts: Sequence[Table]) -> Table:
    """Tables of one shape as one, with a column that says which each row comes from."""
    import pandas as pd

    if len(parts) == 1:
        return parts[0]
    frames = []
    for part in parts:
        frame = part.own_columns.copy()
        frame.insert(0, _free_name(frame), part.name)
        frames.append(frame)
    return replace(
        parts[0],
        name=ALL_PARTS,
        frame=pd.concat(frames, ignore_index=True),
        rows=sum(part.rows for part in parts),
        cut=any(part.cut for part in parts),
        ledger=sum((part.ledger for part in parts), Ledger(source=0)),
        flag_columns=0,
    )


def _free_name(frame: "pd.DataFrame") -> str:
    name = PART
    while name in frame.columns:
        name += "_"
    return name


def _columns(table: Table) -> list[str]:
    return [name_key(str(name)) for name in table.own_columns.columns]


def _listed(tables: Sequence[Table]) -> str:
    names = ", ".join(table.name[:60] or "the only one" for table in tables[:_MAX_LISTED])
    return names + (", ..." if len(tables) > _MAX_LISTED else "")
