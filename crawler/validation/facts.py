"""What is counted of a file and of its tables, so that expectations can be asked of the counts.

None means that there is nothing to say: no previous version, no column of dates. An expectation
passes over it.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableFacts:
    """One table in counts."""

    name: str
    rows: int
    width: int
    has_header: bool
    numeric_share: float | None
    """Of the cells that are not empty; None without any."""
    ragged_share: float | None = None
    """Rows with another number of values than most have."""
    repeated_headers: int = 0
    repeated_names: tuple[str, ...] = ()
    """Columns that have one name."""
    unnamed_share: float = 0.0
    """Columns without a name."""
    empty_columns: int = 0
    dates_share: float | None = None
    """Values that are dates or periods, in the column of dates that has the fewest."""
    dates_column: str = ""
    least_year: float | None = None
    most_year: float | None = None
    year_column: str = ""
    """The column with the years farthest from the present."""
    out_of_range: int | None = None
    """Cells outside of the ranges that the site gives for its columns."""
    out_of_range_column: str = ""
    unaccounted: int = 0
    """Rows of the source that are neither data nor title, header, note or blank."""
    footnote_share: float | None = None
    """Notes against rows of data, or against twenty where there are fewer."""
    data_share: float | None = None
    """Rows of data among the filled rows of the source; None for small tables."""
    doubtful_rows: tuple[str, ...] = ()
    """Rows of data that read like notes."""
    guessed: bool = False
    """Whether another reading of the layout is nearly as likely, values considered."""
    prose_share: float | None = None
    """Sentences among the texts."""
    aside: bool = False
    """A cover or a page of notes beside the data: described, but not judged."""


@dataclass(frozen=True, slots=True)
class FileFacts:
    """One file in counts."""

    tables: int = 0
    rows: int | None = None
    """Of all tables; None without a table."""
    numeric_share: float | None = None
    """Of the table that has the largest."""
    disagreement: str | None = None
    """What name and server said it was, where that is something else than it is."""
    unread_parts: int = 0
    """Files of an archive that should hold data and could not be read."""
    unread_names: tuple[str, ...] = ()
    row_ratio: float | None = None
    """Rows against those of the previous version."""
    previous_rows: int | None = None
    columns_lost: tuple[str, ...] | None = None
    columns_added: tuple[str, ...] | None = None
    """Against the previous version; periods as column names (2023, 2024) do not count."""
    missing_columns: tuple[str, ...] | None = None
    """Columns that the site requires, in the table that lacks the fewest; None without any."""
    per_table: tuple[TableFacts, ...] = ()
