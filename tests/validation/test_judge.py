"""The judge runs real expectations over the facts of a batch; each file gets its own verdict."""

from pathlib import Path
from typing import Any

import pytest

from crawler.config.validation import ValidationConfig
from crawler.readers.content import Content, Trouble
from crawler.readers.kinds import Kind
from crawler.validation.expectations import Judge
from crawler.validation.inspection import Inspection, inspect_content
from crawler.validation.outcome import Judgement, Outcome, Severity
from crawler.validation.suites import Suites, load_suites
from tests.validation.frames import GOOD, config, file_of, inspected, table

pytestmark = pytest.mark.slow  # importing the library takes seconds, once per process

SHIPPED = Path(__file__).parents[2] / "include" / "expectations"


@pytest.fixture(scope="module")
def suites() -> Suites:
    return load_suites(SHIPPED)


def judged(
    suites: Suites,
    content: Content | dict[str, Any],
    validation: ValidationConfig | None = None,
    name: str = "births.csv",
    **request: Any,
) -> Outcome:
    judge = Judge(suites, validation)
    found = content if isinstance(content, Content) else file_of(table(content))
    asked = judge.request(name, **request)
    return judge.judge([inspect_content(found, asked)])[0]


def codes(outcome: Outcome) -> list[str]:
    return [reason.code for reason in outcome.reasons]


def test_a_good_table_is_valid_and_its_checks_are_kept(suites: Suites) -> None:
    outcome = judged(suites, GOOD)

    assert (outcome.verdict, outcome.reasons) == (Judgement.VALID, ())
    assert {check.name for check in outcome.checks} >= {"readable", "not-empty", "numeric-share"}
    assert all(check.met for check in outcome.checks)
    assert (outcome.rows, outcome.columns) == (20, 3)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (file_of(table({"a": [], "b": []})), "not-empty"),
        (file_of(table(GOOD, has_header=False)), "header"),
        (file_of(table(GOOD, widths={3: 10, 4: 5})), "consistent-width"),
        (file_of(table(GOOD, repeated_headers=1)), "repeated-headers"),
        (file_of(table({**GOOD, "date": ["soon"] * 20})), "dates"),
        (file_of(table({**GOOD, "year": [1, *range(2001, 2020)]})), "first-year"),
        (file_of(table({**GOOD, "year": [20010, *range(2001, 2020)]})), "last-year"),
    ],
)
def test_what_is_odd_makes_a_file_suspect(suites: Suites, content: Content, code: str) -> None:
    outcome = judged(suites, content)

    assert outcome.verdict is Judgement.SUSPECT
    assert code in codes(outcome)


def test_a_sentence_names_what_was_found(suites: Suites) -> None:
    outcome = judged(suites, {**GOOD, "year": [20010, *range(2001, 2020)]})

    reason = next(reason for reason in outcome.reasons if reason.code == "last-year")
    assert reason.column == "year"
    assert reason.sentence == (
        "The column year goes on to the year 20010; 2200 is the latest expected."
    )


def test_a_collapse_and_a_drift_against_the_previous_version_are_named(suites: Suites) -> None:
    before = inspected({**GOOD, "deaths": range(20)}).profile
    now = {"country": ["FR"] * 5, "year": range(2001, 2006), "marriages": range(5)}

    outcome = judged(suites, now, previous=before)

    said = {reason.code: reason for reason in outcome.reasons}
    assert outcome.verdict is Judgement.SUSPECT
    assert said["rows-kept"].sentence == (
        "The file has 5 rows, 25 % of the 20 that its previous version had."
    )
    assert "births, deaths" in said["columns-lost"].sentence
    assert "marriages" in said["columns-added"].sentence
    assert said["columns-added"].severity is Severity.NOTE


def test_a_column_more_is_noted_and_changes_no_verdict(suites: Suites) -> None:
    outcome = judged(suites, {**GOOD, "deaths": range(20)}, previous=inspected(GOOD).profile)

    assert (outcome.verdict, codes(outcome)) == (Judgement.VALID, ["columns-added"])


def test_a_page_under_the_name_of_a_file_is_not_a_dataset(suites: Suites) -> None:
    outcome = judged(suites, Content(Kind.HTML), name="births.xls")

    assert outcome.verdict is Judgement.NOT_A_DATASET
    assert codes(outcome) == ["html", "announced-kind"]


def test_a_workbook_called_csv_is_suspect(suites: Suites) -> None:
    outcome = judged(suites, file_of(table(GOOD), kind=Kind.XLSX))

    assert (outcome.verdict, codes(outcome)) == (Judgement.SUSPECT, ["announced-kind"])


def test_an_unreadable_file_is_broken_with_its_trouble(suites: Suites) -> None:
    outcome = judged(suites, Content(Kind.XLSX, trouble=Trouble.ENCRYPTED), name="births.xlsx")

    assert (outcome.verdict, codes(outcome)) == (Judgement.BROKEN, ["encrypted"])
    assert [check.name for check in outcome.checks if not check.met] == ["readable"]


def test_the_sheet_that_failed_is_named_and_notes_are_not_judged(suites: Suites) -> None:
    notes = table({"Notes": ["some", "words"]}, "notes", has_header=False)
    bad = table(GOOD, "bad", has_header=False)

    outcome = judged(
        suites, file_of(notes, table(GOOD, "good"), bad, kind=Kind.XLSX), name="births.xlsx"
    )

    assert [(reason.code, reason.table) for reason in outcome.reasons] == [("header", "bad")]


def test_a_batch_gives_each_file_what_it_would_get_alone(suites: Suites) -> None:
    judge = Judge(suites)
    batch = [
        inspected(GOOD),
        inspected(Content(Kind.HTML)),
        inspected(file_of(table(GOOD, has_header=False))),
        inspected(file_of(table(GOOD), kind=Kind.PARQUET), "births.parquet"),
        inspected(Content(Kind.PDF), "births.pdf"),
        inspected(Content(Kind.EMPTY)),
        inspected(file_of(table({"a": ["x"], "b": ["y"]}), kind=Kind.JSON), "births.json"),
    ]

    together = judge.judge(batch)

    assert together == [judge.judge([one])[0] for one in batch]
    assert len({outcome.verdict for outcome in together}) == len(Judgement)
    assert judge.judge([]) == []


def test_a_file_that_breaks_the_run_costs_only_itself(
    suites: Suites, monkeypatch: pytest.MonkeyPatch
) -> None:
    from crawler.validation import expectations

    real = expectations.facts_frame

    def breaking(facts: list[dict[int, dict[str, Any]]]) -> Any:
        if any(rows[-1]["detail"] == "poison" for rows in facts):
            raise RuntimeError("no frame can be made of this")
        return real(facts)

    monkeypatch.setattr(expectations, "facts_frame", breaking)
    good = inspected(GOOD)
    poison = Inspection(Kind.DELIMITED, facts=good.facts, detail="poison", profile=good.profile)

    outcomes = Judge(suites).judge([good, poison, good])

    assert [outcome.verdict for outcome in outcomes] == [
        Judgement.VALID,
        Judgement.SUSPECT,
        Judgement.VALID,
    ]
    assert "could not be run" in outcomes[1].reasons[0].sentence


def test_a_site_changes_limits_for_some_of_its_files(suites: Suites) -> None:
    wish = config(
        checks={"not-empty": {"arguments": {"min_value": 100}}},
        files=[{"match": "small", "checks": {"not-empty": False}}],
    )

    assert codes(judged(suites, GOOD, wish)) == ["not-empty"]
    assert codes(judged(suites, GOOD, wish, "small.csv")) == []


def test_required_columns_and_ranges_of_a_site_break_a_file(suites: Suites) -> None:
    wish = config(required_columns=["Year", "sex"], ranges={"births": {"max": 1010}})

    outcome = judged(suites, GOOD, wish)

    assert outcome.verdict is Judgement.BROKEN
    assert sorted(codes(outcome)) == ["required-columns", "value-ranges"]
    assert "sex" in outcome.reasons[0].sentence
    assert outcome.reasons[1].column == "births"


def test_hostile_names_stay_plain_text(suites: Suites) -> None:
    name = "<script>alert('{rows} $x %s')</script>\u202e"

    outcome = judged(suites, {**GOOD, name: ["x"] * 20}, config(required_columns=["a{0}b"]))

    assert "a{0}b" in outcome.reasons[0].sentence
    assert outcome.profile.tables[0].columns[3].name == "<script>alert('{rows} $x %s')</script>"
