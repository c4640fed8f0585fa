"""The `tallyho` command: one file per command in this folder, put together here.

A command's file has either a group `app` (as sites.py), or one function with the file's name and an
EPILOG of examples. Heavy rooms are imported inside the functions, so that `--help` stays quick.
"""

import logging
import os
from importlib import import_module
from importlib.metadata import version
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from crawler.cli.output import clean, print_error
from crawler.errors import ExitCode, TallyhoError

COMMAND_FILES = (
    "sites",
    "crawl",
    "nightly",
    "fleet",
    "upkeep",
    "doctor",
    "validate",
    "status",
    "explain",
    "catalog",
    "serve",
    "lab",
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


class _ErrorsToExitCodes(TyperGroup):
    """Tallyho's own errors become one line and their exit code; a bug keeps its traceback."""

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
    cls=_ErrorsToExitCodes,
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
    from crawler.config.settings import load_settings, unknown_variables

    settings = load_settings()
    _log_to_stderr(str(settings.log_level))
    for sentence in unknown_variables(os.environ):
        logging.getLogger(__name__).warning(sentence)


def _log_to_stderr(level: str) -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(_CleanFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=level, handlers=[handler], force=True)


def _mount_commands() -> None:
    for name in COMMAND_FILES:
        module = import_module(f"{__name__}.{name}")
        if isinstance(group := getattr(module, "app", None), typer.Typer):
            app.add_typer(group, name=name)
        else:
            app.command(name, epilog=module.EPILOG)(getattr(module, name))


_mount_commands()


def main() -> None:
    """Runs the command line."""
    app(prog_name="tallyho")
