"""`tallyho backup` and `tallyho restore`: the whole installation into one folder, and back."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from crawler.cli.options import Json
from crawler.cli.output import clean, count, print_error, print_json, size_text
from crawler.config.settings import load_settings
from crawler.errors import ExitCode
from crawler.pipeline.backup.backup import back_up
from crawler.pipeline.backup.restore import restore as put_back

_LISTED = 20
BACKUP_EPILOG = """\b
Examples:
  tallyho backup /backups/2026-11-17
  tallyho backup /backups/2026-11-18 --reuse /backups/2026-11-17

\b
Copies the catalog, the store, the crawl states of this machine, the site files, the
expectations and the thesaurus; manifest.json says what of, SHA256SUMS has the hash of
every file. It may be made while crawls run: what it holds fits together. --reuse links the
files that an earlier backup on the same disk has, instead of copying them again.

\b
Exit codes: 0 done; 6 something cannot be read or written, and the folder has no
manifest.json; 7 done, but files that the catalog names are lost or damaged in the store.
"""
RESTORE_EPILOG = """\b
Examples:
  tallyho restore /backups/2026-11-17
  tallyho restore /backups/2026-11-17 --overwrite

\b
Into the catalog, store and folders that the settings name, which may be other ones than
those that the backup was made of (PostgreSQL into PostgreSQL, SQLite into SQLite). Stop
all crawls first. Then compare: tallyho catalog verify --deep

\b
Exit codes: 0 done; 3 the backup does not fit this version or kind of catalog; 5 crawls
run; 6 the backup is damaged, or something is there already, and nothing was changed;
7 done, but files were lost before the backup was made, or are damaged in it.
"""


def backup(
    folder: Annotated[Path, typer.Argument(help="A folder that is empty, or not there yet.")],
    reuse: Annotated[
        Path | None, typer.Option(help="An earlier backup; its files are linked, not copied.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Copy catalog, store, crawl states and site files into a folder."""
    done = back_up(
        load_settings(), folder, datetime.now(UTC), reuse=reuse, progress=_say(quiet=as_json)
    )
    manifest = done.manifest
    if as_json:
        more = {"folder": str(folder), "blobs": done.blobs, "linked": done.linked}
        print_json({**manifest.model_dump(mode="json"), **more})
    else:
        linked = f" ({done.linked:,} linked)" if done.linked else ""
        files = f"{count(manifest.files, 'file')}, {size_text(manifest.bytes)}"
        typer.echo(clean(f"{folder}: {files}, {count(done.blobs, 'blob')} among them{linked}"))
    _list_lost(manifest.missing)


def restore(
    folder: Annotated[Path, typer.Argument(help="A backup, with its manifest.json.")],
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace what is there; it is lost.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Put a backup back in its place."""
    done = put_back(load_settings(), folder, overwrite=overwrite, progress=_say(quiet=as_json))
    if as_json:
        print_json(
            {
                "folder": str(folder),
                "made_at": done.manifest.made_at.isoformat(),
                "blobs": done.blobs,
                "missing": done.missing,
                "sites": done.figures.sites,
                "files": done.figures.files,
                "versions": done.figures.versions,
            }
        )
    else:
        held = f"{count(done.figures.sites, 'site')}, {count(done.figures.files, 'file')}"
        made = f"{done.manifest.made_at:%Y-%m-%d %H:%M} UTC"
        blobs = count(done.blobs, "blob")
        typer.echo(clean(f"restored as of {made}: {held}, {blobs}; see `tallyho catalog verify`"))
    _list_lost(done.missing)


def _say(*, quiet: bool) -> Callable[[str], None]:
    """Prints each part as it begins, on standard error."""
    return lambda part: None if quiet else typer.echo(clean(f"{part} ..."), err=True)


def _list_lost(missing: list[str]) -> None:
    if not missing:
        return
    for sha256 in missing[:_LISTED]:
        typer.echo(f"lost or damaged: {sha256}", err=True)
    print_error(f"{count(len(missing), 'blob')} that the catalog names cannot be had")
    raise typer.Exit(int(ExitCode.FAILURES))
