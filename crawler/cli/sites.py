"""`tallyho sites`: what is configured, whether it is right, and what one look at a site shows."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from crawler.cli.output import (
    clean,
    count,
    duration,
    print_json,
    print_json_list,
    print_pairs,
    print_table,
    print_warning,
)
from crawler.errors import ExitCode, SiteUnavailable

if TYPE_CHECKING:
    from crawler.pipeline.report.probe import Probe

app = typer.Typer(
    help="Look at the site files and at the sites.", no_args_is_help=True, rich_markup_mode=None
)

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
PROBE_EPILOG = """\b
Examples:
  tallyho sites probe demo
  tallyho sites probe drafts/new-site.yaml --json

\b
Exit code 4 when the site cannot be reached or forbids crawling.
"""


@app.command("list", epilog=LIST_EPILOG)
def list_sites(as_json: Json = False) -> None:
    """List the sites of the site folder."""
    from crawler.config.load import load_sites
    from crawler.config.settings import load_settings

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


@app.command(epilog=CHECK_EPILOG)
def check(
    sites: Annotated[
        list[str] | None, typer.Argument(metavar="NAME|FILE", help="All sites by default.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Report every problem of every site file, with file, line, field and reason."""
    from crawler.config.load import find_file, read_sites, site_files
    from crawler.config.settings import load_settings
    from crawler.validation.overrides import check_validation

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


@app.command(epilog=SCHEMA_EPILOG)
def schema() -> None:
    """Print the JSON Schema of a site file, for editors."""
    from crawler.config.site import SiteConfig

    draft = "https://json-schema.org/draft/2020-12/schema"
    print_json({"$schema": draft, **SiteConfig.model_json_schema()})


@app.command(epilog=PROBE_EPILOG)
def probe(site: Annotated[str, typer.Argument(metavar="NAME|FILE")], as_json: Json = False) -> None:
    """Take one polite look at a site: robots.txt, the start page, and what a crawl would cost."""
    from crawler.config.load import find_site
    from crawler.config.settings import load_settings
    from crawler.pipeline.report.probe import probe_site

    result = probe_site(find_site(site, load_settings().sites_dir))
    if as_json:
        print_json(result.as_dict())
    else:
        print_pairs(_facts(result))
    if result.refusal:
        raise SiteUnavailable(result.refusal, site=result.site)


def _print_line(text: str) -> None:
    typer.echo(clean(text))


def _facts(probe: "Probe") -> Iterator[tuple[str, str]]:
    yield "site", f"{probe.site} ({probe.start_url})"
    yield "robots.txt", _robots(probe)
    if probe.crawl_delay is not None:
        yield "robots.txt", f"asks for a delay of {duration(probe.crawl_delay)}"
    yield from (("sitemap", url) for url in probe.sitemaps)
    yield from (("redirect", url) for url in probe.redirects)
    if probe.status is not None:
        yield "start page", f"status {probe.status} {probe.content_type}".rstrip()
    if probe.is_page:
        yield from _page_facts(probe)
    elif not probe.refusal:
        yield "start page", "is not HTML, so there is nothing to follow"
    if probe.refusal:
        return
    least = duration(probe.least_seconds)
    budget = count(probe.budget_requests, "request")
    yield "cost", f"with a delay of {duration(probe.delay)}, {budget} take at least {least}"


def _page_facts(probe: "Probe") -> Iterator[tuple[str, str]]:
    if probe.title:
        yield "start page", f"“{probe.title}”"
    forbidden = f", {probe.forbidden_links:,} forbidden" if probe.forbidden_links else ""
    yield "links", f"{probe.links:,}{forbidden}"
    groups = ", ".join(f"{number:,} {group}" for group, number in probe.data_links.items())
    yield "data files", groups or "none by their extension; they may be deeper in the site"
    for host, number in probe.off_site_data.items():
        yield "off the site", f"{count(number, 'data file')} on {host} (hint: scope.file_hosts)"
    yield from (("feed", url) for url in probe.feeds)
    if probe.empty_without_javascript:
        yield "JavaScript", "the page is empty without it; try another start_url or start_also"


def _robots(probe: "Probe") -> str:
    verdict = {
        "rules": "allows the start page" if probe.start_allowed else "forbids the start page",
        "no_rules": "there is none, so everything is allowed",
        "unavailable": "gives no usable answer, so nothing may be fetched",
        "unasked": "was not asked for",
    }[probe.robots]
    return verdict if probe.robots_obeyed else f"{verdict} (politeness.robots is off)"
