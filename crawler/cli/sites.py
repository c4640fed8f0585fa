"""`tallyho sites`: what is configured, and whether it is right."""

from typing import Annotated

import typer

from crawler.cli.lazy_group import LazyCommand, lazy_app
from crawler.cli.options import Json
from crawler.cli.output import print_json, report_problems
from crawler.config.load import find_file, read_sites, site_files
from crawler.config.settings import load_settings
from crawler.config.site import SiteConfig
from crawler.pipeline.crawl.site_patterns import check_pattern_files
from crawler.validation.overrides import check_validation

app = lazy_app(
    "Look at the site files and at the sites.",
    LazyCommand(
        "sites_list:list_sites",
        "List the sites of the site folder and of the catalog.",
        name="list",
    ),
    LazyCommand("sites:check", "Report every problem of every site file."),
    LazyCommand("sites_new:new", "Write a commented site file from a look at the site."),
    LazyCommand(
        "sites_forget:forget", "Forget a site that is not crawled any more; its files stay."
    ),
    LazyCommand("sites:schema", "Print the JSON Schema of a site file, for editors."),
    LazyCommand("sites_probe:probe", "Take one polite look at a site, before it is crawled."),
)


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
    problems = sorted(problems + check_pattern_files(files))
    fine = len(set(files) - {problem.file for problem in problems})
    report_problems(problems, fine, "site", as_json=as_json)


def schema() -> None:
    """Print the JSON Schema of a site file, for editors."""
    draft = "https://json-schema.org/draft/2020-12/schema"
    print_json({"$schema": draft, **SiteConfig.model_json_schema()})
