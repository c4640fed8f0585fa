"""`tallyho catalog news`: what is new, changed or gone."""

from typing import Annotated

import typer

from crawler.catalog.db.news_tables import What
from crawler.catalog.facade import open_catalog
from crawler.cli.options import Format, Json, SiteName, Words, reported_as_usage
from crawler.cli.output import print_json, print_records

EPILOG = """\b
Examples:
  tallyho catalog news
  tallyho catalog news births --site demo --since 7d
  tallyho catalog news --what changed --limit 100
  tallyho catalog news --file 140
  tallyho catalog news --before 1154 --json | jq .next

\b
Each piece of news has a number for good. `next` of a page, given as --before, goes on
after it, also when new files have come meanwhile. /feed.atom and /feed.json of
`tallyho serve` are the same as feeds. See docs/alerts.md.
"""


def news(
    words: Words = None,
    site: SiteName = None,
    file_format: Format = None,
    what: Annotated[What | None, typer.Option(help="Only what is new, changed or gone.")] = None,
    since: Annotated[
        str | None, typer.Option(help="Only since: 12h, 7d, 4w, or 2026-11-01.")
    ] = None,
    file: Annotated[int | None, typer.Option(min=1, help="Only of the file with this ID.")] = None,
    before: Annotated[
        int | None, typer.Option(min=1, help="Go on where a page ended: its `next`.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many to print.")] = 20,
    as_json: Json = False,
) -> None:
    """List what is new, changed or gone, the latest first."""
    with open_catalog() as catalog, reported_as_usage():
        page = catalog.news(
            " ".join(words or ()),
            site=site,
            format=file_format,
            what=what and what.value,
            since=since,
            file=file,
            before=before,
            limit=limit,
        )
    if as_json:
        print_json(page)
        return
    print_records(
        page.items,
        {
            "number": lambda one: one.number,
            "when": lambda one: f"{one.at:%Y-%m-%d %H:%M}",
            "what": lambda one: one.what.value,
            "id": lambda one: one.id,
            "title": lambda one: one.name,
            "site": lambda one: one.site,
            "format": lambda one: one.format,
            "change": lambda one: one.change_summary,
        },
    )
    if page.next is not None:
        typer.echo(f"\nThere is more: --before {page.next}")
