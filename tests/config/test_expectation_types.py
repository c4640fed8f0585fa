"""The list of expectations says what Great Expectations says, and all of them run on a table."""

import inspect
from typing import Any

import pandas as pd
import pytest

from crawler.config.expectation_types import (
    EXPECTATION_TYPES,
    ExpectationType,
    check_arguments,
    expectation_type,
)
from crawler.validation.running import RUNNER, Asked, library

OWN = {"batch_id", "row_condition", "condition_parser", "library_metadata"}
NOT_FOR_FILES = {
    "expect_query_results_to_match_comparison",  # asks two databases
    "expect_table_row_count_to_equal_other_table",  # asks a database
    "expect_column_type_to_be",  # asks for types of a database
    "expect_column_values_to_match_like_pattern",  # like patterns are SQL
    "expect_column_values_to_match_like_pattern_list",
    "expect_column_values_to_not_match_like_pattern",
    "expect_column_values_to_not_match_like_pattern_list",
    "",  # ExpectMulticolumnValuesToBeUnique is deprecated and has no name
}
FRAME = pd.DataFrame({"a": [1.0, 2.0, 4.0], "b": [1.0, 2.0, 4.0], "t": ["{}", "[]", "{}"]})
EXAMPLES: dict[str, Any] = {
    "column": "a",
    "column_A": "a",
    "column_B": "b",
    "column_list": ["a", "b"],
    "column_set": ["a", "b"],
    "double_sided": True,
    "json_schema": {"type": "object"},
    "max_value": 9,
    "min_value": 0,
    "partition_object": {"bins": [0, 2, 5], "weights": [0.5, 0.5]},
    "quantile_ranges": {"quantiles": [0.5], "value_ranges": [[0, 5]]},
    "regex": ".",
    "regex_list": ["."],
    "strftime_format": "%Y",
    "sum_total": 2,
    "threshold": 3,
    "type_": "float",
    "type_list": ["float"],
    "value": 1,
    "value_pairs_set": [[1, 1]],
    "value_set": [1, 2],
}
OF_TEXTS = ("regex", "json", "length", "strftime", "dateutil")


@pytest.fixture(scope="module")
def theirs() -> dict[str, Any]:
    expectations = library().expectations
    classes = [
        one
        for name, one in inspect.getmembers(expectations, inspect.isclass)
        if name.startswith("Expect") and name != "Expectation"
    ]
    return {getattr(one, "expectation_type", "") or "": one for one in classes}


@pytest.mark.slow
def test_every_expectation_of_the_library_is_listed_or_left_out_for_a_reason(
    theirs: dict[str, Any],
) -> None:
    assert set(theirs) == set(EXPECTATION_TYPES) | NOT_FOR_FILES


@pytest.mark.slow
@pytest.mark.parametrize("listed", EXPECTATION_TYPES.values(), ids=lambda one: one.name)
def test_arguments_are_those_of_the_library(
    listed: ExpectationType, theirs: dict[str, Any]
) -> None:
    from great_expectations.expectations.expectation import ColumnMapExpectation, Expectation

    found = theirs[listed.name]
    fields = {
        name: field.required
        for name, field in found.__fields__.items()
        if name not in Expectation.__fields__ and name not in OWN
    }
    assert set(listed.arguments) == set(fields)
    assert set(listed.required) == {name for name, required in fields.items() if required}
    assert listed.by_value == issubclass(found, ColumnMapExpectation)


@pytest.mark.slow
@pytest.mark.parametrize("name", EXPECTATION_TYPES)
def test_every_listed_expectation_runs_on_a_table(name: str) -> None:
    listed = EXPECTATION_TYPES[name]
    wanted = set(listed.required) | (set(listed.optional) & set(EXAMPLES))
    arguments = {argument: EXAMPLES[argument] for argument in wanted}
    if any(word in name for word in OF_TEXTS) and "column" in arguments:
        arguments["column"] = "t"
    check_arguments(name, arguments)

    answer = RUNNER.run(FRAME, [Asked("one", name, arguments)])["one"]

    assert answer.error == ""


def test_a_name_that_is_nearly_right_is_suggested() -> None:
    with pytest.raises(ValueError, match='did you mean "expect_column_values_to_be_unique"'):
        expectation_type("expect_column_values_to_be_uniqe")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({}, "needs the argument 'column'"),
        ({"column": 1}, "column of .* must be text, not 1"),
        ({"column": "a", "value_set": "x"}, "value_set of .* must be a list, not 'x'"),
        ({"column": "a", "value_set": [], "mostly": 2}, "must be a number from 0 to 1, not 2"),
        ({"column": "a", "values": []}, "takes no argument 'values'"),
        ({"column": "a"}, "needs the argument 'value_set'"),
    ],
)
def test_wrong_arguments_are_told(arguments: dict[str, object], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        check_arguments("expect_column_values_to_be_in_set", arguments)
