"""What a site expects of its files is checked as far as it can be without the suites."""

from pathlib import Path

import pytest

from crawler.config.expectation_types import Severity
from crawler.config.load import load_site, read_site

START = "start_url: https://stats.example.org/\n"


def problems_of(folder: Path, text: str) -> list[str]:
    path = folder / "example.yaml"
    path.write_text(START + text, encoding="utf-8")
    return [f"{p.line}: {p.field}: {p.reason}" for p in read_site(path)[1]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "validation:\n  check: {}\n",
            '3: validation.check: unknown key; did you mean "checks"?',
        ),
        (
            "validation:\n  checks:\n    header: {severty: error}\n",
            '4: validation.checks.header.severty: unknown key; did you mean "severity"?',
        ),
        (
            "validation:\n  checks:\n    header: {severity: fatal}\n",
            "4: validation.checks.header.severity: must be one of error, warning, note",
        ),
        ("validation:\n  checks:\n    header: on\n", "must be a mapping (key: value), not true"),
        ("validation:\n  checks:\n    Not Empty: off\n", "use small letters, digits and -"),
        (
            "validation:\n  ranges:\n    share: {min: 5, max: 1}\n",
            "4: validation.ranges.share: min must not be more than max, but 5 is",
        ),
        ("validation:\n  ranges:\n    share: {}\n", "validation.ranges.share: needs min or max"),
        (
            "validation:\n  cells:\n    - expectation: expect_column_values_to_be_betwen\n",
            "4: validation.cells.0.expectation: 'expect_column_values_to_be_betwen' is not an "
            'expectation; did you mean "expect_column_values_to_be_between"?',
        ),
        (
            "validation:\n  cells:\n    - expectation: expect_column_values_to_be_unique\n"
            "      arguments: {colum: x}\n",
            "4: validation.cells.0: expect_column_values_to_be_unique takes no argument 'colum'; "
            'did you mean "column"?',
        ),
        (
            "validation:\n  cells:\n    - expectation: expect_column_values_to_be_unique\n",
            "needs the argument 'column'",
        ),
        (
            "validation:\n  cells:\n    - {expectation: expect_column_values_to_be_unique, "
            "arguments: {column: a, row_condition: 'x'}}\n",
            "takes no argument 'row_condition'",
        ),
        ("validation:\n  files:\n    - {}\n", "4: validation.files.0.match: is required"),
        ("validation:\n  files:\n    - match: '('\n", "is not a regular expression"),
        ("validation: {required_columns: sex}\n", "must be a list, not 'sex'"),
        ("validation: {same_columns: 1}\n", "must be true or false, not 1"),
    ],
)
def test_a_mistake_is_reported_where_it_is(tmp_path: Path, text: str, expected: str) -> None:
    found = problems_of(tmp_path, text)

    assert any(expected in line for line in found), found


def test_off_is_what_yaml_makes_of_it(tmp_path: Path) -> None:
    path = tmp_path / "example.yaml"
    path.write_text(
        START + "validation: {checks: {header: off, dates: false, not-empty: {severity: error}}}\n"
    )

    checks = load_site(path).validation.checks

    assert (checks["header"], checks["dates"]) == (False, False)
    change = checks["not-empty"]
    assert change is not False
    assert (change.severity, change.arguments) == (Severity.ERROR, {})


def test_without_a_word_about_it_everything_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "example.yaml"
    path.write_text(START)

    validation = load_site(path).validation

    assert validation.enabled
    assert (validation.checks, validation.required_columns, validation.cells) == ({}, (), ())


@pytest.mark.parametrize("written", ["validation: false", "validation: {enabled: false}"])
def test_validation_can_be_switched_off(tmp_path: Path, written: str) -> None:
    path = tmp_path / "example.yaml"
    path.write_text(f"{START}{written}\n")

    assert not load_site(path).validation.enabled
