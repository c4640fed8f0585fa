"""How the pages say things: formats, verdicts, sizes and times in plain words."""

from collections.abc import Mapping
from datetime import UTC, datetime

from crawler.pipeline.report.wording import stop_sentence
from crawler.state.stop import StopReason

_FORMATS = {
    "csv": "CSV table",
    "excel": "Excel workbook",
    "ods": "OpenDocument spreadsheet",
    "sdmx": "SDMX data",
    "json": "JSON data",
    "xml": "XML data",
    "rdf": "RDF data",
    "parquet": "Parquet table",
    "pdf": "PDF document",
    "archive": "archive of files",
    "text": "text file",
    "yaml": "YAML data",
    "document": "text document",
    "statistical": "file of a statistics package",
    "binary": "binary file",
    "feed": "news feed",
    "html": "web page",
}
VERDICTS = {
    "valid": "valid",
    "suspect": "suspect",
    "document": "document, not a table",
    "broken": "broken",
    "not_a_dataset": "not a dataset",
    "unchecked": "not checked yet",
    "notvalid": "anything but valid",
}
"""Every verdict that can be asked for, in words."""
_CONFIDENCE = {
    "declared": "The format says where the table stands.",
    "seen": "The layout leaves no doubt where the table stands.",
    "guessed": "Where the table stands is guessed from the layout.",
}
_CONTENTS = {
    "delimited": "a table in text",
    "sdmx-csv": "SDMX data as CSV",
    "xls": "an old Excel workbook (xls)",
    "xlsx": "an Excel workbook (xlsx)",
    "xlsb": "a binary Excel workbook (xlsb)",
    "ods": "an OpenDocument spreadsheet",
    "parquet": "a Parquet table",
    "arrow": "an Arrow table",
    "json": "JSON",
    "json-stat": "JSON-stat",
    "sdmx-ml": "SDMX data as XML",
    "xml": "XML",
    "pdf": "a PDF document",
    "zip": "a ZIP archive",
    "gzip": "a gzip archive",
    "bzip2": "a bzip2 archive",
    "xz": "an xz archive",
    "7z": "a 7-Zip archive",
    "document": "a text document",
    "html": "a web page",
    "error-message": "an error message",
    "empty": "empty",
    "binary": "something unknown",
}
_ROLES = {"time": "time", "geography": "place", "measure": "measure", "other": ""}
_DELIMITERS = {
    ",": "commas",
    ";": "semicolons",
    "\t": "tabs",
    "|": "bars",
    " ": "blanks",
    ":": "colons",
}
_PLACES = {
    "title": "Title:",
    "link": "Link text:",
    "file_name": "File name:",
    "column": "Column:",
    "place": "Place:",
    "value": "Value:",
    "period": "Covers",
    "page": "Page:",
    "heading": "Below the heading:",
    "publisher": "Publisher:",
    "site": "Site:",
    "address": "Address:",
}
_LANGUAGES = {
    "ar": "Arabic", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "en": "English",
    "es": "Spanish", "fi": "Finnish", "fr": "French", "hu": "Hungarian", "it": "Italian",
    "ja": "Japanese", "ko": "Korean", "nl": "Dutch", "no": "Norwegian", "pl": "Polish",
    "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sv": "Swedish", "tr": "Turkish",
    "uk": "Ukrainian", "zh": "Chinese",
}  # fmt: skip
_SEVERITIES = {"error": "broken", "warning": "suspect", "note": "plain"}
"""The look of a severity is that of the verdict it leads to."""
_RUN_KINDS = {"acquire": "acquisition", "revisit": "revisit"}
WORDS = {
    "format_words": _FORMATS,
    "content_words": _CONTENTS,
    "confidence_words": _CONFIDENCE,
    "role_words": _ROLES,
    "delimiter_words": _DELIMITERS,
    "match_words": _PLACES,
    "language_words": _LANGUAGES,
    "kind_words": _RUN_KINDS,
    "severity_class": _SEVERITIES,
}
"""By the name of a filter of the templates: a name of ours, and what people call it."""
_MAX_CELL = 200
_UNITS = ("kB", "MB", "GB", "TB")


def in_words(words: Mapping[str, str], name: str) -> str:
    """What people call it; a name that is not known stays as it is."""
    return words.get(name, name)


def format_words(name: str) -> str:
    """'CSV table' for csv."""
    return in_words(_FORMATS, name)


def verdict_words(name: str | None) -> str:
    """The verdict for a person; also that there is none yet."""
    return "not checked yet" if not name else VERDICTS.get(name, name)


def share_words(share: float) -> str:
    """'12%'; what is not quite nothing is not called nothing."""
    if 0 < share < 0.01:
        return "<1%"
    if 0.99 < share < 1:
        return ">99%"
    return f"{share:.0%}"


def size_words(size: int | None) -> str:
    """'48.2 kB', with units of 1000."""
    if size is None:
        return "unknown size"
    amount = float(size)
    if amount < 1000:
        return f"{size} B"
    for unit in _UNITS:
        amount /= 1000
        if amount < 999.95 or unit == _UNITS[-1]:
            return f"{amount:,.1f}".removesuffix(".0") + f" {unit}"
    raise AssertionError("the last unit takes everything")


def change_words(change: int | None) -> str:
    """'+120 bytes' against the version before, with a real minus sign."""
    if change is None:
        return "first version"
    if change == 0:
        return "same size"
    sign = "+" if change > 0 else "−"
    return f"{sign}{abs(change):,} {'byte' if abs(change) == 1 else 'bytes'}"


def cell_words(value: str | float | bool | None) -> str:
    """A cell of a table, not longer than a line."""
    text = "" if value is None else str(value)
    return text if len(text) <= _MAX_CELL else text[: _MAX_CELL - 1] + "…"


def count_words(number: int, noun: str, plural: str = "") -> str:
    """'1 file', '20,000 files'."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def day_words(moment: datetime | None) -> str:
    """'2 March 2026'."""
    return f"{_utc(moment):%-d %B %Y}" if moment else "unknown"


def moment_words(moment: datetime | None) -> str:
    """'2 March 2026, 01:12 UTC'."""
    return f"{_utc(moment):%-d %B %Y, %H:%M} UTC" if moment else "unknown"


def machine_time(moment: datetime) -> str:
    """The same as RFC 3339 wants it, for `<time datetime>` and feeds."""
    return f"{_utc(moment):%Y-%m-%dT%H:%M:%SZ}"


def stop_words(reason: str, detail: str, ended: bool) -> str:
    """Why a run stopped, as a sentence."""
    if not reason:
        return "it ended without a reason" if ended else "it is running, or its process died"
    try:
        return stop_sentence(StopReason(reason), detail)
    except ValueError:
        return f"{reason}: {detail}" if detail else reason


def _utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
