"""`tallyho sites`: what is configured, and whether it is right."""

from typing import Annotated

import typer

from crawler.cli.lazy_group import LazyCommand, LazyGroup
from crawler.cli.output import (
    clean,
    count,
    print_json,
    print_json_list,
    print_table,
    print_warning,
)
from crawler.config.load import find_file, load_sites, read_sites, site_files
from crawler.config.settings import load_settings
from crawler.config.site import SiteConfig
from crawler.errors import ExitCode
from crawler.validation.overrides import check_validation


class _SitesGroup(LazyGroup):
    lazy = (
        LazyCommand("list", "sites:list_sites", "List the sites of the site folder."),
        LazyCommand("check", "sites:check", "Report every problem of every site file."),
        LazyCommand("schema", "sites:schema", "Print the JSON Schema of a site file, for editors."),
        LazyCommand(
            "probe", "sites_probe:probe", "Take one polite look at a site, before it is crawled."
        ),
    )


app = typer.Typer(
    cls=_SitesGroup,
    help="Look at the site files and at the sites.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.callback()
def _group() -> None:
    """Look at the site files and at the sites."""


Json = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]

LIST_EPILOG = """\b
Examples:
  tallyho sites list
  tallyho sites list --json | jq -r '.items[].name'
"""
CHECK_EPILOG = """\b
Examples:
  tallyho sites check
  tallyho sites check demo insee
  tallyho sites check drafts/new-site.yaml --json

\b
Exit code 3 when there is any problem.
"""
SCHEMA_EPILOG = """\b
Examples:
  tallyho sites schema > site.schema.json

\b
Editors with the YAML language server complete and check a site file that begins with
  # yaml-language-server: $schema=path/to/site.schema.json
"""


def list_sites(as_json: Json = False) -> None:
    """List the sites of the site folder."""
    sites, problems = load_sites(load_settings().sites_dir)
    if as_json:
        keys = {"name", "start_url", "enabled", "schedule", "owner", "tags"}
        print_json_list(
            {**site.model_dump(mode="json", include=keys), "strategy": site.strategy.name.value}
            for site in sites
        )
    else:
        columns = ("name", "enabled", "schedule", "tags", "start")
        print_table(
            columns,
            (
                (
                    site.name,
                    "yes" if site.enabled else "no",
                    site.schedule,
                    ", ".join(site.tags),
                    site.start_url,
                )
                for site in sites
            ),
        )
    if problems:
        files = len({problem.file for problem in problems})
        print_warning(f"{count(files, 'file')} left out; see `tallyho sites check`")


def check(
    sites: Annotated[
        list[str] | None, typer.Argument(metavar="NAME|FILE", help="All sites by default.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Report every problem of every site file.

    Each with its file, line, field and reason.
    """
    settings = load_settings()
    folder = settings.sites_dir
    files = [find_file(site, folder) for site in sites] if sites else site_files(folder)
    files = list({file.resolve(): file for file in files}.values())
    problems = read_sites(files)[1] + check_validation(files, settings.expectations_dir)
    fine = len(set(files) - {problem.file for problem in problems})
    if as_json:
        print_json_list((problem.as_dict() for problem in problems), fine=fine)
    else:
        for problem in problems:
            _print_line(str(problem))
        verb = "is" if fine == 1 else "are"
        _print_line(f"{count(fine, 'site')} {verb} fine")
    if problems:
        raise typer.Exit(int(ExitCode.CONFIG))


def schema() -> None:
    """Print the JSON Schema of a site file, for editors."""
    draft = "https://json-schema.org/draft/2020-12/schema"
    print_json({"$schema": draft, **SiteConfig.model_json_schema()})


def _print_line(text: str) -> None:
    typer.echo(clean(text))
