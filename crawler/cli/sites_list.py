"""`tallyho sites list`: every site with its file, its state and its nights."""

from datetime import UTC, datetime

from crawler.cli.options import Json
from crawler.cli.output import count, print_json_list, print_table, print_warning
from crawler.config.load import load_sites
from crawler.config.settings import load_settings
from crawler.config.site import SiteConfig
from crawler.pipeline.report.look import look_into_catalog
from crawler.pipeline.report.site_view import SiteView, site_views

EPILOG = """\b
Examples:
  tallyho sites list
  tallyho sites list --json | jq -r '.items[].name'
"""


def list_sites(as_json: Json = False) -> None:
    """List the sites of the site folder and of the catalog."""
    settings = load_settings()
    sites, problems = load_sites(settings.sites_dir)
    known = look_into_catalog(settings, print_warning)
    views = site_views(known, settings.sites_dir, datetime.now(UTC))
    files = {site.name: site for site in sites}
    if as_json:
        print_json_list(_listed(view, files.get(view.name)) for view in views)
    else:
        columns = ("name", "site file", "state", "schedule", "last run", "next run", "start")
        print_table(columns, map(_site_row, views))
    if problems:
        number = len({problem.file for problem in problems})
        print_warning(f"{count(number, 'invalid file')}; see `tallyho sites check`")


def _listed(view: SiteView, site: SiteConfig | None) -> dict[str, object]:
    keys = {"enabled", "owner", "tags"}
    told = site.model_dump(mode="json", include=keys) if site else dict.fromkeys(keys)
    strategy = site.strategy.name.value if site else None
    return {**view.model_dump(mode="json"), **told, "strategy": strategy}


def _site_row(view: SiteView) -> tuple[object, ...]:
    moments = (
        f"{moment:%Y-%m-%d %H:%M}" if moment else "" for moment in (view.last_run, view.next_run)
    )
    return (view.name, view.site_file, view.state, view.schedule, *moments, view.start_url)
