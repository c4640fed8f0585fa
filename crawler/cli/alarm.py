"""`tallyho alarm test`: whether alarms reach anybody."""

from collections.abc import Mapping
from datetime import UTC, datetime
from socket import gethostname

import typer

from crawler.cli.lazy_group import LazyCommand, lazy_app
from crawler.cli.options import Json
from crawler.cli.output import print_error, print_json
from crawler.config.settings import load_settings
from crawler.errors import ConfigError, ExitCode
from crawler.pipeline.night.alarm import Alarm, AlarmKind, send_one

TEST_EPILOG = """\b
Examples:
  tallyho alarm test
  tallyho alarm test --json | jq .sent

\b
Exit codes: 0 every configured way took it; 3 no way is configured; 7 one did not, and why.
"""


app = lazy_app(
    "See whether alarms reach anybody.",
    LazyCommand("alarm:send_test", "Send an alarm that says that it is a test.", name="test"),
)


def send_test(as_json: Json = False) -> None:
    """Send an alarm that says that it is a test, by every way that is configured."""
    settings = load_settings()
    if settings.alarm_webhook is None and settings.alarm_email is None:
        raise ConfigError(
            "no alarm is sent from here: set TALLYHO_ALARM_WEBHOOK or TALLYHO_ALARM_EMAIL"
        )
    when = f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"
    sentence = f"sent by `tallyho alarm test` on {gethostname()} at {when}; nothing is wrong"
    results = send_one(settings, Alarm(AlarmKind.TEST, "", sentence))
    report_ways(results, as_json=as_json)


def report_ways(results: Mapping[str, str], *, as_json: bool) -> None:
    """Says by which ways a message went out, and why not by the others; exit code 7 for those."""
    if as_json:
        told = {way: reason or "sent" for way, reason in results.items()}
        print_json({"sent": sum(not reason for reason in results.values()), "ways": told})
    for way, reason in results.items():
        if reason:
            print_error(f"{way}: {reason}")
        elif not as_json:
            typer.echo(f"{way}: sent")
    if any(results.values()):
        raise typer.Exit(int(ExitCode.FAILURES))
