"""The judge: runs the suites over the facts of a batch of files, and gives each file its verdict.

One run of Great Expectations costs about the same for one file and for hundreds, so that it is made
once per batch, over the table of facts, with the expectations of all suites; each file is then
given the answers to those of its own suite.
"""

import json
import logging
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from crawler.config.validation import ValidationConfig
from crawler.readers.bounds import DEFAULT_BOUNDS, Bounds
from crawler.validation.check_spec import CheckSpec
from crawler.validation.facts_frame import FILE, NO_TABLE, TABLE, Row, facts_frame, facts_of
from crawler.validation.inspection import Inspection, InspectionRequest
from crawler.validation.outcome import Check, Outcome, Profile, Severity
from crawler.validation.overrides import ensure_fitting, with_changes
from crawler.validation.plain import plain
from crawler.validation.running import RUNNER, Answer, Asked
from crawler.validation.suites import Suite, Suites
from crawler.validation.verdicts import Finding, decide

log = logging.getLogger(__name__)

_COLUMN_OF = {
    "dates": "dates_column",
    "first-year": "year_column",
    "last-year": "year_column",
    "value-ranges": "out_of_range_column",
}
"""Checks whose reason names a column."""


class Judge:
    """Judges the files of one site by the suites and by what the site changes in them."""

    def __init__(
        self, suites: Suites, config: ValidationConfig | None = None, *, site: str = ""
    ) -> None:
        self._suites = suites
        self._config = config or ValidationConfig()
        ensure_fitting(self._config, suites, site)
        self._changed: dict[tuple[str, tuple[int, ...]], Suite] = {}

    def request(
        self,
        name: str,
        declared: str = "",
        *,
        previous: Profile | None = None,
        bounds: Bounds = DEFAULT_BOUNDS,
    ) -> InspectionRequest:
        """What is to be found out of a file of this site, given its address."""
        rules = self._config.rules_of(self._config.matching(name))
        return InspectionRequest(
            name=name,
            declared=declared,
            bounds=bounds,
            required_columns=rules.required_columns,
            ranges=rules.ranges,
            cell_expectations=rules.cells,
            previous=previous,
        )

    def suite_of(self, inspection: Inspection) -> Suite:
        """The suite that judges a file, with the site's changes."""
        places = self._config.matching(inspection.name)
        suite = self._suites.of(inspection.kind)
        key = (suite.name, places)
        if key not in self._changed:
            self._changed[key] = with_changes(suite, self._config.rules_of(places))
        return self._changed[key]

    def judge(self, inspections: Sequence[Inspection]) -> list[Outcome]:
        """The outcome of each file, in their order; what a file holds never makes it raise."""
        cases = [_Case(one, self.suite_of(one), facts_of(one)) for one in inspections]
        return _judge_together(cases)


@dataclass(frozen=True, slots=True)
class _Case:
    """A file before the judge."""

    inspection: Inspection
    suite: Suite
    facts: dict[int, Row]


def _judge_together(cases: Sequence[_Case]) -> list[Outcome]:
    """All files in one run; where that fails, one by one, so that one costs only itself."""
    if not cases:
        return []
    try:
        return _run(cases)
    except Exception:
        log.exception("the expectations could not be run over %d files", len(cases))
    if len(cases) > 1:
        return [outcome for case in cases for outcome in _judge_together([case])]
    [case] = cases
    failed = [_error(spec, "the suite failed on this file") for spec in case.suite.checks]
    return [decide(case.inspection, failed)]


def _run(cases: Sequence[_Case]) -> list[Outcome]:
    questions = {_question(spec): spec for case in cases for spec in case.suite.checks}
    asked = [
        Asked(question, spec.expectation, spec.arguments, spec.severity)
        for question, spec in questions.items()
    ]
    answers = RUNNER.run(facts_frame([case.facts for case in cases]), asked, keys=(FILE, TABLE))
    failed: dict[tuple[int, str], list[int]] = defaultdict(list)
    for question, answer in answers.items():
        for file, table in answer.failed:
            failed[file, question].append(table)
    return [
        decide(
            case.inspection,
            [
                finding
                for spec in case.suite.checks
                for question in [_question(spec)]
                for finding in _findings(
                    case,
                    spec,
                    answers.get(question, Answer(met=False, error="it gave no answer")),
                    failed.get((place, question), []),
                )
            ],
        )
        for place, case in enumerate(cases)
    ]


def _question(spec: CheckSpec) -> str:
    """Checks of several suites that ask the same are asked once."""
    arguments = json.dumps(dict(spec.arguments), sort_keys=True)
    return f"{spec.expectation} {spec.severity} {arguments}"


def _findings(
    case: _Case, spec: CheckSpec, answer: Answer, failed: Sequence[int]
) -> Iterator[Finding]:
    if answer.error:
        yield _error(spec, answer.error)
    elif failed:
        yield from (_unmet(case, spec, table) for table in failed)
    else:
        yield from _met(case, spec)


def _unmet(case: _Case, spec: CheckSpec, table: int) -> Finding:
    facts = case.facts[NO_TABLE] | case.facts[table]
    name = case.inspection.facts.per_table[table].name if table != NO_TABLE else ""
    column = facts.get(_COLUMN_OF.get(spec.name, ""))
    check = _check(spec, met=False, observed=spec.observe(facts), table=name)
    return Finding(check, spec.say(facts), str(column or ""))


def _met(case: _Case, spec: CheckSpec) -> Iterator[Finding]:
    """The check as met, with its figure; nothing when nothing was there to be judged."""
    rows = [row for row in case.facts.values() if spec.fact in row]
    if not spec.expectation.endswith("_to_be_null"):
        rows = [row for row in rows if row[spec.fact] is not None]
    if rows:
        observed = spec.observe(rows[0]) if len(rows) == 1 else f"{len(rows)} tables"
        yield Finding(_check(spec, met=True, observed=observed))


def _error(spec: CheckSpec, error: str) -> Finding:
    """A check that failed by itself: the file may be fine, and is at most suspect."""
    check = _check(spec, met=False, observed=plain(error, 200))
    if check.severity is Severity.ERROR:
        check = check.model_copy(update={"severity": Severity.WARNING})
    return Finding(check, f"The check {spec.name} could not be run: {check.observed}.")


def _check(spec: CheckSpec, *, met: bool, observed: str = "", table: str = "") -> Check:
    return Check(
        name=spec.name,
        expectation=spec.expectation,
        severity=spec.severity,
        met=met,
        observed=observed,
        table=plain(table),
    )
