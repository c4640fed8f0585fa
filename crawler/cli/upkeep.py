"""`tallyho upkeep`: the housekeeping of a night, as the upkeep DAG does it."""

from datetime import UTC, datetime

import typer

from crawler.cli.options import Json
from crawler.cli.output import clean, count, print_json, print_pairs, size_text
from crawler.config.load import load_sites
from crawler.config.settings import load_settings
from crawler.errors import ExitCode
from crawler.pipeline.night.alarm import send_alarms
from crawler.pipeline.night.upkeep import upkeep as keep_up

EPILOG = """\b
Examples:
  tallyho upkeep
  tallyho upkeep --json | jq .verified

\b
Frees what dead workers held, verifies a part of the files (TALLYHO_UPKEEP_BLOBS), lets go
of old versions (TALLYHO_RETENTION), renews the catalog's statistics. Exit code 7 when
something is wrong; it is also sent as an alarm where one is configured.
"""


def upkeep(as_json: Json = False) -> None:
    """Free what dead runs held, verify files, apply the retention."""
    settings = load_settings()
    configured = [site.name for site in load_sites(settings.sites_dir)[0]]
    done = keep_up(settings, datetime.now(UTC), configured)
    send_alarms(settings, done.alarms)
    if as_json:
        print_json(done.as_dict())
    else:
        verified, figures = done.verified, done.figures
        facts = [
            ("leases freed", ", ".join(done.freed_leases) or "none"),
            ("runs closed", f"{len(done.closed_runs):,}"),
            ("uploads swept", f"{done.swept_uploads:,}"),
            ("old versions", f"{done.versions_let_go:,} lost their bytes"),
        ]
        if verified is not None:
            read = f"{count(verified.blobs, 'file')}, {size_text(verified.bytes)}"
            facts.append(("verified", f"{read}: {len(verified.problems):,} wrong"))
        if figures is not None:
            held = f"{count(figures.datasets, 'dataset')}, {count(figures.files, 'file')}"
            versions = count(figures.versions, "version")
            facts.append(("catalog", f"{held}, {versions}, {size_text(figures.bytes)}"))
        if done.airflow is not None:
            logs = done.airflow.local_logs + done.airflow.stored_logs
            records = ", old records of runs" if done.airflow.metadata else ""
            facts.append(("Airflow", f"{count(logs, 'old log')} deleted{records}"))
        if done.without_file:
            facts.append(("without file", ", ".join(done.without_file)))
        print_pairs(facts)
        for alarm in done.alarms:
            typer.echo(clean(alarm.text), err=True)
    if done.alarms:
        raise typer.Exit(int(ExitCode.FAILURES))
