"""A site's own expectations on the cells of its tables; they run where the table is in memory."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pydantic import JsonValue

from crawler.config.validation import CellExpectation
from crawler.readers.content import Table
from crawler.readers.names import name_key, unique_names
from crawler.validation.outcome import Check
from crawler.validation.plain import listed, plain
from crawler.validation.running import RUNNER, Answer, Asked

if TYPE_CHECKING:
    import pandas as pd

_COLUMN_ARGUMENTS = ("column", "column_A", "column_B")
_MAY_LACK = frozenset({
    "expect_column_to_exist",
    "expect_table_columns_to_match_ordered_list",
    "expect_table_columns_to_match_set",
})  # fmt: skip
"""Expectations that are about the columns being there."""
MAX_TABLES = 20


def check_cells(
    tables: Sequence[Table], expectations: Sequence[CellExpectation]
) -> tuple[Check, ...]:
    """How each table that has the columns meets the site's expectations."""
    if not expectations:
        return ()
    return tuple(
        check for table in tables[:MAX_TABLES] for check in _check_table(table, expectations)
    )


def _check_table(table: Table, expectations: Sequence[CellExpectation]) -> list[Check]:
    frame = _unambiguous(table.frame)
    by_key = {name_key(str(name)): str(name) for name in frame.columns}
    whole: list[Asked] = []
    checks: list[Check] = []
    fitting = {
        f"{place}": expectation
        for place, expectation in enumerate(expectations)
        if _fits(expectation, by_key)
    }
    answers: dict[str, Answer] = {}
    for place, expectation in fitting.items():
        asked = Asked(
            place,
            expectation.expectation,
            _arguments(expectation, by_key),
            expectation.severity,
        )
        if expectation.where:
            answers |= RUNNER.run(_rows_where(frame, expectation, by_key), [asked])
        else:
            whole.append(asked)
    answers |= RUNNER.run(frame, whole)
    for place, expectation in fitting.items():
        answer = answers.get(place, Answer(met=False, error="it gave no answer"))
        checks.append(
            Check(
                name=expectation.code,
                expectation=expectation.expectation,
                severity=expectation.severity,
                met=answer.met,
                observed=_said(expectation, answer),
                table=plain(table.name),
            )
        )
    return checks


def _fits(expectation: CellExpectation, by_key: Mapping[str, str]) -> bool:
    """Whether the table has all the columns that are named; if not, it is about other tables."""
    filtered = all(name_key(name) in by_key for name in expectation.where)
    if expectation.expectation in _MAY_LACK:
        return filtered
    return filtered and all(name_key(name) in by_key for name in _columns(expectation))


def _columns(expectation: CellExpectation) -> list[str]:
    arguments = expectation.arguments
    names = [arguments[key] for key in _COLUMN_ARGUMENTS if key in arguments]
    several = arguments.get("column_list")
    if isinstance(several, list) and expectation.expectation not in _MAY_LACK:
        names += several
    return [str(name) for name in names]


def _arguments(expectation: CellExpectation, by_key: Mapping[str, str]) -> dict[str, JsonValue]:
    """The arguments with the columns' names as the table writes them."""

    def real(name: JsonValue) -> JsonValue:
        return by_key.get(name_key(str(name)), str(name))

    named = dict(expectation.arguments)
    for key in _COLUMN_ARGUMENTS:
        if key in named:
            named[key] = real(named[key])
    for key in ("column_list", "column_set"):
        several = named.get(key)
        if isinstance(several, list):
            named[key] = [real(name) for name in several]
    return named


def _rows_where(
    frame: "pd.DataFrame", expectation: CellExpectation, by_key: Mapping[str, str]
) -> "pd.DataFrame":
    for name, wanted in expectation.where.items():
        values = {str(value) for value in (wanted if isinstance(wanted, list) else [wanted])}
        column = frame[by_key[name_key(name)]]
        frame = frame[column.map(_text).isin(values)]
    return frame


def _text(value: object) -> str:
    """2020 and 2020.0 are the same year, whichever way the column was read."""
    if isinstance(value, float) and value == value and value == int(value):
        return str(int(value))
    return str(value)


def _unambiguous(frame: "pd.DataFrame") -> "pd.DataFrame":
    """Every column under a name of its own; of equal names the first keeps it."""
    return frame.set_axis(unique_names([str(name) for name in frame.columns]), axis=1)


def _said(expectation: CellExpectation, answer: Answer) -> str:
    what = listed(_columns(expectation)) or "the table"
    rule = expectation.expectation.removeprefix("expect_").replace("_", " ")
    observed = f"it could not be run ({answer.error})" if answer.error else answer.observed
    return plain(f"{what}: {rule}; {observed or 'it does not'}", 300)
