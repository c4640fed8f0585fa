"""Suites are data: they extend each other, and every mistake in them is told with its line."""

from pathlib import Path

import pytest

from crawler.config.expectation_types import Severity
from crawler.errors import ConfigError
from crawler.readers.kinds import Kind
from crawler.validation.check_spec import CheckSpec
from crawler.validation.facts_frame import FACTS
from crawler.validation.suites import Suites, load_suites, read_suites

SHIPPED = Path(__file__).parents[2] / "include" / "expectations"
ALL_KINDS = f"kinds: [{', '.join(kind.value for kind in Kind)}]\n"
BASE = (
    "description: All files.\n"
    + ALL_KINDS
    + """checks:
  some-rows:
    expectation: expect_column_values_to_be_between
    arguments: {column: rows, min_value: 1}
    severity: warning
    sentence: "{rows} rows, less than {min_value}."
"""
)


@pytest.fixture(scope="module")
def shipped() -> Suites:
    return load_suites(SHIPPED)


def problems_of(folder: Path, **files: str) -> list[str]:
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    suites, problems = read_suites(folder)
    assert (suites is None) == bool(problems)
    return [f"{p.file.name}:{p.line}: {p.field}: {p.reason}" for p in problems]


def test_every_kind_has_a_suite_that_asks_whether_it_is_readable(shipped: Suites) -> None:
    for kind in Kind:
        assert shipped.of(kind).check("readable") is not None


@pytest.mark.parametrize(
    "name",
    [
        *("readable", "not-empty", "header", "consistent-width", "numeric-share"),
        *("repeated-headers", "dates", "first-year", "last-year", "rows-kept", "columns-lost"),
        *("columns-added", "announced-kind", "required-columns", "value-ranges"),
    ],
)
def test_a_delimited_file_is_asked_everything(shipped: Suites, name: str) -> None:
    assert shipped.of(Kind.DELIMITED).check(name) is not None


def test_every_fact_that_a_check_judges_is_explained(shipped: Suites) -> None:
    judged = {check.fact for suite in shipped.by_name.values() for check in suite.checks}

    assert judged <= set(FACTS)
    assert all(fact.meaning for fact in FACTS.values())


def test_a_suite_changes_what_it_extends(shipped: Suites) -> None:
    table, codes = shipped.by_name["table"], shipped.by_name["sdmx-csv"]
    before, after = table.check("numeric-share"), codes.check("numeric-share")

    assert before is not None
    assert after is not None
    assert before.arguments == {"column": "numeric_share", "min_value": 0.05}
    assert after.arguments == {"column": "numeric_share", "min_value": 0.01}
    assert after.sentence == before.sentence
    assert shipped.by_name["columnar"].check("header") is None


def test_a_sentence_is_filled_with_facts_and_limits() -> None:
    check = CheckSpec(
        name="x",
        expectation="expect_column_values_to_be_between",
        arguments={"column": "numeric_share", "min_value": 0.05},
        severity=Severity.WARNING,
        sentence="{numeric_share} of {rows} rows, at least {min_value}; {unread_names}.",
    )

    said = check.say({"numeric_share": 0.004, "rows": 12_345.0, "unread_names": "a\n\u202eb"})

    assert said == "0.4 % of 12,345 rows, at least 5 %; a b."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("checks: {}\n", "kind.yaml:1: description: is required"),
        ("description: x\nextend: base\n", 'unknown key; did you mean "extends"?'),
        ("description: x\nextends: bas\n", "kind.yaml:2: extends: there is no suite 'bas'; did"),
        ("description: x\nextends: kind\n", "kind.yaml:2: extends: extends itself in the end"),
        (
            "description: x\nextends: base\nchecks:\n  some-row: off\n",
            "kind.yaml:4: checks.some-row: there is no check of this name to leave out; did you "
            'mean "some-rows"?',
        ),
        (
            "description: x\nextends: base\nchecks:\n  some-row: {severity: error}\n",
            "kind.yaml:4: checks.some-row: a new check needs expectation; did you mean",
        ),
        (
            "description: x\nextends: base\nchecks:\n  some-rows: {severity: fatal}\n",
            "checks.some-rows.severity: must be one of error, warning, note, not 'fatal'",
        ),
        (
            "description: x\nextends: base\nchecks:\n  some-rows: {arguments: {min: 2}}\n",
            "takes no argument 'min'",
        ),
        (
            "description: x\nextends: base\nchecks:\n  some-rows: {arguments: {min_value: [2]}}\n",
            "min_value of expect_column_values_to_be_between must be a number, or a date in quotes",
        ),
        (
            "description: x\nextends: base\nchecks:\n  some-rows: {arguments: {column: row}}\n",
            "there is no fact 'row'; did you mean \"rows\"?",
        ),
        (
            "description: x\nextends: base\nchecks:\n  some-rows: {arguments: {mostly: 0.5}}\n",
            "every file is judged by itself",
        ),
        (
            "description: x\nextends: base\nchecks:\n"
            "  some-rows: {expectation: expect_colum_values_to_be_null}\n",
            'is not an expectation; did you mean "expect_column_values_to_be_null"?',
        ),
        (
            "description: x\nextends: base\nchecks:\n"
            "  some-rows: {expectation: expect_column_mean_to_be_between, "
            "arguments: {column: rows, min_value: 1}}\n",
            "judges a whole batch",
        ),
        (
            "description: x\nextends: base\nchecks:\n  some-rows: {sentence: 'only {row} rows'}\n",
            "the sentence names {row}, which is neither a fact nor an argument",
        ),
        ("description: x\nkinds: [xsl]\n", "kind.yaml:2: kinds.0: must be one of"),
        ("description: x\nkinds: [pdf]\n", "'pdf' already belongs to the suite 'base'"),
        ("just words\n", "kind.yaml:1: : must be a mapping with description and checks"),
        ("a: [\n", "is not valid YAML"),
    ],
)
def test_a_mistake_is_reported_where_it_is(tmp_path: Path, text: str, expected: str) -> None:
    found = problems_of(tmp_path, base=BASE, kind=text)

    assert any(expected in line for line in found), found


def test_a_kind_without_a_suite_is_a_problem(tmp_path: Path) -> None:
    (found,) = problems_of(tmp_path, base=BASE.replace("pdf, ", "").replace("xls, ", ""))

    assert "no suite is for xls, pdf" in found


def test_a_folder_that_is_not_there_is_named_with_its_setting(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere.*TALLYHO_EXPECTATIONS_DIR"):
        load_suites(tmp_path / "nowhere")
