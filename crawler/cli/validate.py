"""`tallyho validate`: are the files what they claim to be? Of the catalog, or one on this disk."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from crawler.catalog.search.tokens import UNCHECKED
from crawler.cli.options import Json
from crawler.cli.output import (
    count,
    print_error,
    print_json,
    print_pairs,
    print_table,
    print_warning,
)
from crawler.cli.stop_signals import stop_signals
from crawler.cli.validation_progress import progress_for
from crawler.cli.verdict import (
    print_checks,
    print_columns,
    profile_facts,
    reason_facts,
    verdict_line,
)
from crawler.config.settings import Settings, load_settings
from crawler.errors import ExitCode
from crawler.log_lines import FIELDS
from crawler.pipeline.validate.batches import pending_batches, validate_file, verdicts_in_all
from crawler.pipeline.validate.site_rules import KnownSite, find_known_site
from crawler.pipeline.validate.summary import ValidationSummary, ValidationWatch
from crawler.pipeline.validate.validator import open_validator
from crawler.validation.outcome import Judgement, Outcome

log = logging.getLogger(__name__)

EPILOG = """\b
Examples:
  tallyho validate                       what is new, of all sites
  tallyho validate demo                  what is new of one site
  tallyho validate demo --all --jobs 4   everything again, after a change of the suites
  tallyho validate --file births.csv     one file, to see what the suites say of it
  tallyho validate --file b.xlsx --site demo --declared text/csv --json

\b
Exit codes for the catalog: 0 done, whatever the verdicts are; 7 some files could not be
checked; 130 interrupted, what was judged is saved. For --file: 0 valid, suspect or a
document; 7 broken or not a dataset. Both: 3 no such site, or suites that are wrong.
"""

_MAX_FAILURES = 20


def validate(
    site: Annotated[
        str | None, typer.Argument(metavar="[NAME|FILE]", help="Only this site, or site file.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Also what has a verdict already.")
    ] = False,
    new: Annotated[
        bool, typer.Option("--new", help="Only what has no verdict yet; this is the default.")
    ] = False,
    jobs: Annotated[
        int | None, typer.Option(min=1, max=256, help="Files read at once; one per core.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--file", help="Check this file; the catalog is left alone.")
    ] = None,
    rules_of: Annotated[
        str | None,
        typer.Option("--site", metavar="NAME|FILE", help="With --file: by the rules of this site."),
    ] = None,
    declared: Annotated[
        str, typer.Option(metavar="TYPE", help="With --file: the MIME type a server would say.")
    ] = "",
    as_json: Json = False,
) -> None:
    """Check acquired files: what they are, and what is in them."""
    if file is not None:
        if site is not None or everything or new or jobs is not None:
            raise typer.BadParameter("--file goes with --site, --declared and --json only")
        _validate_file(file, rules_of, declared, as_json=as_json)
        return
    if rules_of is not None or declared:
        raise typer.BadParameter("--site and --declared are for --file; name a site without --site")
    if everything and new:
        raise typer.BadParameter("choose --all or --new")
    _validate_catalog(site, everything=everything, jobs=jobs, as_json=as_json)


def _validate_catalog(
    site: str | None, *, everything: bool, jobs: int | None, as_json: bool
) -> None:
    settings = load_settings()
    known = find_known_site(settings, site) if site is not None else None
    batches = pending_batches(settings, known.name if known else None, everything=everything)
    total = sum(map(len, batches))
    summary = _run(settings, known, batches, again=everything, jobs=jobs)
    log.info("the validation is over", extra={FIELDS: summary.as_dict()})
    in_all = verdicts_in_all(settings, known.name) if known else {}
    if as_json:
        name = known.name if known else None
        print_json({"site": name, **summary.as_dict(), "in_all": in_all})
    else:
        _print_summary(summary, total, in_all)
    _exit_by(summary)


def _run(
    settings: Settings,
    known: "KnownSite | None",
    batches: Sequence[Sequence[int]],
    *,
    again: bool,
    jobs: int | None,
) -> ValidationSummary:
    """All batches with one validator, then the Data Docs of the sites."""
    summary = ValidationSummary()
    total = sum(map(len, batches))
    sites = [known.config] if known and known.config else []
    with (
        progress_for(total) as progress,
        stop_signals(progress.stopping) as stop_requested,
    ):
        watch = ValidationWatch(
            on_read=progress.read, on_judged=progress.judged, stop_requested=stop_requested
        )
        with open_validator(settings, jobs=jobs, watch=watch, sites=sites) as validator:
            for batch in batches:
                summary += validator.validate(batch, again=again)
            for name in [known.name] if known else validator.sites():
                if not stop_requested():
                    validator.publish_data_docs(name)
    return summary + ValidationSummary(interrupted=stop_requested())


def _print_summary(summary: ValidationSummary, total: int, in_all: Mapping[str, int]) -> None:
    typer.echo(f"Checked {count(summary.checked, 'file')}." if total else "Nothing to check.")
    now = {verdict.value: number for verdict, number in summary.verdicts.items()}
    if now or in_all:
        typer.echo()
        names = [name for name in [*Judgement, UNCHECKED] if name in now or name in in_all]
        columns = ("verdict", "now", "of the site") if in_all else ("verdict", "now")
        rows = [(name, f"{now.get(name, 0):,}", f"{in_all.get(name, 0):,}") for name in names]
        print_table(columns, [row[: len(columns)] for row in rows])
    for name in summary.switched_off:
        print_warning(f"{name}: its site file says `validation: false`, so nothing was checked")
    for failure in summary.failures[:_MAX_FAILURES]:
        print_error(f"file {failure.file_id} could not be checked: {failure.sentence}")
    if len(summary.failures) > _MAX_FAILURES:
        more = count(len(summary.failures) - _MAX_FAILURES, "more file")
        print_error(f"{more} could not be checked; --json lists them all")


def _exit_by(summary: ValidationSummary) -> None:
    if summary.interrupted:
        raise typer.Exit(int(ExitCode.INTERRUPTED))
    if summary.failures:
        raise typer.Exit(int(ExitCode.FAILURES))


def _validate_file(path: Path, site: str | None, declared: str, *, as_json: bool) -> None:
    if not path.is_file():
        raise typer.BadParameter(f"{path} is not a file", param_hint="--file")
    outcome = validate_file(load_settings(), path, site=site, declared=declared)
    if as_json:
        facts = {"rows": outcome.rows, "columns": outcome.columns}
        print_json({"file": str(path), **outcome.model_dump(mode="json"), **facts})
    else:
        _print_outcome(path, outcome)
    if outcome.verdict in (Judgement.BROKEN, Judgement.NOT_A_DATASET):
        raise typer.Exit(int(ExitCode.FAILURES))


def _print_outcome(path: Path, outcome: Outcome) -> None:
    print_pairs(
        [
            ("file", path),
            (
                "verdict",
                verdict_line(outcome.verdict, outcome.kind, outcome.rows, outcome.columns),
            ),
            *reason_facts(outcome.reasons),
            *profile_facts(outcome.profile),
        ]
    )
    print_columns(outcome.profile)
    print_checks(outcome.checks)
