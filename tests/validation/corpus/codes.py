"""The codes of reasons that the corpus expects; troubles have their own values."""

from crawler.readers.content import Trouble

TRUNCATED = Trouble.TRUNCATED.value
CORRUPT = Trouble.CORRUPT.value
CUT_SHORT = f"{Trouble.TRUNCATED}|{Trouble.CORRUPT}"
"""Where half a file cannot be told from a damaged one."""
ENCRYPTED = Trouble.ENCRYPTED.value
BOMB = Trouble.BOMB.value
TOO_DEEP = Trouble.TOO_DEEP.value
TOO_LARGE = Trouble.TOO_LARGE.value
UNSUPPORTED = Trouble.UNSUPPORTED.value

EMPTY = "empty"
HTML = "html"
ERROR_MESSAGE = "error-message"
UNKNOWN = "unknown-kind"
NO_TABLE = "no-table"
SCANNED = "scanned"
NO_ROWS = "not-empty"
NO_HEADER = "header"
RAGGED = "consistent-width"
FEW_NUMBERS = "numeric-share"
REPEATED_HEADER = "repeated-headers"
SAME_NAMES = "repeated-names"
BAD_DATES = "dates"
FIRST_YEAR = "first-year"
LAST_YEAR = "last-year"
COLLAPSED = "rows-kept"
COLUMNS_LOST = "columns-lost"
COLUMNS_ADDED = "columns-added"
OTHERWISE_DECLARED = "announced-kind"
PART_UNREADABLE = "unread-parts"
