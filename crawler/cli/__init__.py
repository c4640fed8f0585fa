"""The `tallyho` command: one file per command in this folder, listed here.

A command's file has either a group `app` (as sites.py), or a function and an EPILOG of examples. It
is imported when the command is called (`lazy_group.py`), so its own imports stand at its top.
"""

import logging
import os
from importlib.metadata import version
from typing import TYPE_CHECKING, Annotated, Any

import typer

from crawler.cli.lazy_group import LazyCommand, LazyGroup
from crawler.cli.output import clean, print_error
from crawler.errors import ExitCode, TallyhoError
from crawler.log_lines import JsonLines, quiet_libraries
from crawler.metrics.meter import flush_metrics

if TYPE_CHECKING:
    from crawler.config.settings import Settings

COMMANDS = (
    LazyCommand("sites:app", "Look at the site files and at the sites."),
    LazyCommand("crawl:crawl", "Acquire the data files of a site."),
    LazyCommand("revisit:revisit", "Look at what may have changed, and follow what is new."),
    LazyCommand(
        "nightly:nightly", "Plan, crawl, validate and publish: every site, or those named."
    ),
    LazyCommand("fleet:app", "How many requests each site may make tonight, and why."),
    LazyCommand("upkeep:upkeep", "Free what dead runs held, verify files, apply the retention."),
    LazyCommand("backup:backup", "Copy catalog, store, crawl states and site files into a folder."),
    LazyCommand("backup:restore", "Put a backup back in its place."),
    LazyCommand("doctor:doctor", "Check the installation, and say what to do about what is wrong."),
    LazyCommand("alarm:app", "See whether alarms reach anybody."),
    LazyCommand("alerts:app", "Saved searches whose news is sent once a night."),
    LazyCommand("validate:validate", "Check acquired files: what they are, and what is in them."),
    LazyCommand("read:read", "Read a file as a table, and show how it was read."),
    LazyCommand("status:status", "Show where every site stands; with a name, one in detail."),
    LazyCommand("patterns:patterns", "Show the navigation patterns of a site, the best first."),
    LazyCommand("explain:explain", "Explain what was done with a URL, and why."),
    LazyCommand(
        "catalog:app", "Find acquired files, their history and their origin, and get them."
    ),
    LazyCommand("sql:sql", "Answer a SELECT over acquired files and the catalog."),
    LazyCommand("serve:serve", "Serve the catalog's pages and JSON API until Ctrl-C."),
    LazyCommand("lab:app", "Practise on synthetic sites, served on this machine only."),
)
"""In the order of `tallyho --help`."""

EPILOG = """\b
Examples:
  tallyho sites check
  tallyho sites probe demo
  tallyho crawl demo
  tallyho validate demo
  tallyho catalog search births --format csv
  tallyho serve

\b
Exit codes: 0 done, 2 wrong usage, 3 invalid configuration, 4 the site cannot be
reached or forbids crawling, 5 another run holds the site, 6 storage unavailable,
7 finished with failures listed, 130 interrupted with the state saved.
"""


class _Tallyho(LazyGroup):
    """Tallyho's own errors become one line and their exit code; a bug keeps its traceback."""

    lazy = COMMANDS

    def make_context(self, *given: Any, **more: Any) -> Any:
        """As ever; Ctrl-C while a command is imported ends it as it does later."""
        try:
            return super().make_context(*given, **more)
        except KeyboardInterrupt:
            print_error("interrupted")
            raise typer.Exit(int(ExitCode.INTERRUPTED)) from None

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except TallyhoError as error:
            print_error(str(error))
            raise typer.Exit(int(error.exit_code)) from None
        except KeyboardInterrupt:
            print_error("interrupted")
            raise typer.Exit(int(ExitCode.INTERRUPTED)) from None


class _CleanFormatter(logging.Formatter):
    """One line per message: what comes from the web must not write on the terminal as it likes."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        return clean(super().formatMessage(record))


app = typer.Typer(
    name="tallyho",
    cls=_Tallyho,
    epilog=EPILOG,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"tallyho {version('tallyho')}")
        raise typer.Exit


@app.callback()
def _start(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Tallyho acquires open statistics from the web, politely and with few requests."""
    # Not at the top: `--help` and `--version` need no settings, nor the library that reads them.
    from crawler.config.settings import load_settings, unknown_variables

    settings = load_settings()
    _log_to_stderr(settings)
    for sentence in unknown_variables(os.environ):
        logging.getLogger(__name__).warning(sentence)


def _log_to_stderr(settings: "Settings") -> None:
    handler = logging.StreamHandler()
    as_text = _CleanFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
    handler.setFormatter(as_text if settings.log_format == "text" else JsonLines())
    level = str(settings.log_level)
    logging.basicConfig(level=level, handlers=[handler], force=True)
    if level != "DEBUG":
        quiet_libraries()


def main() -> None:
    """Runs the command line."""
    try:
        app(prog_name="tallyho")
    finally:
        flush_metrics()
