"""How the rows of one record class go into their table."""

import dataclasses
from operator import attrgetter


class Table:
    """The columns of a table are the fields of its record class, but for those that are derived."""

    def __init__(
        self, name: str, row: type, verb: str = "INSERT", *, derived: tuple[str, ...] = ()
    ) -> None:
        names = [field.name for field in dataclasses.fields(row)]
        fields = [name for name in names if name not in derived]
        self.columns = ", ".join(f'"{field}"' for field in fields)
        self.values = attrgetter(*fields)
        marks = ", ".join("?" * len(fields))
        self.insert = f"{verb} INTO {name} ({self.columns}) VALUES ({marks})"
