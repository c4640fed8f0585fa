"""`tallyho catalog show | history | get`: one file, its versions and its bytes."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from crawler.catalog.facade import open_catalog
from crawler.catalog.read.moments import end_of
from crawler.catalog.read.records import FileDetail, Version
from crawler.cli.options import Id, Json, reported_as_usage
from crawler.cli.output import (
    clean,
    day,
    print_json,
    print_json_list,
    print_pairs,
    print_table,
    size_text,
)
from crawler.cli.verdict import print_columns, profile_facts, reason_facts, verdict_line


def _day(text: str | None) -> str | None:
    """The day or time as it was given; what is none is reported as wrong usage."""
    with reported_as_usage():
        end_of(text)
    return text


AsOf = Annotated[
    str | None,
    typer.Option(
        "--as-of",
        callback=_day,
        help="As the catalog stood at the end of this day: 2026-11-01.",
    ),
]

SHOW_EPILOG = """\b
Examples:
  tallyho catalog show 17
  tallyho catalog show 17 --json | jq .citation
  tallyho catalog show 17 --as-of 2026-11-01
"""
HISTORY_EPILOG = """\b
Examples:
  tallyho catalog history 17
  tallyho catalog history 17 --json | jq '.items[0].sha256'
"""
GET_EPILOG = """\b
Examples:
  tallyho catalog get 17
  tallyho catalog get 17 -o births.csv
  tallyho catalog get 17 --version 1 -o - | head
  tallyho catalog get 17 --as-of 2026-11-01 -o births-november.csv

\b
`tallyho catalog package` downloads all that a search finds.
"""


def show(file_id: Id, as_of: AsOf = None, as_json: Json = False) -> None:
    """Print all that is known about a file."""
    with open_catalog() as catalog:
        file = catalog.show(file_id, as_of=as_of)
    if as_json:
        print_json(file)
    else:
        print_pairs(_facts(file))
        if file.check is not None:
            print_columns(file.check.profile)


def history(file_id: Id, as_of: AsOf = None, as_json: Json = False) -> None:
    """List the versions of a file, the newest first."""
    with open_catalog() as catalog:
        versions = catalog.history(file_id, as_of=as_of)
    if as_json:
        print_json_list(versions)
    else:
        columns = ("version", "fetched", "bytes", "change", "verdict", "what changed", "sha256")
        print_table(columns, map(_version_row, versions))


def get(
    file_id: Id,
    output: Annotated[
        str | None, typer.Option("-o", "--output", help="A path; - is standard output.")
    ] = None,
    version: Annotated[int | None, typer.Option(help="The newest by default.")] = None,
    as_of: AsOf = None,
) -> None:
    """Download a file from the store."""
    with open_catalog() as catalog:
        if output == "-":
            with catalog.open(file_id, version, as_of=as_of) as stream:
                shutil.copyfileobj(stream, sys.stdout.buffer)
                sys.stdout.buffer.flush()
            return
        path = Path(output) if output is not None else _free_name(catalog.show(file_id))
        saved = catalog.get(file_id, path, version, as_of=as_of)
    typer.echo(clean(saved))


def _facts(file: FileDetail) -> Iterator[tuple[str, object]]:
    for name in ("id", "title", "site", "url", "format"):
        yield name, getattr(file, name)
    if file.removed_at is not None:
        yield "removed", f"{day(file.removed_at)}: {file.removal_reason}"
    yield "bytes", size_text(file.bytes)
    yield "sha256", file.sha256
    yield "version", f"{file.version}, fetched {day(file.fetched_at)}"
    gone = f", gone since {day(file.gone_since)}" if file.gone_since else ""
    yield "seen", f"{day(file.first_seen)} to {day(file.last_seen)}{gone}"
    if file.check is not None:
        check = file.check
        yield "verdict", verdict_line(check.verdict, check.kind, check.rows, check.columns)
        yield from reason_facts(check.reasons)
        yield from profile_facts(check.profile)
    for title, value in file.facts():
        yield title.lower(), value if isinstance(value, str) else day(value)
    for sighting in file.sightings:
        yield "on page", f'{sighting.page_url}  "{sighting.anchor}"'
    yield "dataset", f"{file.dataset_id}  {file.dataset_title}"
    for sibling in file.files:
        if sibling.id != file.id:
            yield "also as", f"{sibling.id}  {sibling.format}  {sibling.url}"
    yield "cite as", file.citation


def _version_row(version: Version) -> tuple[object, ...]:
    change = "" if version.change is None else f"{version.change:+,}"
    verdict = version.verdict or "-" if version.available else "bytes removed"
    fetched = f"{version.fetched_at:%Y-%m-%d %H:%M}"
    facts = (version.number, fetched, f"{version.bytes:,}", change, verdict)
    return *facts, version.change_summary, version.sha256


def _free_name(file: FileDetail) -> Path:
    """A file of this folder, named as on the site; nothing of the name leads elsewhere."""
    last = file.file_name.replace("\\", "/").rpartition("/")[2]
    name = "".join(mark for mark in last if mark.isprintable() and mark not in '<>:"|?*')
    name = name.strip(" .")[-150:] or f"file-{file.id}"
    path = Path(name)
    if path.exists():
        raise typer.BadParameter(f"{clean(name)} is there already; choose a path with -o")
    return path
