"""The expectations of Great Expectations that site files and suites may name, and what they take.

They are listed as data because importing the library takes seconds, and a site file is checked in
milliseconds; a test compares the list with the library. Left out are those that query a database,
and `row_condition`, which is code in a string; `where` does the same in YAML.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from crawler.config.problem import did_you_mean


class Severity(StrEnum):
    """What it means when an expectation is not met."""

    ERROR = "error"
    """The file is broken."""
    WARNING = "warning"
    """The file is suspect."""
    NOTE = "note"
    """Worth knowing; it changes no verdict."""


class Takes(StrEnum):
    """What an argument has to be; the values are part of messages."""

    TEXT = "text"
    NUMBER = "a number"
    SHARE = "a number from 0 to 1"
    WHOLE = "a whole number"
    LIMIT = "a number, or a date in quotes"
    SWITCH = "true or false"
    TEXTS = "a list of texts"
    VALUES = "a list"
    MAPPING = "a mapping (key: value)"


@dataclass(frozen=True, slots=True)
class ExpectationType:
    """One expectation: its arguments, and whether it judges each value of a column by itself."""

    name: str
    required: Mapping[str, Takes]
    optional: Mapping[str, Takes]
    by_value: bool

    @property
    def arguments(self) -> Mapping[str, Takes]:
        """All arguments that it takes."""
        return {**self.required, **self.optional}


_ARGUMENTS = {
    "column": Takes.TEXT,
    "column_A": Takes.TEXT,
    "column_B": Takes.TEXT,
    "column_index": Takes.WHOLE,
    "column_list": Takes.TEXTS,
    "column_set": Takes.TEXTS,
    "allow_relative_error": Takes.SWITCH,
    "bucketize_data": Takes.SWITCH,
    "double_sided": Takes.SWITCH,
    "exact_match": Takes.SWITCH,
    "ignore_row_if": Takes.TEXT,
    "internal_weight_holdout": Takes.SHARE,
    "json_schema": Takes.MAPPING,
    "match_on": Takes.TEXT,
    "max_value": Takes.LIMIT,
    "method": Takes.TEXT,
    "min_value": Takes.LIMIT,
    "mostly": Takes.SHARE,
    "multiplier": Takes.NUMBER,
    "or_equal": Takes.SWITCH,
    "partition_object": Takes.MAPPING,
    "quantile_ranges": Takes.MAPPING,
    "regex": Takes.TEXT,
    "regex_list": Takes.TEXTS,
    "strftime_format": Takes.TEXT,
    "strict_max": Takes.SWITCH,
    "strict_min": Takes.SWITCH,
    "strictly": Takes.SWITCH,
    "sum_total": Takes.NUMBER,
    "tail_weight_holdout": Takes.SHARE,
    "threshold": Takes.NUMBER,
    "ties_okay": Takes.SWITCH,
    "type_": Takes.TEXT,
    "type_list": Takes.TEXTS,
    "value": Takes.NUMBER,
    "value_pairs_set": Takes.VALUES,
    "value_set": Takes.VALUES,
}

_BETWEEN = "min_value? max_value? strict_min? strict_max?"

# One line each: `*` judges values one by one, `?` marks what may be left out.
_TYPES = f"""
expect_column_distinct_values_to_be_in_set column value_set
expect_column_distinct_values_to_contain_set column value_set
expect_column_distinct_values_to_equal_set column value_set
expect_column_kl_divergence_to_be_less_than column partition_object? threshold? \
internal_weight_holdout? tail_weight_holdout? bucketize_data? min_value? max_value?
expect_column_max_to_be_between column {_BETWEEN}
expect_column_mean_to_be_between column {_BETWEEN}
expect_column_median_to_be_between column {_BETWEEN}
expect_column_min_to_be_between column {_BETWEEN}
expect_column_most_common_value_to_be_in_set column value_set ties_okay?
expect_column_pair_values_a_to_be_greater_than_b column_A column_B mostly? or_equal? ignore_row_if?
expect_column_pair_values_to_be_equal column_A column_B mostly? ignore_row_if?
expect_column_pair_values_to_be_in_set column_A column_B value_pairs_set mostly? ignore_row_if?
expect_column_proportion_of_non_null_values_to_be_between column {_BETWEEN}
expect_column_proportion_of_unique_values_to_be_between column {_BETWEEN}
expect_column_quantile_values_to_be_between column quantile_ranges allow_relative_error?
expect_column_stdev_to_be_between column {_BETWEEN}
expect_column_sum_to_be_between column {_BETWEEN}
expect_column_to_exist column column_index?
expect_column_unique_value_count_to_be_between column {_BETWEEN}
*expect_column_value_lengths_to_be_between column mostly? {_BETWEEN}
*expect_column_value_lengths_to_equal column value mostly?
*expect_column_value_z_scores_to_be_less_than column threshold double_sided mostly?
*expect_column_values_to_be_between column mostly? {_BETWEEN}
*expect_column_values_to_be_dateutil_parseable column mostly?
*expect_column_values_to_be_decreasing column mostly? strictly?
*expect_column_values_to_be_in_set column value_set mostly?
*expect_column_values_to_be_in_type_list column type_list? mostly?
*expect_column_values_to_be_increasing column mostly? strictly?
*expect_column_values_to_be_json_parseable column mostly?
*expect_column_values_to_be_null column mostly?
*expect_column_values_to_be_of_type column type_ mostly?
*expect_column_values_to_be_unique column mostly?
*expect_column_values_to_match_json_schema column json_schema mostly?
*expect_column_values_to_match_regex column regex? mostly?
*expect_column_values_to_match_regex_list column regex_list mostly? match_on?
*expect_column_values_to_match_strftime_format column strftime_format mostly?
*expect_column_values_to_not_be_in_set column value_set mostly?
*expect_column_values_to_not_be_null column mostly?
*expect_column_values_to_not_be_outliers column mostly? method? multiplier?
*expect_column_values_to_not_match_regex column regex mostly?
*expect_column_values_to_not_match_regex_list column regex_list mostly?
expect_compound_columns_to_be_unique column_list mostly? ignore_row_if?
expect_multicolumn_sum_to_equal column_list sum_total mostly? ignore_row_if?
expect_multicolumn_values_to_be_equal column_list mostly? ignore_row_if?
expect_select_column_values_to_be_unique_within_record column_list mostly? ignore_row_if?
expect_table_column_count_to_be_between min_value? max_value?
expect_table_column_count_to_equal value
expect_table_columns_to_match_ordered_list column_list?
expect_table_columns_to_match_set column_set? exact_match?
expect_table_row_count_to_be_between {_BETWEEN}
expect_table_row_count_to_equal value
"""


def _read(line: str) -> ExpectationType:
    name, *words = line.split()
    return ExpectationType(
        name=name.lstrip("*"),
        required={word: _ARGUMENTS[word] for word in words if not word.endswith("?")},
        optional={word[:-1]: _ARGUMENTS[word[:-1]] for word in words if word.endswith("?")},
        by_value=name.startswith("*"),
    )


EXPECTATION_TYPES: dict[str, ExpectationType] = {
    each.name: each for each in map(_read, filter(None, _TYPES.splitlines()))
}


def expectation_type(name: str) -> ExpectationType:
    """The expectation of this name; ValueError with a suggestion when there is none."""
    if name not in EXPECTATION_TYPES:
        hint = did_you_mean(name, EXPECTATION_TYPES) or "; they are those of Great Expectations"
        raise ValueError(f"'{name[:80]}' is not an expectation{hint}")
    return EXPECTATION_TYPES[name]


def check_arguments(name: str, given: Mapping[str, object], *, whole: bool = True) -> None:
    """ValueError with a sentence unless these arguments fit; `whole` asks for all required ones."""
    expectation = expectation_type(name)
    for argument, value in given.items():
        if argument not in expectation.arguments:
            hint = did_you_mean(argument, expectation.arguments)
            raise ValueError(f"{name} takes no argument '{argument[:80]}'{hint}")
        takes = expectation.arguments[argument]
        if not _fits(value, takes):
            raise ValueError(f"{argument} of {name} must be {takes.value}, not {_shown(value)}")
    missing = [argument for argument in expectation.required if argument not in given]
    if whole and missing:
        raise ValueError(f"{name} needs the argument '{missing[0]}'")


def _fits(value: object, takes: Takes) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    match takes:
        case Takes.TEXT:
            return isinstance(value, str)
        case Takes.NUMBER:
            return is_number
        case Takes.SHARE:
            return isinstance(value, int | float) and is_number and 0 <= value <= 1
        case Takes.WHOLE:
            return isinstance(value, int) and is_number
        case Takes.LIMIT:
            return is_number or isinstance(value, str)
        case Takes.SWITCH:
            return isinstance(value, bool)
        case Takes.TEXTS:
            return isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)
        case Takes.VALUES:
            return isinstance(value, list | tuple)
        case Takes.MAPPING:
            return isinstance(value, dict)


def _shown(value: object) -> str:
    text = "nothing" if value is None else repr(value)
    return text if len(text) <= 42 else f"{text[:40]}…"
