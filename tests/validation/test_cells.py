"""A site's expectations on cells run over the tables that have the columns."""

from typing import Any

import pandas as pd
import pytest

from crawler.config.validation import CellExpectation
from crawler.readers.content import Table
from crawler.validation.cells import check_cells
from crawler.validation.outcome import Check, Judgement, Severity
from crawler.validation.verdicts import decide
from tests.validation.frames import GOOD, inspected, table

pytestmark = pytest.mark.slow  # importing the library takes seconds, once per process


def expecting(expectation: str, arguments: dict[str, Any], **more: Any) -> CellExpectation:
    return CellExpectation.model_validate(
        {"expectation": expectation, "arguments": arguments, **more}
    )


def between(**more: Any) -> CellExpectation:
    return expecting(
        "expect_column_values_to_be_between", {"column": "births", "max_value": 1010}, **more
    )


def checked(*expectations: CellExpectation, tables: tuple[Table, ...] = ()) -> tuple[Check, ...]:
    return check_cells(tables or (table(GOOD),), expectations)


def test_values_that_do_not_fit_are_counted_with_examples() -> None:
    (check,) = checked(between(severity="error"))

    assert (check.met, check.severity) == (False, Severity.ERROR)
    assert check.name == "column-values-to-be-between"
    assert check.observed.startswith(
        "births: column values to be between; 9 of 20 values do not, such as 1011, 1012"
    )


def test_values_that_fit_are_said_to() -> None:
    (check,) = checked(
        expecting("expect_column_mean_to_be_between", {"column": "births", "min_value": 1})
    )

    assert (check.met, check.name) == (True, "column-mean-to-be-between")
    assert "1009.5" in check.observed


def test_a_table_without_the_column_is_not_asked() -> None:
    other = table({"deaths": [1]}, "other")

    assert [check.table for check in checked(between(), tables=(table(GOOD, "a"), other))] == ["a"]
    (check,) = checked(expecting("expect_column_to_exist", {"column": "births"}), tables=(other,))
    assert not check.met


def test_names_of_columns_need_not_be_written_the_same() -> None:
    (check,) = checked(expecting("expect_column_values_to_be_unique", {"column": " Births"}))

    assert check.met


def test_only_rows_that_are_meant_are_judged() -> None:
    frame = {"unit": ["PC", "THS", "PC"], "year": [2001.0, 2001.0, 2002.0], "value": [5, 5000, 150]}
    limit = {"column": "value", "max_value": 100}
    kind = "expect_column_values_to_be_between"

    all_rows, percent, first_year = checked(
        expecting(kind, limit),
        expecting(kind, limit, where={"Unit": "PC"}),
        expecting(kind, limit, where={"unit": ["PC"], "year": 2001}),
        tables=(table(frame),),
    )

    assert "2 of 3" in all_rows.observed
    assert "1 of 2" in percent.observed
    assert first_year.met


def test_an_expectation_that_cannot_be_run_is_not_met() -> None:
    words = table({"births": ["many", "few"]})

    (check,) = checked(between(), tables=(words,))

    assert not check.met
    assert "could not be run" in check.observed


def test_columns_of_one_name_do_not_stop_it() -> None:
    frame = pd.DataFrame([[1, 5000]], columns=["births", "births"])

    (check,) = checked(between(), tables=(table(frame),))

    assert check.met


def test_what_is_not_met_is_a_reason_with_the_name_of_the_site() -> None:
    found = inspected(GOOD, cell_expectations=(between(severity="error", name="few-births"),))

    outcome = decide(found, [])

    assert outcome.verdict is Judgement.BROKEN
    assert outcome.reasons[0].code == "few-births"
    assert outcome.reasons[0].sentence.startswith("Births: column values to be between; 9 of 20")
