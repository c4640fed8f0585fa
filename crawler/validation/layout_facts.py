"""What is counted of how a table was read: what was dropped, and whether its layout is a guess."""

from crawler.readers.content import Table
from crawler.readers.kinds import Kind
from crawler.readers.ledger import Confidence
from crawler.validation.outcome import ColumnType
from crawler.validation.profile import DescribedTable

_FEW_ROWS = 20
_SMALL = 30
_WORDS_OF_A_SENTENCE = 12
_MIN_ROWS = 3
_MIN_SURE_COLUMNS = 0.8
_MAX_LABELS_ALONE = 0.2
_FIGURES = (ColumnType.INTEGER, ColumnType.NUMBER)


def footnote_share(table: Table) -> float | None:
    """Notes against rows of data; a small table may have as many as one of twenty rows."""
    ledger = table.ledger
    return round(ledger.footnotes / max(ledger.data, _FEW_ROWS), 4) if ledger.total else None


def data_share(table: Table) -> float | None:
    """Rows of data among the filled rows that stand in the source."""
    ledger = table.ledger
    filled = ledger.total - ledger.blank
    return round(ledger.data / filled, 4) if filled > _SMALL else None


def is_guess(described: DescribedTable) -> bool:
    """Whether a guessed layout is not confirmed by the values.

    It is confirmed where every column has its own name, some rows are there, and nearly all
    columns hold values of one type.
    """
    table, columns = described.table, described.columns
    if table.confidence is not Confidence.GUESSED:
        return False
    is_named = (
        table.has_header
        and not table.repeated_names
        and not any(str(name).startswith("column ") for name in table.frame.columns[1:])
    )
    is_first_named = not str(table.frame.columns[0]).startswith("column ")
    if table.kind is Kind.PDF and (table.levels or not is_first_named):
        # Which columns a label stands over is measured on the page, and said by nothing.
        return True
    if table.kind is Kind.PDF and _labels_alone(table) >= _MAX_LABELS_ALONE:
        # Headings of sections, or long labels that go on in the next line.
        return True
    sure = sum(column.profile.type is not ColumnType.MIXED for column in columns)
    has_numbers = any(column.numeric for column in columns)
    is_typed = sure >= _MIN_SURE_COLUMNS * len(columns)
    return not (is_named and is_typed and has_numbers and table.rows >= _MIN_ROWS)


def _labels_alone(table: Table) -> float:
    """The share of rows that hold one cell only."""
    filled = table.frame.notna().sum(axis=1)
    return float((filled == 1).mean()) if len(filled) and table.frame.shape[1] > 1 else 0.0


def prose_share(described: DescribedTable) -> float | None:
    """Sentences among the texts of a sample; None where there are none, or mostly figures."""
    figures = sum(column.profile.type in _FIGURES for column in described.columns)
    if figures >= len(described.columns) / 2:
        # Questions of a survey are sentences, and the answers to them are a table.
        return None
    texts = [text for column in described.columns for text in column.texts]
    if not texts:
        return None
    sentences = sum(len(text.split()) >= _WORDS_OF_A_SENTENCE for text in texts)
    return round(sentences / len(texts), 4)
