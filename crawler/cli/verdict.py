"""A verdict with its reasons, and what is in a file, printed for people."""

from collections.abc import Callable, Iterator, Sequence

import typer

from crawler.cli.output import clean, count, print_records, shortened
from crawler.readers.ledger import Ledger
from crawler.validation.outcome import Check, ColumnProfile, Profile, Reason, TableProfile

MAX_REASONS = 20
MAX_TABLES = 10
MAX_COLUMNS = 50
MAX_DROPPED = 20
_MAX_TEXT = 300
_MAX_NAME = 60
_COLUMNS: dict[str, Callable[[ColumnProfile], object]] = {
    "column": lambda column: shortened(column.name, _MAX_NAME),
    "type": lambda column: column.type,
    "role": lambda column: column.role if column.role != "other" else "",
    "empty": lambda column: f"{column.nulls:.0%}",
    "least": lambda column: shortened(column.least, _MAX_NAME),
    "most": lambda column: shortened(column.most, _MAX_NAME),
}


def verdict_line(verdict: str, kind: str, rows: int | None, columns: int | None) -> str:
    """'suspect: delimited, 1,204 rows, 3 columns'."""
    facts = [kind] if kind else []
    facts += [count(rows, "row")] if rows is not None else []
    facts += [count(columns, "column")] if columns is not None else []
    return f"{verdict}: {', '.join(facts)}" if facts else verdict


def reason_facts(reasons: Sequence[Reason]) -> Iterator[tuple[str, str]]:
    """One fact for every reason."""
    for reason in reasons[:MAX_REASONS]:
        where = f" (in {shortened(reason.table, _MAX_NAME)})" if reason.table else ""
        sentence = shortened(reason.sentence, _MAX_TEXT)
        yield "reason", f"{reason.severity} {reason.code}: {sentence}{where}"
    if len(reasons) > MAX_REASONS:
        yield "reason", f"and {count(len(reasons) - MAX_REASONS, 'more reason')}"


def profile_facts(profile: Profile) -> Iterator[tuple[str, str]]:
    """What is in a file, beside its columns."""
    if profile.declared:
        yield "said to be", profile.declared
    if profile.inner:
        yield "holds", ", ".join(profile.inner)
    if profile.pages is not None:
        yield "pages", f"{profile.pages:,}{', scanned' if profile.scanned else ''}"
    if profile.language:
        yield "content in", profile.language
    shown = profile.tables[:MAX_TABLES]
    for table in shown:
        yield "table", _table_line(table)
        yield from _dropped_lines(table)
    if profile.table_count > len(shown):
        yield "table", f"and {count(profile.table_count - len(shown), 'more table')}"


def print_columns(profile: Profile) -> None:
    """A table of columns for every table of the file."""
    for table in profile.tables[:MAX_TABLES]:
        if not table.columns:
            continue
        typer.echo()
        if len(profile.tables) > 1:
            typer.echo(clean(f"{shortened(table.name, _MAX_NAME)}:"))
        shown = table.columns[:MAX_COLUMNS]
        print_records(shown, _COLUMNS)
        if table.width > len(shown):
            typer.echo(f"and {count(table.width - len(shown), 'more column')}")


def print_checks(checks: Sequence[Check]) -> None:
    """A table of the expectations."""
    if not checks:
        return
    typer.echo()
    print_records(
        checks,
        {
            "check": lambda one: one.name,
            "severity": lambda one: one.severity,
            "met": lambda one: "yes" if one.met else "no",
            "observed": lambda one: shortened(one.observed, _MAX_NAME),
            "table": lambda one: shortened(one.table, _MAX_NAME),
        },
    )


def _dropped_lines(table: TableProfile) -> Iterator[tuple[str, str]]:
    """The lines of the source that are no rows, and what was assumed of the values."""
    for line in table.dropped[:MAX_DROPPED]:
        yield "dropped", f"row {line.row}, {line.taken_for}: {shortened(line.text, _MAX_TEXT)}"
    if len(table.dropped) > MAX_DROPPED:
        more = count(len(table.dropped) - MAX_DROPPED, "more line")
        yield "dropped", f"and {more}"
    for said in table.assumed[:MAX_DROPPED]:
        yield "assumed", shortened(said, _MAX_TEXT)


def ledger_line(ledger: Ledger) -> str:
    """What the rows of a table's source were taken for."""
    return ", ".join(
        [
            count(ledger.titles, "title line"),
            count(ledger.header, "header row"),
            count(ledger.data, "data row"),
            count(ledger.footnotes, "footnote"),
            count(ledger.blank, "blank row"),
        ]
    )


def _table_line(table: TableProfile) -> str:
    facts = [count(table.rows, "row"), count(table.width, "column")]
    facts += ["read in part"] if table.cut else []
    ledger = table.ledger
    if ledger.total:
        facts.append(ledger_line(ledger))
        facts.append(f"layout {table.confidence}")
    elif table.footnotes:
        # Of a verdict that an earlier version gave.
        facts.append(count(table.footnotes, "footnote"))
    facts += ["hidden"] if table.hidden else []
    if table.encoding:
        facts.append(table.encoding)
    if table.delimiter:
        facts.append(f"separated by {table.delimiter!r}")
    if table.decimal == ",":
        facts.append("decimal comma")
    name = shortened(table.name, _MAX_NAME)
    return f"{name}: {', '.join(facts)}" if name else ", ".join(facts)
