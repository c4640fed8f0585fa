"""How much a file may cost, whatever it says of itself."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bounds:
    """The limits of reading one file; what lies beyond is cut, or refused, and said."""

    file_bytes: int = 2 * 1000**3
    """The largest file that is opened at all."""
    memory: int = 3 * 1000**3
    """Address space of the process that reads, beyond what it had before."""
    seconds: float = 120.0
    """After this the process that reads is killed."""
    rows: int = 1_000_000
    """Rows of a table that are read; further ones are counted where that is cheap."""
    columns: int = 16_384
    cells: int = 20_000_000
    """Cells of one table in memory."""
    tables: int = 50
    """Sheets, members or PDF tables that are looked at."""
    members: int = 1_000
    """Files in an archive."""
    unpacked: int = 2 * 1000**3
    """Bytes that an archive may hold, all members together."""
    ratio: float = 500.0
    """Unpacked against packed bytes, over a floor of some megabytes; more is a bomb."""
    nesting: int = 2
    """Archives within archives."""
    depth: int = 200
    """Nesting of XML and JSON."""
    pdf_pages: int = 20
    """Pages of a PDF that are searched for text and tables."""

    def rows_of(self, columns: int) -> int:
        """Rows of a table that is so wide which may be kept, by the limits on rows and on cells."""
        return max(1, min(self.rows, self.cells // max(1, columns)))


DEFAULT_BOUNDS = Bounds()
