"""Where a verdict differs from what was expected, in words."""

import codecs
import io
from collections.abc import Iterator
from typing import Any

from crawler.validation.outcome import Judgement, Outcome, TableProfile
from tests.validation.corpus import codes
from tests.validation.corpus.specimen import Expected, Specimen


def differences(specimen: Specimen, outcome: Outcome) -> list[str]:
    """What is not as expected; empty when all is."""
    profile = outcome.profile
    found = [
        *_differs("kind", specimen.kind.value, outcome.kind.value),
        *_differs("verdict", specimen.verdict.value, outcome.verdict.value),
        *_reasons(specimen, tuple(reason.code for reason in outcome.reasons)),
    ]
    for name in ("pages", "scanned", "language"):
        if (expected := getattr(specimen, name)) is not None:
            found += _differs(name, expected, getattr(profile, name))
    if specimen.inner is not None:
        found += _differs("inner", sorted(specimen.inner), sorted(profile.inner))
    if specimen.tables is None:
        return found
    if not specimen.only_first_table:
        found += _differs("tables", len(specimen.tables), len(profile.tables))
    elif not profile.tables:
        found.append("there is no table")
    for expected, table in zip(specimen.tables, profile.tables, strict=False):
        found += _of_table(expected, table, specimen)
    return found


def _differs(what: str, expected: object, got: object) -> list[str]:
    return [] if expected == got else [f"{what}: expected {expected!r}, got {got!r}"]


def _reasons(specimen: Specimen, got: tuple[str, ...]) -> Iterator[str]:
    left = set(got)
    # That no table was found is said of every document.
    usual = (codes.NO_TABLE,) if specimen.verdict is Judgement.DOCUMENT else ()
    for code in specimen.reasons or usual:
        if not (met := left & set(code.split("|"))):
            yield f"reason {code} is missing, got {got}"
        left -= met
    if left:
        yield f"reasons {sorted(left)} were not expected"


def reading_differences(specimen: Specimen) -> list[str]:
    """Where `read` gives other rows than a person would read in the best table."""
    from crawler.readers.reading import read_file

    (expected, *_) = specimen.tables or ()
    table = read_file(io.BytesIO(specimen.make()), name=specimen.file_name).table
    frame = table.frame.iloc[:, : table.frame.shape[1] - table.flag_columns]
    found = _differs("rows that were read", expected.rows, len(frame))
    if expected.names:
        found += _differs("header", expected.names, tuple(map(str, frame.columns)))
    if len(frame):
        found += _differs("first row", expected.first, _row(frame.iloc[0].tolist()))
        found += _differs("last row", expected.last, _row(frame.iloc[-1].tolist()))
    found += _differs("rows that are not accounted for", 0, table.ledger.unaccounted)
    return found


def _row(values: list[Any]) -> tuple[Any, ...]:
    import pandas as pd

    return tuple(None if pd.isna(value) else _plain(value) for value in values)


def _plain(value: Any) -> Any:
    """Whole numbers as such, times as texts."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    is_time = hasattr(value, "isoformat") or hasattr(value, "freqstr")
    return str(value).removesuffix(" 00:00:00") if is_time else value


def _of_table(expected: Expected, table: TableProfile, specimen: Specimen) -> Iterator[str]:
    if expected.table and expected.table not in table.name:
        yield f"name of the table: expected {expected.table!r} in {table.name!r}"
    for name in ("rows", "width", "footnotes", "cut"):
        if (wanted := getattr(expected, name)) is not None:
            yield from _differs(name, wanted, getattr(table, name))
    if expected.titles is not None:
        yield from _differs("titles", expected.titles, table.ledger.titles)
    for name in ("delimiter", "decimal"):
        if wanted := getattr(expected, name):
            yield from _differs(name, wanted, getattr(table, name))
    if expected.names:
        yield from _differs("names", expected.names, tuple(c.name for c in table.columns))
    if expected.encoding:
        yield from _of_encoding(specimen.make(), expected.encoding, table.encoding)
    columns = {column.name: column for column in table.columns}
    for field, wishes in (
        ("type", expected.types),
        ("role", expected.roles),
        ("least", expected.least),
        ("most", expected.most),
        ("nulls", expected.nulls),
    ):
        for name, wish in wishes.items():
            if name not in columns:
                yield f"no column {name!r} among {sorted(columns)[:12]}"
                continue
            value = getattr(columns[name], field)
            if field == "nulls":
                value = round(value, 3)
            yield from _differs(f"{field} of {name!r}", wish, value)


def _of_encoding(body: bytes, expected: str, got: str) -> Iterator[str]:
    """Several names may stand for what reads the same bytes alike."""
    try:
        codecs.lookup(got)
        is_same = _decoded(body, expected) == _decoded(body, got)
    except (LookupError, UnicodeDecodeError):
        is_same = False
    if not is_same:
        yield f"encoding: expected {expected!r}, got {got!r}"


def _decoded(body: bytes, encoding: str) -> str:
    return body.decode(encoding).removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}")
