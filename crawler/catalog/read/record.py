"""What all records of the catalog have in common: frozen, documented, read from rows by name."""

from collections.abc import Mapping
from typing import Any, Self

from sqlalchemy import ColumnElement, Label, Row, Table

from crawler.described import Described


class Record(Described):
    """What Python gets, `--json` prints, the API documents and templates render: one class."""

    @classmethod
    def of(cls, row: Row[*tuple[Any, ...]], **parts: Any) -> Self:
        """The record of a row whose columns are named as the fields; `parts` are not columns."""
        return cls.model_validate({**row._mapping, **parts})


def columns_of(
    record: type[Record], *tables: Table, named: Mapping[str, ColumnElement[Any]]
) -> list[Label[Any]]:
    """A column for each field: the one in `named`, else that of the first table which has it.

    Fields that no table has, such as lists, are left out.
    """
    columns = {column.name: column for table in reversed(tables) for column in table.c}
    chosen = {**columns, **named}
    return [chosen[name].label(name) for name in record.model_fields if name in chosen]
