"""What two versions of a file differ in, as Python gives it and `--json` prints it."""

from collections.abc import Mapping

from pydantic import Field, computed_field

from crawler.described import Described

Value = str | int | float | bool | None
"""A cell; dates are written as ISO 8601."""


NOTHING = "the tables say the same"


class RenamedColumn(Described):
    """A column that has another name and, by and large, the same values."""

    old: str = Field(examples=["Births"])
    """Its name in the older version."""
    new: str = Field(examples=["Live births"])
    """Its name in the newer version."""


class RevisedCell(Described):
    """A cell of a row that both versions have."""

    key: dict[str, Value] = Field(examples=[{"region": "Corsica", "year": 2019}])
    """The row: its key columns with their values."""
    column: str = Field(examples=["births"])
    """The column, by its newer name."""
    old: Value = Field(examples=[2718])
    """What the older version says."""
    new: Value = Field(examples=[2721])
    """What the newer version says."""


class TableDifference(Described):
    """What one table differs in. Counts are exact; the lists below them are the first ones."""

    table: str = Field(examples=["Births"])
    """The table's newer name; empty for the only one of a file."""
    key: tuple[str, ...] = Field(examples=[("region", "year")])
    """The columns that rows are recognised by; all columns where no fewer tell rows apart."""
    rows_before: int = Field(examples=[1192])
    """Rows of the older version."""
    rows_after: int = Field(examples=[1204])
    """Rows of the newer version."""
    columns_added: tuple[str, ...] = Field(examples=[()])
    """Columns that only the newer version has."""
    columns_gone: tuple[str, ...] = Field(examples=[()])
    """Columns that only the older version has."""
    columns_renamed: tuple[RenamedColumn, ...]
    """Columns with another name and the same values."""
    rows_added: int = Field(examples=[12])
    """Rows that only the newer version has."""
    rows_gone: int = Field(examples=[0])
    """Rows that only the older version has."""
    rows_changed: int = Field(examples=[3])
    """Rows of both versions that have at least one revised cell."""
    cells_revised: int = Field(examples=[3])
    """Cells of rows and columns of both versions whose value is another one."""
    figures_revised: int = Field(examples=[3])
    """Those of them that are numbers before and after."""
    added: tuple[dict[str, Value], ...]
    """The first rows that were added."""
    gone: tuple[dict[str, Value], ...]
    """The first rows that are gone."""
    revised: tuple[RevisedCell, ...]
    """The first cells that were revised."""
    cut: bool = Field(examples=[False])
    """Whether rows beyond the limits of reading were left out of the comparison."""

    @property
    def is_same(self) -> bool:
        """Whether both versions say the same, in whatever order."""
        columns = self.columns_added or self.columns_gone or self.columns_renamed
        return not (columns or self.rows_added or self.rows_gone or self.cells_revised)


class Difference(Described):
    """What two files differ in."""

    reason: str = Field(default="", examples=[""])
    """Why they could not be compared; empty when they were."""

    tables: tuple[TableDifference, ...] = ()
    """The tables that both versions have, those without a difference among them."""
    tables_added: tuple[str, ...] = Field(default=(), examples=[()])
    """Tables that only the newer version has."""
    tables_gone: tuple[str, ...] = Field(default=(), examples=[()])
    """Tables that only the older version has."""

    @computed_field(examples=["12 rows added, 3 figures revised"])  # type: ignore[prop-decorator]
    @property
    def summary(self) -> str:
        """The difference in one line."""
        if self.reason:
            return f"not compared: {self.reason}"
        tables = self.tables
        return sentence_of(
            {
                "table added": len(self.tables_added),
                "table gone": len(self.tables_gone),
                "column added": sum(len(one.columns_added) for one in tables),
                "column gone": sum(len(one.columns_gone) for one in tables),
                "column renamed": sum(len(one.columns_renamed) for one in tables),
                "row added": sum(one.rows_added for one in tables),
                "row gone": sum(one.rows_gone for one in tables),
                "figure revised": sum(one.figures_revised for one in tables),
                "other cell revised": sum(
                    one.cells_revised - one.figures_revised for one in tables
                ),
            },
            is_cut=any(one.cut for one in tables),
        )


class FileDifference(Difference):
    """What two versions of one file of the catalog differ in."""

    id: int = Field(examples=[38])
    """The ID of the file."""
    from_version: int = Field(examples=[1])
    """The number of the older version."""
    to_version: int = Field(examples=[2])
    """The number of the newer version."""


def sentence_of(counts: Mapping[str, int], *, is_cut: bool) -> str:
    """The counts that are not zero, each with its noun in the right number."""
    parts = [_counted(count, noun) for noun, count in counts.items() if count]
    sentence = ", ".join(parts) or NOTHING
    return f"{sentence} (in the rows that were compared)" if is_cut else sentence


def _counted(count: int, noun: str) -> str:
    noun, _, happened = noun.rpartition(" ")
    return f"{count:,} {noun}{'' if count == 1 else 's'} {happened}"
