"""The verdict: what the findings together say of a file. Nothing here reads, counts or runs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from crawler.readers.content import Trouble
from crawler.readers.kinds import ARCHIVES, NOT_DATA, Kind
from crawler.validation.check_spec import STRUCTURAL
from crawler.validation.inspection import Inspection
from crawler.validation.outcome import Check, Judgement, Outcome, Reason, Severity
from crawler.validation.plain import listed, plain

MAX_REASONS = 30
MAX_CHECKS = 100

TROUBLE_SENTENCES = {
    Trouble.TRUNCATED: "The file ends before it is complete",
    Trouble.CORRUPT: "The file is damaged",
    Trouble.ENCRYPTED: "The file is protected by a password",
    Trouble.BOMB: "The file unpacks to far more than it may",
    Trouble.TOO_LARGE: "The file is larger than may be read",
    Trouble.TOO_DEEP: "The file is nested more deeply than may be read",
    Trouble.TIMEOUT: "Reading the file took too long and was stopped",
    Trouble.MEMORY: "Reading the file took more memory than it may have",
    Trouble.CRASHED: "The process that read the file died of it",
    Trouble.UNSUPPORTED: "The file is of a format that cannot be read here",
}
NOT_DATA_SENTENCES = {
    Kind.HTML: "A web page stands where a data file should be",
    Kind.ERROR_MESSAGE: "An error message stands where a data file should be",
    Kind.BINARY: "The file is of no kind that holds data",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """A check that was made, and what is to be said when it is not met."""

    check: Check
    sentence: str = ""
    column: str = ""


def decide(inspection: Inspection, findings: Sequence[Finding]) -> Outcome:
    """The verdict on a file, its reasons and its checks."""
    own = [Finding(check, _cell_sentence(check)) for check in inspection.checks]
    findings = [*findings, *own]
    verdict, reasons = _by_nature(inspection)
    reasons += _unmet(findings)
    severities = {reason.severity for reason in reasons if reason.code not in _natures(verdict)}
    if verdict in (None, Judgement.DOCUMENT) and Severity.ERROR in severities:
        verdict = Judgement.BROKEN
    if verdict is None:
        verdict = Judgement.SUSPECT if Severity.WARNING in severities else Judgement.VALID
    return Outcome(
        verdict=verdict,
        kind=inspection.kind,
        reasons=tuple(reasons[:MAX_REASONS]),
        checks=tuple(_fewer(finding.check for finding in findings)),
        profile=inspection.profile,
        coverage=inspection.coverage,
    )


def _natures(verdict: Judgement | None) -> frozenset[str]:
    """Codes that say what a document is; they make it no better and no worse."""
    return frozenset({"no-table", "scanned"}) if verdict is Judgement.DOCUMENT else frozenset()


def _by_nature(inspection: Inspection) -> tuple[Judgement | None, list[Reason]]:
    """The verdict that follows from what the file is; None where it has tables to be judged."""
    kind, trouble, detail = inspection.kind, inspection.trouble, inspection.detail
    if kind in NOT_DATA or (kind is Kind.BINARY and trouble in (None, Trouble.UNSUPPORTED)):
        code = "unknown-kind" if kind is Kind.BINARY else kind.value
        return Judgement.NOT_A_DATASET, [_reason(code, NOT_DATA_SENTENCES[kind], detail)]
    if trouble is not None:
        return Judgement.BROKEN, [_reason(trouble.value, TROUBLE_SENTENCES[trouble], detail)]
    if kind is Kind.EMPTY:
        return Judgement.BROKEN, [_reason("empty", "The file is empty", detail)]
    if inspection.facts.tables:
        return None, []
    inner = inspection.profile.inner
    if inner and all(kind in NOT_DATA for kind in inner):
        return Judgement.NOT_A_DATASET, [
            _reason(inner[0].value, NOT_DATA_SENTENCES[inner[0]], detail)
        ]
    if inspection.facts.unread_parts:
        names = listed(inspection.facts.unread_names)
        sentence = "Nothing in the archive can be read"
        return Judgement.BROKEN, [_reason("unread-parts", sentence, names)]
    return Judgement.DOCUMENT, [_document(inspection)]


def _document(inspection: Inspection) -> Reason:
    if inspection.profile.scanned:
        code, sentence = "scanned", "Its pages are pictures; no text and no table can be found"
    elif inspection.kind in ARCHIVES:
        code, sentence = "no-table", "No file in the archive holds a table"
    else:
        code, sentence = "no-table", "No table was found in it"
    pages = inspection.profile.pages
    detail = f"{pages} pages" if pages and pages > 1 else ""
    return _reason(code, sentence, detail, Severity.NOTE)


def _unmet(findings: Iterable[Finding]) -> list[Reason]:
    """The reasons of what was not met, the graver ones first."""
    order = list(Severity)
    reasons = [
        Reason(
            code=finding.check.name,
            sentence=finding.sentence or f"{finding.check.name}: {finding.check.observed}",
            severity=finding.check.severity,
            table=finding.check.table,
            column=finding.column,
        )
        for finding in findings
        if not finding.check.met and finding.check.name not in STRUCTURAL
    ]
    return sorted(reasons, key=lambda reason: order.index(reason.severity))


def _cell_sentence(check: Check) -> str:
    return f"{check.observed[:1].upper()}{check.observed[1:]}." if check.observed else ""


def _reason(code: str, sentence: str, detail: str, severity: Severity = Severity.ERROR) -> Reason:
    shown = plain(detail, 300).rstrip(".")
    if shown.lower() in sentence.lower():
        shown = ""
    return Reason(
        code=code, sentence=f"{sentence}: {shown}." if shown else f"{sentence}.", severity=severity
    )


def _fewer(checks: Iterable[Check]) -> list[Check]:
    """What failed in each table, and what was met once: a workbook has fifty sheets."""
    checked = list(checks)
    failed = [check for check in checked if not check.met]
    names = {check.name for check in failed}
    met: dict[str, Check] = {}
    for check in checked:
        if check.met and check.name not in names:
            several = check.name in met and check.table != met[check.name].table
            met[check.name] = check.model_copy(update={"table": ""}) if several else check
    return [*failed, *met.values()][:MAX_CHECKS]
