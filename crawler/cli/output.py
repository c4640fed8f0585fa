"""How results are printed: JSON for scripts, tables for people, no control codes from the web."""

import json
import logging
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

import typer

from crawler.errors import ExitCode
from crawler.log_lines import json_log
from crawler.redaction import redact

if TYPE_CHECKING:
    from crawler.config.problem import Problem

Record = TypeVar("Record")

_STANDARD_ERROR = 2
_COLOURS = {logging.ERROR: typer.colors.RED, logging.WARNING: typer.colors.YELLOW}
_MAX_CELL = 60
_UNITS = ("kB", "MB", "GB", "TB")


def clean(text: object) -> str:
    """Text on one line: no password, no escape sequence, no reversed writing."""
    return "".join(
        mark if mark.isprintable() else " " if mark.isspace() else "" for mark in redact(str(text))
    )


def write_at_once(text: str) -> None:
    """Past Python's buffers, which a signal may have interrupted in the middle of a line."""
    with suppress(OSError):
        os.write(_STANDARD_ERROR, text.encode())


def print_json(value: object) -> None:
    """A result for scripts, the only thing on standard output; pure ASCII, so safe anywhere.

    It may hold records of the catalog.
    """
    # The class of records is not imported here, as that would take long.
    typer.echo(json.dumps(value, indent=2, default=lambda record: record.model_dump(mode="json")))


def print_json_list(items: Iterable[object], **more: object) -> None:
    """A list of results: {"total": n, "items": [...]}, and further values."""
    listed = list(items)
    print_json({"total": len(listed), "items": listed, **more})


def print_table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table: drawn on a terminal, plain aligned columns otherwise."""
    cells = [[clean(cell) for cell in row] for row in rows]
    if sys.stdout.isatty():
        _print_drawn(columns, cells)
    else:
        _print_plain([list(columns), *cells])


def print_records(
    records: Iterable[Record], columns: Mapping[str, Callable[[Record], object]]
) -> None:
    """A table of records: its columns, and what each says of one."""
    print_table(list(columns), ([said(one) for said in columns.values()] for one in records))


def print_pairs(pairs: Iterable[tuple[str, object]]) -> None:
    """One fact per line, labels to the left; a label is not repeated on the lines below."""
    lines = [(label, clean(value)) for label, value in pairs]
    width = max((len(label) for label, _ in lines), default=0)
    previous = ""
    for label, value in lines:
        typer.echo(f"{'' if label == previous else label:<{width}}  {value}".rstrip())
        previous = label


def tell(message: str, level: int = logging.INFO) -> None:
    """One line on standard error: as it is, or as a line of the log where that is JSON."""
    handler, line = json_log(), clean(message)
    if handler is None:
        typer.secho(line, fg=_COLOURS.get(level), err=True)
        return
    name = logging.getLevelName(level)
    record = {"name": __name__, "levelno": level, "levelname": name, "msg": line}
    handler.handle(logging.makeLogRecord(record))


def print_error(message: str) -> None:
    """One line on standard error, red on a terminal."""
    tell(f"error: {message}", logging.ERROR)


def print_warning(message: str) -> None:
    """One line on standard error, yellow on a terminal."""
    tell(f"warning: {message}", logging.WARNING)


def report_problems(problems: "Sequence[Problem]", fine: int, noun: str, *, as_json: bool) -> None:
    """Prints what is wrong with some files, and how many are fine; exit code 3 for problems."""
    if as_json:
        print_json_list((problem.as_dict() for problem in problems), fine=fine)
    else:
        for problem in problems:
            typer.echo(clean(problem))
        typer.echo(f"{count(fine, noun)} {'is' if fine == 1 else 'are'} fine")
    if problems:
        raise typer.Exit(int(ExitCode.CONFIG))


def count(number: int, noun: str, plural: str = "") -> str:
    """'1 site', '20,000 requests'."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def day(moment: datetime) -> str:
    """'2026-11-16'."""
    return f"{moment:%Y-%m-%d}"


def duration(seconds: float) -> str:
    """'5 h 33 min', '2 min 5 s', '0.4 s'."""
    if seconds < 10:
        return f"{seconds:.1f}".removesuffix(".0") + " s"
    whole = round(seconds)
    hours, minutes = whole // 3600, whole % 3600 // 60
    if hours:
        return f"{hours:,} h {minutes} min"
    return f"{minutes} min {whole % 60} s" if minutes else f"{whole} s"


def shortened(text: str, width: int) -> str:
    """A text cut in the middle, where a tag path says least."""
    if len(text) <= width:
        return text
    head = width // 3
    return f"{text[:head].rstrip()} … {text[len(text) - (width - head - 3) :].lstrip()}"


def cell_text(value: object) -> str:
    """A cell of somebody's table, cut at its end so that others have room."""
    text = "" if value is None else str(value)
    return text if len(text) <= _MAX_CELL else text[: _MAX_CELL - 1] + "…"


def size_text(size: float) -> str:
    """'801 kB', '1.2 MB', '512 bytes'."""
    if size < 1000:
        return f"{size:.0f} bytes"
    power = 1
    while size / 1000**power >= 999.5 and power < len(_UNITS):
        power += 1
    size /= 1000**power
    number = f"{size:.1f}" if size < 9.95 else f"{size:,.0f}"
    return f"{number} {_UNITS[power - 1]}"


@contextmanager
def ticking(what: str) -> Iterator[Callable[[int], None]]:
    """Counts on standard error while something runs, where it is a terminal."""
    shown = sys.stderr.isatty()

    def tick(number: int) -> None:
        if shown:
            typer.echo(f"\r{number:,} {what}", nl=False, err=True)

    try:
        yield tick
    finally:
        if shown:
            typer.echo("\r\x1b[2K", nl=False, err=True)


def _print_drawn(columns: Sequence[str], cells: list[list[str]]) -> None:
    # Not at the top: rich takes a moment, and what goes into a pipe does not need it.
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in cells:
        # Text, not str: a title such as "[red]" is no markup.
        table.add_row(*(Text(cell) for cell in row))
    Console().print(table)


def _print_plain(lines: list[list[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        padded = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        typer.echo("  ".join(padded).rstrip())
