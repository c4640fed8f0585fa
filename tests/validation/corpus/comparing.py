"""Where a verdict differs from what was expected, in words."""

import codecs
from collections.abc import Iterator

from crawler.validation.outcome import Outcome, TableProfile, Verdict
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
    found += _differs("tables", len(specimen.tables), len(profile.tables))
    for expected, table in zip(specimen.tables, profile.tables, strict=False):
        found += _of_table(expected, table, specimen)
    return found


def _differs(what: str, expected: object, got: object) -> list[str]:
    return [] if expected == got else [f"{what}: expected {expected!r}, got {got!r}"]


def _reasons(specimen: Specimen, got: tuple[str, ...]) -> Iterator[str]:
    left = set(got)
    # That no table was found is said of every document.
    usual = (codes.NO_TABLE,) if specimen.verdict is Verdict.DOCUMENT else ()
    for code in specimen.reasons or usual:
        if not (met := left & set(code.split("|"))):
            yield f"reason {code} is missing, got {got}"
        left -= met
    if left:
        yield f"reasons {sorted(left)} were not expected"


def _of_table(expected: Expected, table: TableProfile, specimen: Specimen) -> Iterator[str]:
    if expected.table and expected.table not in table.name:
        yield f"name of the table: expected {expected.table!r} in {table.name!r}"
    for name in ("rows", "width", "footnotes", "cut"):
        if (wanted := getattr(expected, name)) is not None:
            yield from _differs(name, wanted, getattr(table, name))
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
