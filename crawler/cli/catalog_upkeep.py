"""The commands of `tallyho catalog` that look after it: upgrade, verify, remove, retention, ..."""

from contextlib import closing
from dataclasses import asdict, astuple
from typing import Annotated

import typer

from crawler.catalog.db.database import open_database
from crawler.catalog.facade import open_catalog
from crawler.catalog.search.reindex import reindex as continue_reindex
from crawler.catalog.search.reindex import start_reindex
from crawler.catalog.upkeep.removal import remove as take_down
from crawler.catalog.upkeep.retention import apply_retention, parse_retention
from crawler.catalog.upkeep.verify import verify as compare
from crawler.cli.options import Id, Json, reported_as_usage
from crawler.cli.output import clean, count, print_json, print_table
from crawler.config.settings import load_settings
from crawler.errors import ExitCode, NotInCatalog

REMOVE_EPILOG = """\b
Examples:
  tallyho catalog remove 17 --reason "asked for by the office, ticket 412"

\b
The bytes of all versions go, unless another file has the same; that the file was there
stays known. No search finds it any more, and no crawl brings it back.
"""
VERIFY_EPILOG = """\b
Examples:
  tallyho catalog verify
  tallyho catalog verify --deep
  tallyho catalog verify --json | jq -r '.items[] | select(.kind == "missing_blob") | .what'

\b
Exit code 7 when something is wrong; each problem is listed. --deep also reads every file
and compares its hash, which takes as long as reading the whole store.
"""
UPGRADE_EPILOG = """\b
Examples:
  tallyho catalog upgrade

\b
SQLite is upgraded by itself whenever it is opened. PostgreSQL is not: stop the crawls,
make a backup, run this once.
"""
DOWNGRADE_EPILOG = """\b
Examples:
  tallyho catalog downgrade 0008

\b
For going back to an older version of Tallyho: stop everything, make a backup, run this
with the newer version, install the older one, run its `tallyho catalog upgrade`. What the
revisions after this one added is lost: docs/operations.md lists it.
"""
REINDEX_EPILOG = """\b
Examples:
  tallyho catalog reindex
  tallyho catalog reindex --all
"""
RETENTION_EPILOG = """\b
Examples:
  tallyho catalog retention --keep 12
  tallyho catalog retention --keep 3 --site demo

\b
The bytes of older versions go; that they were there stays known.
"""


def remove(
    file_id: Id,
    reason: Annotated[str, typer.Option(help="Why; it is kept in the catalog.")],
    as_json: Json = False,
) -> None:
    """Take a file down: its bytes go, its record stays."""
    if not reason.strip():
        raise typer.BadParameter("a takedown needs a reason", param_hint="--reason")
    with open_catalog() as catalog:
        try:
            catalog.show(file_id)
            done = take_down(catalog.database, catalog.store, file_id, reason)
        except LookupError as error:
            raise NotInCatalog(str(error)) from None
    if as_json:
        print_json(
            {
                "id": done.resource_id,
                "versions": done.versions,
                "blobs_deleted": done.blobs.deleted,
                "blobs_shared": done.blobs.shared,
            }
        )
        return
    shared = f", {done.blobs.shared:,} kept for other files" if done.blobs.shared else ""
    deleted = count(done.blobs.deleted, "blob")
    typer.echo(
        f"removed file {file_id}: {count(done.versions, 'version')}, {deleted} deleted{shared}"
    )


def verify(
    deep: Annotated[bool, typer.Option("--deep", help="Read and hash every file.")] = False,
    as_json: Json = False,
) -> None:
    """Compare catalog and store: nothing missing, nothing extra."""
    with open_catalog() as catalog:
        result = compare(catalog.database, catalog.store, deep=deep)
    wrong = sum(result.counts.values())
    if as_json:
        more = {"blobs": result.blobs, "spared": result.spared, "counts": result.counts}
        print_json({"total": wrong, "items": list(map(asdict, result.problems)), **more})
    else:
        if result.problems:
            print_table(("problem", "what", "detail"), map(astuple, result.problems))
        if wrong > len(result.problems):
            typer.echo(f"... and {wrong - len(result.problems):,} more")
        spared = f", {result.spared:,} just arriving" if result.spared else ""
        compared = count(result.blobs, "blob")
        typer.echo(
            f"{compared} compared{spared}: {count(wrong, 'problem') if wrong else 'all well'}"
        )
    if wrong:
        raise typer.Exit(int(ExitCode.FAILURES))


def upgrade() -> None:
    """Bring the catalog's tables to this version of Tallyho."""
    with closing(open_database(load_settings().database_url)) as database:
        if database.is_sqlite:
            database.ready()
        database.upgrade()
        continue_reindex(database)
        typer.echo(clean(f"catalog {database.place} has revision {database.revision()}"))


def downgrade(
    revision: Annotated[str, typer.Argument(metavar="REVISION", help="Such as 0008.")],
) -> None:
    """Take the catalog's tables back to an earlier revision."""
    with closing(open_database(load_settings().database_url)) as database:
        if not database.exists:
            raise NotInCatalog(f"there is no catalog {database.place}")
        database.downgrade(revision)
        typer.echo(clean(f"catalog {database.place} has revision {database.revision()}"))


def reindex(
    from_scratch: Annotated[
        bool, typer.Option("--all", help="Also what is indexed already.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Make the search index anew, or finish it.

    An upgrade that changes the search leaves it to the nightly upkeep, a part at a time. It can be
    interrupted at any moment, and the catalog searched meanwhile.
    """
    with open_catalog() as catalog:
        if from_scratch:
            start_reindex(catalog.database)
        done = continue_reindex(catalog.database)
    if as_json:
        print_json({"datasets": done})
    else:
        typer.echo(f"{count(done, 'dataset')} indexed")


def retention(
    keep: Annotated[str, typer.Option(help="Versions of each file that keep their bytes, or all.")],
    site: Annotated[str, typer.Option(help="Only this site.")] = "",
    as_json: Json = False,
) -> None:
    """Delete the bytes of old versions.

    The newest ones of each file keep them: as many as --keep says.
    """
    with reported_as_usage("--keep"):
        wanted = parse_retention(keep)
    with open_catalog() as catalog:
        done = apply_retention(catalog.database, catalog.store, wanted, site=site)
    if as_json:
        blobs = {"blobs_deleted": done.blobs.deleted, "blobs_shared": done.blobs.shared}
        print_json({"versions": done.versions, **blobs})
    else:
        deleted = count(done.blobs.deleted, "blob")
        typer.echo(f"{count(done.versions, 'version')} lost their bytes, {deleted} deleted")
