"""`tallyho sites forget`: a site that is not crawled any more leaves the lists."""

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated

import typer

from crawler.cli.options import Json
from crawler.cli.output import clean, count, print_json
from crawler.config.load import load_sites
from crawler.config.section import is_site_name
from crawler.config.settings import load_settings
from crawler.errors import ConfigError
from crawler.pipeline.night.forget_site import forget_site

EPILOG = """\b
Examples:
  tallyho sites forget old-office
  tallyho sites forget old-office --with-files

\b
Deletes the crawl state, its snapshots, the manifest and the allotment. Files, versions and
runs stay in the catalog and can be searched, unless --with-files takes the files down as
`tallyho catalog remove` does. The site file is yours: remove it first, or set
`enabled: false`. If the site gets a file again, its next night crawls it from the start.

\b
Exit codes: 0 forgotten; 2 there is no such site; 3 its site file is enabled; 5 another run
holds the site; 6 store or catalog unavailable.
"""


def forget(
    name: Annotated[str, typer.Argument(metavar="NAME")],
    with_files: Annotated[
        bool, typer.Option("--with-files", help="Take its files down, too; this deletes them.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Forget a site that is not crawled any more; its files stay."""
    settings = load_settings()
    if not is_site_name(name):
        raise ConfigError(f"'{name[:80]}' cannot name a site")
    if any(site.name == name and site.enabled for site in load_sites(settings.sites_dir)[0]):
        raise ConfigError("its site file is enabled: remove it, or set enabled: false", site=name)
    done = forget_site(settings, name, datetime.now(UTC), with_files=with_files)
    if as_json:
        print_json(asdict(done))
        return
    files = (
        f"{count(done.files_removed, 'file')} taken down"
        if with_files
        else f"{count(done.files_kept, 'file')} kept"
    )
    state = f"{done.state_files:,} of its state and {count(done.snapshots, 'snapshot')} deleted"
    typer.echo(clean(f"{name} is forgotten: {files}, {state}"))
