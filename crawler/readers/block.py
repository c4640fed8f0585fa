"""One table of a sheet, as the rows of its cells."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Block:
    """One table of a sheet, as rows of its cells."""

    first: int
    """The first row that belongs to it: a title, or the header."""
    header: list[int]
    data: list[range] = field(default_factory=list)
    titles: list[int] = field(default_factory=list)
    repeated: list[int] = field(default_factory=list)
    """Rows that say the header again."""
    notes: list[int] = field(default_factory=list)
    end: int = 0
    """The row after its last."""
    found: bool = True
    """Whether it has a header."""
    seen: bool = True
    """Whether the layout leaves no doubt."""
    doubtful: list[int] = field(default_factory=list)
    """Rows of data that read like notes: full of figures, or a label unlike the others."""
    inherited: list[int] = field(default_factory=list)
    """The header of the block above, where this one has none of its own and the same rows."""

    def rows(self) -> int:
        """Rows of data."""
        return sum(map(len, self.data))
