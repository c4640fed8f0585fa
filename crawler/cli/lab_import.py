"""`tallyho lab import` and `export`: replicas of paper 000's reference implementation."""

from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from crawler.cli.options import Json, NewReplica, PlainNames
from crawler.cli.output import (
    clean,
    count,
    print_json,
    print_pairs,
    print_warning,
    size_text,
    ticking,
)
from crawler.lab.measured_site import open_measured_site
from crawler.lab.replicas.reference_format import export_reference, import_reference, table_name
from crawler.lab.replicas.replica import Replica

IMPORT_EPILOG = """\b
Examples:
  tallyho lab import office.db.xz -o office.replica.db
  tallyho lab import mirror.db --plain-names -o office.replica.db
  tallyho lab import all.db --table office --start-url https://office.example/ -o office.replica.db
"""

EXPORT_EPILOG = """\b
Examples:
  tallyho lab export office.replica.db -o office.db
  tallyho lab export office.replica.db -o office.db --table office
"""

_SHOWN = 5


def import_(
    source: Annotated[
        Path, typer.Argument(metavar="FILE", help="An SQLite file, also a compressed one.")
    ],
    output: NewReplica,
    start_url: Annotated[
        str | None, typer.Option(help="Where crawls start; the first row by default.")
    ] = None,
    table: Annotated[
        str | None, typer.Option(help="Which table, where the file has several.")
    ] = None,
    plain_names: PlainNames = False,
    as_json: Json = False,
) -> None:
    """Import a replica of the paper's reference implementation."""
    with ticking("rows") as tick:
        imported = import_reference(
            source,
            output,
            table=table,
            start_url=start_url,
            plain_names=plain_names,
            on_rows=tick,
        )
    for url in imported.unreadable[:_SHOWN]:
        print_warning(f"left out, not readable: {url}")
    with closing(open_measured_site(str(output))) as site:
        targets, available = site.targets(), site.available()
    if as_json:
        print_json(
            {
                "replica": str(output),
                "start_url": imported.start_url,
                "answers": imported.answers,
                "targets": targets,
                "available": available,
                "unreadable": len(imported.unreadable),
            }
        )
        return
    print_pairs(
        [
            ("replica", f"{output}, {size_text(output.stat().st_size)}"),
            ("table", clean(imported.table)),
            ("start", clean(imported.start_url)),
            ("answers", f"{imported.answers:,}, {count(targets, 'target')} among them"),
            ("left out", f"{len(imported.unreadable):,}"),
        ]
    )


def export(
    replica: Annotated[Path, typer.Argument(metavar="R", help="A replica.")],
    output: Annotated[
        Path, typer.Option("--output", "-o", dir_okay=False, help="The SQLite file to write.")
    ],
    table: Annotated[
        str | None, typer.Option(help="Name of the table; the site's name by default.")
    ] = None,
) -> None:
    """Export a replica for the paper's reference implementation."""
    with closing(Replica(replica)) as opened:
        name = table or table_name(opened.name)
        rows = export_reference(opened, output, table=name)
    print_pairs(
        [
            ("file", f"{output}, {size_text(output.stat().st_size)}"),
            ("table", f"{name}, {rows:,} rows"),
        ]
    )
