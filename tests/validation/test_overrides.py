"""A site changes checks by name; what it cannot change is told with file, field and suggestion."""

from pathlib import Path

import pytest

from crawler.config.expectation_types import Severity
from crawler.errors import ConfigError
from crawler.readers.kinds import Kind
from crawler.validation.overrides import check_validation, ensure_fitting, with_changes
from crawler.validation.suites import Suites, load_suites
from tests.validation.frames import config

SHIPPED = Path(__file__).parents[2] / "include" / "expectations"
START = "start_url: https://stats.example.org/\n"


@pytest.fixture(scope="module")
def suites() -> Suites:
    return load_suites(SHIPPED)


def problems_of(folder: Path, text: str, expectations: Path = SHIPPED) -> list[str]:
    path = folder / "example.yaml"
    path.write_text(START + text, encoding="utf-8")
    return [f"{p.line}: {p.field}: {p.reason}" for p in check_validation([path], expectations)]


def test_limits_and_severities_are_changed_and_checks_left_out(suites: Suites) -> None:
    wish = config(
        checks={
            "not-empty": {"arguments": {"min_value": 10}, "severity": "error"},
            "header": False,
        }
    )

    changed = with_changes(suites.of(Kind.DELIMITED), wish)

    rows = changed.check("not-empty")
    assert rows is not None
    assert rows.arguments == {"column": "rows", "min_value": 10}
    assert rows.severity is Severity.ERROR
    assert changed.check("header") is None
    assert len(changed.checks) == len(suites.of(Kind.DELIMITED).checks) - 1


def test_the_same_columns_are_demanded_in_one_word(suites: Suites) -> None:
    changed = with_changes(suites.of(Kind.DELIMITED), config(same_columns=True))

    severities = [changed.check(name) for name in ("columns-lost", "columns-added")]
    assert [check.severity for check in severities if check] == [Severity.ERROR] * 2


def test_rules_for_some_files_add_to_those_for_all() -> None:
    wish = config(
        required_columns=["year"],
        ranges={"share": {"min": 0}},
        checks={"header": False, "dates": {"severity": "note"}},
        files=[
            {"match": "births", "required_columns": ["births"], "checks": {"dates": False}},
            {"match": r"\.xlsx$", "ranges": {"share": {"max": 1}}, "same_columns": True},
        ],
    )

    births = wish.rules_of(wish.matching("https://a.org/births.csv"))
    other = wish.rules_of(wish.matching("https://a.org/deaths.xlsx"))

    assert births.required_columns == ("year", "births")
    assert births.checks["dates"] is False
    assert next(iter(births.ranges.values())).min == 0
    assert (other.required_columns, other.same_columns) == (("year",), True)
    assert (other.ranges["share"].min, other.ranges["share"].max) == (None, 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "validation:\n  checks:\n    not-emty: off\n",
            "4: validation.checks.not-emty: there is no check of this name; did you mean "
            '"not-empty"?',
        ),
        (
            "validation:\n  checks:\n    not-empty: {arguments: {min_valu: 3}}\n",
            "4: validation.checks.not-empty.arguments: expect_column_values_to_be_between takes "
            "no argument 'min_valu'; did you mean \"min_value\"?",
        ),
        (
            "validation:\n  checks:\n    not-empty: {arguments: {min_value: true}}\n",
            "must be a number, or a date in quotes, not True",
        ),
        (
            "validation:\n  checks:\n    not-empty: {arguments: {column: width}}\n",
            "'column' of a check cannot be changed",
        ),
        (
            "validation:\n  checks:\n    readable: off\n",
            "validation.checks.readable: cannot be changed: it is what the verdict means",
        ),
        (
            "validation:\n  files:\n    - match: births\n      checks:\n        datse: off\n",
            "6: validation.files.0.checks.datse: there is no check of this name; did you mean "
            '"dates"?',
        ),
    ],
)
def test_a_change_that_does_not_fit_is_reported_where_it_is(
    tmp_path: Path, text: str, expected: str
) -> None:
    found = problems_of(tmp_path, text)

    assert any(expected in line for line in found), found


def test_a_site_that_fits_has_no_problem(tmp_path: Path) -> None:
    text = "validation: {checks: {not-empty: {arguments: {min_value: 3}}, unread-parts: off}}\n"

    assert problems_of(tmp_path, text) == []


def test_broken_suites_are_reported_with_the_sites(tmp_path: Path) -> None:
    folder = tmp_path / "suites"
    folder.mkdir()
    (folder / "bad.yaml").write_text("descripton: x\n")

    assert any("descripton" in line for line in problems_of(tmp_path, "", folder))


def test_missing_suites_concern_only_sites_that_change_some(tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"

    assert problems_of(tmp_path, "", nowhere) == []
    (found,) = problems_of(tmp_path, "validation: {checks: {header: off}}\n", nowhere)
    assert "TALLYHO_EXPECTATIONS_DIR" in found


def test_a_judge_is_not_made_of_what_does_not_fit(suites: Suites) -> None:
    with pytest.raises(ConfigError, match=r"demo: validation.checks.heade: .*header"):
        ensure_fitting(config(checks={"heade": False}), suites, "demo")


def test_unknown_checks_are_told_whatever_else_is_wrong_in_the_file(tmp_path: Path) -> None:
    text = """\
schedule: never
validation:
  checks: {no-such: false}
  files:
    - match: "("
      checks: {nor-this: false}
"""
    assert problems_of(tmp_path, text) == [
        "4: validation.checks.no-such: there is no check of this name",
        "7: validation.files.0.checks.nor-this: there is no check of this name",
    ]
