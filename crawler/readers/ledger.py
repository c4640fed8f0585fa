"""Every row of a table's source, accounted for: what is no data is counted and shown."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

MAX_DROPPED = 50
"""Lines that are kept to be shown; all are counted."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """The rows that a table was read from, by what they were taken for."""

    # Pydantic takes the docstrings below into the API's documentation.
    __pydantic_config__: ClassVar = {"extra": "forbid", "use_attribute_docstrings": True}

    titles: int = 0
    header: int = 0
    """Rows that name the columns, also where they are said again further down."""
    data: int = 0
    footnotes: int = 0
    blank: int = 0
    source: int | None = None
    """Rows that stand in the source, counted apart from all of these; None where nobody can."""

    def __add__(self, other: "Ledger") -> "Ledger":
        """The rows of two tables that are read as one."""
        sources = (self.source, other.source)
        return Ledger(
            self.titles + other.titles,
            self.header + other.header,
            self.data + other.data,
            self.footnotes + other.footnotes,
            self.blank + other.blank,
            None if None in sources else sum(source or 0 for source in sources),
        )

    @property
    def unaccounted(self) -> int:
        """Rows of the source that were taken for nothing, or for two things at once."""
        return 0 if self.source is None else abs(self.source - self.total)

    @property
    def total(self) -> int:
        """Rows that were taken for something."""
        return self.titles + self.header + self.data + self.footnotes + self.blank


class Confidence(StrEnum):
    """How it is known where a table begins, ends and what names its columns."""

    DECLARED = "declared"
    """The format itself says so."""
    SEEN = "seen"
    """The layout leaves no doubt."""
    GUESSED = "guessed"
    """Another reading of the layout would be nearly as good."""
