"""What validation says of a file; all of it goes to the catalog."""

from collections.abc import Iterator
from enum import StrEnum

from pydantic import ConfigDict

from crawler.config.expectation_types import Severity as Severity
from crawler.described import Described
from crawler.readers.content import DroppedLine
from crawler.readers.kinds import Kind
from crawler.readers.ledger import Confidence, Ledger
from crawler.readers.names import SEPARATOR
from crawler.readers.periods import Period, parse_period

YEARS = range(1500, 2151)
"""Four digits beyond are codes rather than years."""
_MAX_PERIOD = 31
"""Characters of a period, as the catalog stores it."""


class Judgement(StrEnum):
    """Whether a file can be trusted to be a dataset."""

    VALID = "valid"
    SUSPECT = "suspect"
    """A table, but something about it is odd: a warning failed."""
    DOCUMENT = "document"
    """Readable, and no table in it, as most PDF reports."""
    BROKEN = "broken"
    """It cannot be read, or an expectation of severity error failed."""
    NOT_A_DATASET = "not_a_dataset"
    """A web page or an error message under the address of a file, or something else altogether."""


class _Part(Described):
    model_config = ConfigDict(extra="forbid")


class Reason(_Part):
    """One cause of a verdict: a code for machines, a sentence for people."""

    code: str
    sentence: str
    severity: Severity = Severity.ERROR
    table: str = ""
    column: str = ""


class Check(_Part):
    """One expectation and how the file met it."""

    name: str
    """The code its reason would have."""
    expectation: str
    """The type of the expectation in Great Expectations."""
    severity: Severity
    met: bool
    observed: str = ""
    table: str = ""


class ColumnRole(StrEnum):
    """What a column stands for."""

    TIME = "time"
    GEOGRAPHY = "geography"
    MEASURE = "measure"
    OTHER = "other"


class ColumnType(StrEnum):
    """What the values of a column are."""

    INTEGER = "integer"
    NUMBER = "number"
    TEXT = "text"
    DATE = "date"
    PERIOD = "period"
    """Months, quarters or weeks."""
    BOOLEAN = "boolean"
    EMPTY = "empty"
    MIXED = "mixed"


class ColumnProfile(_Part):
    """A column in a few figures."""

    name: str
    type: ColumnType
    nulls: float
    """Share of empty cells, 0 to 1."""
    least: str = ""
    most: str = ""
    """Smallest and largest value, as text; empty for texts that are no times."""
    role: ColumnRole = ColumnRole.OTHER


class TableProfile(_Part):
    """A table in a few figures."""

    name: str
    rows: int
    columns: tuple[ColumnProfile, ...]
    """The first of them; `width` counts all."""
    width: int
    cut: bool = False
    footnotes: int = 0
    ledger: Ledger = Ledger()
    """Every row of the source by what it was taken for."""
    confidence: Confidence = Confidence.DECLARED
    """How it is known where the table stands."""
    levels: tuple[tuple[str, ...], ...] = ()
    """The lines of a header that has several, for the columns that are described."""
    dropped: tuple[DroppedLine, ...] = ()
    """Lines that are no rows: titles and notes, the first of them."""
    assumed: tuple[str, ...] = ()
    """What was assumed to read the values."""
    hidden: bool = False
    aside: bool = False
    """Whether the table is about the others, or hidden; it is not judged."""
    encoding: str = ""
    delimiter: str = ""
    decimal: str = ""

    def periods(self) -> Iterator[tuple[Period, str]]:
        """First and last of each column of times, and periods that columns are named by."""
        for column in self.columns:
            if column.role is ColumnRole.TIME:
                texts: tuple[str, ...] = (column.least, column.most)
            elif column.role is ColumnRole.MEASURE:
                texts = (column.name.rpartition(SEPARATOR)[2],)
            else:
                continue
            for text in texts:
                period = parse_period(text) if text and len(text) <= _MAX_PERIOD else None
                if period is not None and period.year in YEARS:
                    yield period, text


class Profile(_Part):
    """What is in a file."""

    tables: tuple[TableProfile, ...] = ()
    table_count: int = 0
    pages: int | None = None
    scanned: bool = False
    language: str = ""
    inner: tuple[Kind, ...] = ()
    declared: str = ""
    """What name and server said it was, where that is something else than it is."""


class Frequency(StrEnum):
    """How far the periods of a table are apart."""

    YEAR = "year"
    QUARTER = "quarter"
    MONTH = "month"
    WEEK = "week"
    DAY = "day"


class Coverage(_Part):
    """What the tables of a file are about, within bounds; what is unknown is empty."""

    period_start: str = ""
    """The first period, as it is written."""
    period_end: str = ""
    frequency: Frequency | None = None
    places: tuple[str, ...] = ()
    """Values of columns of places."""
    values: tuple[str, ...] = ()
    """Values of other columns of texts that have few different ones."""


class Outcome(_Part):
    """The verdict on one file with everything that led to it."""

    verdict: Judgement
    kind: Kind
    reasons: tuple[Reason, ...] = ()
    checks: tuple[Check, ...] = ()
    profile: Profile = Profile()
    coverage: Coverage = Coverage()

    @property
    def rows(self) -> int | None:
        """Rows of all tables together; None when there is no table."""
        tables = self.profile.tables
        return sum(table.rows for table in tables) if tables else None

    @property
    def columns(self) -> int | None:
        """Columns of the widest table."""
        return max((table.width for table in self.profile.tables), default=None)
