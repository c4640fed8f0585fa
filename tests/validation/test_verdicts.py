"""What the file is, and what was not met, make the verdict."""

import pytest

from crawler.readers.content import Content, Paper, Part, Trouble
from crawler.readers.kinds import Kind
from crawler.validation.inspection import Inspection
from crawler.validation.outcome import Check, Judgement, Severity
from crawler.validation.verdicts import MAX_CHECKS, Finding, decide
from tests.validation.frames import GOOD, inspected


def finding(severity: Severity, *, met: bool = False, name: str = "x", table: str = "") -> Finding:
    check = Check(name=name, expectation="e", severity=severity, met=met, table=table)
    return Finding(check, f"{name} is not met.")


@pytest.mark.parametrize(
    ("content", "verdict", "code"),
    [
        (Content(Kind.HTML), Judgement.NOT_A_DATASET, "html"),
        (Content(Kind.ERROR_MESSAGE), Judgement.NOT_A_DATASET, "error-message"),
        (Content(Kind.BINARY), Judgement.NOT_A_DATASET, "unknown-kind"),
        (
            Content(Kind.BINARY, trouble=Trouble.UNSUPPORTED),
            Judgement.NOT_A_DATASET,
            "unknown-kind",
        ),
        (Content(Kind.ZIP, inner=(Kind.HTML,)), Judgement.NOT_A_DATASET, "html"),
        (Content(Kind.BINARY, trouble=Trouble.CRASHED), Judgement.BROKEN, "crashed"),
        (Content(Kind.EMPTY), Judgement.BROKEN, "empty"),
        (
            Content(Kind.ZIP, parts=(Part("a.xls", Kind.XLS, Trouble.CORRUPT),)),
            Judgement.BROKEN,
            "unread-parts",
        ),
        (Content(Kind.PDF, paper=Paper(pages=3)), Judgement.DOCUMENT, "no-table"),
        (Content(Kind.PDF, paper=Paper(pages=3, scanned=True)), Judgement.DOCUMENT, "scanned"),
        (Content(Kind.DOCUMENT), Judgement.DOCUMENT, "no-table"),
        (Content(Kind.ZIP, inner=(Kind.DOCUMENT,)), Judgement.DOCUMENT, "no-table"),
    ],
)
def test_a_file_without_tables_is_judged_by_what_it_is(
    content: Content, verdict: Judgement, code: str
) -> None:
    outcome = decide(inspected(content, ""), [])

    assert outcome.verdict is verdict
    assert [reason.code for reason in outcome.reasons] == [code]
    assert outcome.reasons[0].sentence.endswith(".")


@pytest.mark.parametrize("trouble", list(Trouble))
def test_every_trouble_breaks_a_file_with_a_sentence(trouble: Trouble) -> None:
    outcome = decide(Inspection(Kind.XLSX, trouble=trouble, detail="at byte 7"), [])

    (reason,) = outcome.reasons
    assert (outcome.verdict, reason.code) == (Judgement.BROKEN, trouble.value)
    assert reason.sentence.endswith(": at byte 7.")


@pytest.mark.parametrize(
    ("severities", "verdict"),
    [
        ([], Judgement.VALID),
        ([Severity.NOTE], Judgement.VALID),
        ([Severity.NOTE, Severity.WARNING], Judgement.SUSPECT),
        ([Severity.WARNING, Severity.ERROR], Judgement.BROKEN),
    ],
)
def test_the_gravest_unmet_check_decides(severities: list[Severity], verdict: Judgement) -> None:
    findings = [finding(severity) for severity in severities]

    outcome = decide(inspected(GOOD), [*findings, finding(Severity.ERROR, met=True, name="y")])

    assert outcome.verdict is verdict
    assert len(outcome.reasons) == len(severities)


def test_graver_reasons_come_first() -> None:
    order = [Severity.NOTE, Severity.ERROR, Severity.WARNING]

    outcome = decide(inspected(GOOD), [finding(severity) for severity in order])

    assert [reason.severity for reason in outcome.reasons] == list(Severity)


def test_a_document_may_be_odd_and_stays_a_document() -> None:
    outcome = decide(inspected(Content(Kind.DOCUMENT)), [finding(Severity.WARNING)])

    assert outcome.verdict is Judgement.DOCUMENT
    assert [reason.code for reason in outcome.reasons] == ["no-table", "x"]


def test_checks_of_many_tables_are_told_once_where_they_are_met() -> None:
    findings = [finding(Severity.WARNING, met=True, table=f"s{n}") for n in range(500)]
    findings += [finding(Severity.WARNING, name="y", table=f"s{n}") for n in range(3)]

    outcome = decide(inspected(GOOD), findings)

    assert [(check.name, check.table) for check in outcome.checks] == [
        ("y", "s0"),
        ("y", "s1"),
        ("y", "s2"),
        ("x", ""),
    ]
    many = decide(inspected(GOOD), [finding(Severity.NOTE, table=f"s{n}") for n in range(500)])
    assert len(many.checks) == MAX_CHECKS


def test_hostile_details_become_plain_and_short() -> None:
    detail = "\x1b[31m\u202e<script>" + "x" * 5000

    outcome = decide(Inspection(Kind.XLSX, trouble=Trouble.CORRUPT, detail=detail), [])

    sentence = outcome.reasons[0].sentence
    assert sentence.isprintable()
    assert len(sentence) < 400
