"""`tallyho alerts`: saved searches whose news is sent once a night."""

from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from crawler.catalog.db.database import Database
from crawler.catalog.search.untold import Untold
from crawler.catalog.write.alert_state import AlertState, alert_state
from crawler.cli.alarm import report_ways
from crawler.cli.lazy_group import LazyCommand, lazy_app
from crawler.cli.options import Json
from crawler.cli.output import clean, print_error, print_json_list, print_table, report_problems
from crawler.config.alert import AlertConfig
from crawler.config.alert_files import alert_files, find_alert_file, load_alerts, read_alerts
from crawler.config.load import load_sites
from crawler.config.settings import Settings, load_settings
from crawler.errors import ConfigError, ExitCode
from crawler.pipeline.night.alert_message import search_of
from crawler.pipeline.night.alerts import Told, Way, pending, send_alerts, send_test, ways_of
from crawler.pipeline.night.sending import SendingFailed, reason_of
from crawler.pipeline.report.news_words import counted
from crawler.pipeline.services import open_services

app = lazy_app(
    "Saved searches whose news is sent once a night.",
    LazyCommand("alerts:check", "Report every problem of every alert file."),
    LazyCommand(
        "alerts:list_alerts", "List the alerts, and what each would send now.", name="list"
    ),
    LazyCommand("alerts:try_alert", "Send a message that says that it is a test.", name="test"),
    LazyCommand("alerts:send", "Send what is new, as `tallyho nightly` does."),
)


Names = Annotated[
    list[str] | None, typer.Argument(metavar="[NAME|FILE]...", help="All alerts by default.")
]

CHECK_EPILOG = """\b
Examples:
  tallyho alerts check
  tallyho alerts check births drafts/new-alert.yaml --json

\b
Exit code 3 when there is any problem. docs/alerts.md has the keys of an alert file.
"""
LIST_EPILOG = """\b
Examples:
  tallyho alerts list
  tallyho alerts list --json | jq -r '.items[] | select(.failure != "") | .alert'
"""
TEST_EPILOG = """\b
Examples:
  tallyho alerts test births

\b
Lists what the alert would send now and records nothing. Exit code 7 when a receiver
did not take it.
"""
SEND_EPILOG = """\b
Examples:
  tallyho alerts send
  tallyho alerts send births --json

\b
Each piece of news is sent once to each receiver. What a receiver did not take is sent the
next time. Exit code 7 when something failed, 3 when a named alert has no valid file.
"""


def check(names: Names = None, as_json: Json = False) -> None:
    """Report every problem of every alert file.

    Each with its file, line, field and reason.
    """
    settings = load_settings()
    folder = settings.alerts_dir
    files = [find_alert_file(name, folder) for name in names] if names else alert_files(folder)
    alerts, problems = read_alerts(files, _sites(settings))
    report_problems(sorted(problems), len(alerts), "alert", as_json=as_json)


def list_alerts(as_json: Json = False) -> None:
    """List the alerts, when each was sent last, and what it would send now."""
    settings = load_settings()
    alerts, problems = load_alerts(settings.alerts_dir)
    listed = [row for alert in alerts for row in _rows(settings, alert)]
    if as_json:
        print_json_list(listed, invalid_files=[str(problem) for problem in problems])
        return
    columns = ("alert", "way", "search", "what", "last sent", "would send", "last failure")
    print_table(columns, (_cells(row) for row in listed))
    if not alerts and not problems:
        typer.echo(f"There is no alert in {settings.alerts_dir}; docs/alerts.md shows one.")
    for problem in problems:
        print_error(str(problem))


def try_alert(
    name: Annotated[str, typer.Argument(metavar="NAME|FILE")], as_json: Json = False
) -> None:
    """Send a message that says that it is a test, to every receiver of an alert."""
    settings = load_settings()
    [alert] = _chosen(settings, [name])
    results: dict[str, str] = {}
    with open_services(settings) as services:
        for way in ways_of(alert):
            try:
                found = pending(services.database, alert, way, datetime.now(UTC))[1]
                send_test(settings, alert, way, found)
                results[way.value] = ""
            except Exception as error:
                # Whatever a receiver does, the other one is tried; the text may hold an address.
                results[way.value] = reason_of(error)
    report_ways(results, as_json=as_json)


def send(names: Names = None, as_json: Json = False) -> None:
    """Send what is new since the last time, as `tallyho nightly` does at its end."""
    settings = load_settings()
    if names:
        alerts, invalid = _chosen(settings, names), []
    else:
        alerts, problems = load_alerts(settings.alerts_dir)
        invalid = [str(problem) for problem in problems]
    told = send_alerts(settings, alerts)
    if as_json:
        print_json_list([asdict(outcome) for outcome in told], invalid_files=invalid)
    else:
        for outcome in told:
            typer.echo(clean(outcome))
    for problem in invalid:
        print_error(problem)
    if invalid or any(outcome.told is Told.FAILED for outcome in told):
        raise typer.Exit(int(ExitCode.FAILURES))


def _chosen(settings: Settings, names: list[str]) -> list[AlertConfig]:
    files = [find_alert_file(name, settings.alerts_dir) for name in dict.fromkeys(names)]
    alerts, problems = read_alerts(files)
    if problems:
        raise ConfigError("\n".join(map(str, problems)))
    return alerts


def _sites(settings: Settings) -> list[str] | None:
    """The names of all sites; None where there is no folder of them."""
    try:
        return [site.name for site in load_sites(settings.sites_dir)[0]]
    except ConfigError:
        return None


def _rows(settings: Settings, alert: AlertConfig) -> Iterator[dict[str, Any]]:
    with open_services(settings) as services:
        for way in ways_of(alert):
            state, found, said = _pending(services.database, alert, way)
            yield {
                "alert": alert.name,
                "enabled": alert.enabled,
                "way": way.value,
                "search": search_of(alert),
                "what": list(alert.what),
                **state.model_dump(mode="json", exclude={"told", "begins_after"}),
                "would_send": found.total,
                "text": said,
            }


def _pending(database: Database, alert: AlertConfig, way: Way) -> tuple[AlertState, Untold, str]:
    """How it stands, what it would send now, and that in words, or why it cannot be asked."""
    now = datetime.now(UTC)
    try:
        state, found = pending(database, alert, way, now)
        return state, found, counted(found.counts)
    except SendingFailed as error:
        with database.reading() as session:
            return alert_state(session, alert.name, way.value, now), Untold(), str(error)


def _cells(row: dict[str, Any]) -> tuple[object, ...]:
    asked = ", ".join(f"{name} {value}" for name, value in row["search"].items())
    name = row["alert"] if row["enabled"] else f"{row['alert']} (off)"
    sent = (row["sent_at"] or "never")[:16].replace("T", " ")
    failed = row["failure"] or "-"
    what = ", ".join(row["what"])
    return name, row["way"], asked or "everything", what, sent, row["text"], failed
