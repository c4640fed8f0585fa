"""`tallyho sites new`: a commented site file from one look at a site."""

from pathlib import Path
from typing import Annotated

import typer

from crawler.cli.options import Json
from crawler.cli.output import clean, print_json, print_warning
from crawler.config.load import read_site, site_files
from crawler.config.section import is_site_name
from crawler.config.settings import load_settings
from crawler.config.web_address import check_web_url
from crawler.errors import ConfigError, ExitCode, SiteUnavailable
from crawler.pipeline.report.new_site import draft, name_for, site_file
from crawler.pipeline.report.probe import probe_site

EPILOG = """\b
Examples:
  tallyho sites new https://www.insee.fr/
  tallyho sites new https://stats.example.org/en/ --name example
  tallyho sites new https://stats.example.org/ --print > draft.yaml

\b
Makes a handful of requests, as `sites probe` does. A file that is there is never
overwritten. The site is written as `enabled: false`: look at the file first.

\b
Exit codes: 0 written; 3 the address or the name is wrong or taken; 4 the site cannot be
reached or forbids crawling (the file is written all the same, and says so).
"""


def new(
    url: Annotated[str, typer.Argument(metavar="URL", help="The page where the crawl starts.")],
    name: Annotated[
        str | None, typer.Option(help="The site's name; by default made of the host.")
    ] = None,
    only_print: Annotated[
        bool, typer.Option("--print", help="Print the file instead of writing it.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Write a commented site file from a look at the site."""
    folder = load_settings().sites_dir
    _check(url)
    chosen = name or name_for(url)
    if not is_site_name(chosen):
        raise ConfigError(f"'{chosen[:80]}' cannot name a site; choose one with --name")
    path = folder / f"{chosen}.yaml"
    if not only_print:
        _refuse_taken(path, chosen, folder)
    probe = probe_site(draft(url, chosen))
    text = site_file(probe)
    if only_print:
        typer.echo(text, nl=False)
    else:
        _write(path, text)
        if as_json:
            print_json({"file": str(path), "site": chosen, "refusal": probe.refusal})
        else:
            typer.echo(clean(f"{path} is written; look at it, then: tallyho crawl {chosen}"))
    if problems := read_site(path)[1] if not only_print else []:
        print_warning(str(problems[0]))
        raise typer.Exit(int(ExitCode.CONFIG))
    if probe.refusal:
        raise SiteUnavailable(probe.refusal, site=chosen)


def _check(url: str) -> None:
    try:
        check_web_url(url)
    except ValueError as error:
        raise ConfigError(f"start_url: {error}") from None


def _refuse_taken(path: Path, name: str, folder: Path) -> None:
    if path.exists():
        raise ConfigError(f"{path} is there already; choose another name with --name")
    sites = {site.name: file for file in site_files(folder) if (site := read_site(file)[0])}
    if name in sites:
        raise ConfigError(f"{sites[name]} has the name '{name}'; choose another one with --name")


def _write(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror}") from None
