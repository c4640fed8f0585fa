"""Data Docs: what each suite expects of a site's files, and how the latest of them met it.

The pages are made from the outcomes as the catalog has them, so that batches that were judged at
other times and on other machines come together in one page per suite.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape
from pathlib import Path
from typing import Any

from crawler.config.validation import CellExpectation, ValidationConfig
from crawler.readers.kinds import Kind
from crawler.validation.check_spec import CheckSpec
from crawler.validation.data_docs_page import (
    STYLE,
    STYLE_NAME,
    page,
    render_result,
    render_suite,
    safe_text,
)
from crawler.validation.outcome import Check, Judgement, Outcome
from crawler.validation.overrides import with_changes
from crawler.validation.plain import plain
from crawler.validation.running import configuration, library
from crawler.validation.suites import Suite, Suites

LAYOUT = 3
"""Counted up when the pages look otherwise: those that are there are written anew."""
INDEX = "index.html"
_PLACE = re.compile(r"\{(\w+)(?:[^\w{}][^{}]*)?\}")
MAX_SHOWN = 50
"""Files that are named under one check."""


@dataclass(frozen=True, slots=True)
class JudgedFile:
    """A file and the latest outcome of its validation."""

    name: str
    """Its address or title."""
    outcome: Outcome


def results_page(kind: Kind, suites: Suites) -> str:
    """Where the results for files of this kind are, within the Data Docs of a site."""
    return f"results/{suites.by_kind[kind]}.html"


def build_data_docs(
    folder: Path,
    site: str,
    suites: Suites,
    config: ValidationConfig,
    files: Iterable[JudgedFile],
    when: datetime,
) -> list[Path]:
    """Writes the pages of one site into the folder; the paths of all that was written."""
    by_suite: dict[str, list[JudgedFile]] = defaultdict(list)
    for file in files:
        by_suite[suites.by_kind[file.outcome.kind]].append(file)
    pages = {STYLE_NAME: STYLE, INDEX: _index(site, suites, by_suite)}
    rules = config.rules_of(())
    cells = {cell.code: cell for part in (config, *config.files) for cell in part.cells}
    for name in sorted(suites.by_name):
        suite = with_changes(suites.by_name[name], rules)
        pages[f"suites/{name}.html"] = _suite_page(site, suite, has_results=name in by_suite)
        if name in by_suite:
            pages[f"results/{name}.html"] = _result_page(site, suite, cells, by_suite[name], when)
    written = []
    for name, text in pages.items():
        path = folder / site / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        written.append(path)
    return written


def _index(site: str, suites: Suites, by_suite: Mapping[str, Sequence[JudgedFile]]) -> str:
    parts = []
    for name, suite in sorted(
        suites.by_name.items(), key=lambda each: (each[0] not in by_suite, each)
    ):
        files = by_suite.get(name, ())
        counts = Counter(file.outcome.verdict for file in files)
        said = ", ".join(
            f"{counts[verdict]:,} {verdict.value.replace('_', ' ')}"
            for verdict in Judgement
            if counts[verdict]
        )
        results = (
            f'<a href="results/{name}.html">How {_files(len(files))} met it</a>: {escape(said)}.'
            if files
            else "No file of this site."
        )
        parts.append(
            f"<h2>{escape(name)}</h2><p>{escape(suite.description)} "
            f'<a href="suites/{name}.html">What is expected</a>. {results}</p>'
        )
    return page(f"Data Docs of {site}", "".join(parts), [_way_back(site, "../..")], "")


def _way_back(site: str, root: str) -> tuple[str, str]:
    """To the catalog's page of the site; the web application has both below one root."""
    return f"Catalog: {site}", f"{root}/sites/{site}"


def _files(number: int) -> str:
    return f"{number:,} file" if number == 1 else f"{number:,} files"


def _suite_page(site: str, suite: Suite, *, has_results: bool) -> str:
    gx = library()
    expectations = [_configuration(spec).to_domain_obj() for spec in suite.checks]
    built = gx.ExpectationSuite(
        name=suite.name, expectations=expectations, notes=safe_text(suite.description)
    )
    links = [_way_back(site, "../../.."), ("All suites", f"../{INDEX}")]
    if has_results:
        links.append(("Results", f"../results/{suite.name}.html"))
    return page(f"Suite {suite.name} of {site}", render_suite(built), links, "../")


def _result_page(
    site: str,
    suite: Suite,
    cells: Mapping[str, CellExpectation],
    files: Sequence[JudgedFile],
    when: datetime,
) -> str:
    gx = library()
    from great_expectations.core import ExpectationSuiteValidationResult

    specs = {spec.name: spec for spec in suite.checks}
    checks: dict[str, list[tuple[str, Check]]] = defaultdict(list)
    for file in files:
        for check in file.outcome.checks:
            checks[check.name].append((file.name, check))
    names = [*(name for name in specs if name in checks), *(n for n in checks if n not in specs)]
    results = [_result(specs.get(name) or cells.get(name), checks[name]) for name in names]
    met = sum(bool(result.success) for result in results)
    result = ExpectationSuiteValidationResult(
        success=met == len(results),
        results=results,
        suite_name=suite.name,
        statistics={
            "evaluated_expectations": len(results),
            "successful_expectations": met,
            "unsuccessful_expectations": len(results) - met,
            "success_percent": 100 * met / len(results) if results else 100.0,
        },
        meta={
            "great_expectations_version": gx.__version__,
            "batch_kwargs": {"data_asset_name": site},
            "run_id": {"run_name": site, "run_time": when.isoformat()},
        },
    )
    links = [
        _way_back(site, "../../.."),
        ("All suites", f"../{INDEX}"),
        ("What is expected", f"../suites/{suite.name}.html"),
    ]
    title = f"How {_files(len(files))} of {site} met the suite {suite.name}"
    return page(title, _lead(met, len(results)) + render_result(result), links, "../")


def _lead(met: int, checks: int) -> str:
    if met == checks:
        return f"<p>All {checks:,} checks are met by every file.</p>"
    left = checks - met
    some = "1 is not met by some file" if left == 1 else f"{left:,} are not met by some files"
    return f"<p>Of {checks:,} checks, {met:,} are met by every file; {some}.</p>"


def _result(rule: CheckSpec | CellExpectation | None, checks: Sequence[tuple[str, Check]]) -> Any:
    """How all files met one check, as the library's own kind of result."""
    from great_expectations.core import ExpectationValidationResult

    failed = [(name, check) for name, check in checks if not check.met]
    shown = failed[:MAX_SHOWN]
    share = 100 * len(failed) / len(checks)
    values = [safe_text(plain(check.observed, 200) or "no") for _, check in shown]
    places = [
        safe_text(plain(f"{name} [{check.table}]" if check.table else name, 300))
        for name, check in shown
    ]
    return ExpectationValidationResult(
        success=not failed,
        expectation_config=(
            _configuration(rule)
            if isinstance(rule, CheckSpec)
            else _cell_configuration(checks[0][1], rule)
        ),
        result={
            "element_count": len(checks),
            "missing_count": 0,
            "missing_percent": 0.0,
            "unexpected_count": len(failed),
            "unexpected_percent": share,
            "unexpected_percent_total": share,
            "unexpected_percent_nonmissing": share,
            "partial_unexpected_list": values,
            "partial_unexpected_counts": [
                {"value": value, "count": count} for value, count in Counter(values).items()
            ],
            "unexpected_index_column_names": ["file"],
            "unexpected_list": values,
            "unexpected_index_list": [
                {"file": place, "observed": value}
                for place, value in zip(places, values, strict=True)
            ],
        },
        exception_info={
            "raised_exception": False,
            "exception_message": None,
            "exception_traceback": None,
        },
        meta={},
    )


def _configuration(spec: CheckSpec) -> Any:
    limits = ", ".join(f"{key} {value}" for key, value in spec.arguments.items() if key != "column")
    rule = f"{spec.expectation}({limits})" if limits else spec.expectation
    text = f"{spec.name}, {spec.severity.value}: {rule}. Where it is not met: “{_said(spec)}”"
    description = safe_text(text)
    return configuration(spec.expectation, spec.arguments, spec.severity, description=description)


def _said(spec: CheckSpec) -> str:
    """The sentence that a file gets which does not meet the check, without its own figures."""
    arguments = {key: str(value) for key, value in spec.arguments.items()}
    return _PLACE.sub(lambda found: arguments.get(found[1], "…"), spec.sentence)


def _cell_configuration(check: Check, cell: CellExpectation | None) -> Any:
    """An expectation of the site on cells, with its arguments where the site still has it."""
    # The outcome keeps its name and type alone; any valid expectation can carry them.
    expectation = "expect_column_to_exist"
    arguments: dict[str, Any] = {"column": check.name}
    text = f"{check.name}, {check.severity.value}: {check.expectation}"
    if cell is not None and cell.expectation == check.expectation:
        limits = ", ".join(f"{key} {value}" for key, value in cell.arguments.items())
        where = ", ".join(f"{key} {value}" for key, value in cell.where.items())
        text = f"{text}({limits})" + (f" where {where}" if where else "")
        expectation = cell.expectation
        arguments = {
            key: safe_text(value) if key.startswith("column") and isinstance(value, str) else value
            for key, value in cell.arguments.items()
        }
    return configuration(expectation, arguments, check.severity, description=safe_text(text))
