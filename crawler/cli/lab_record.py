"""`tallyho lab record`: a site into a replica, politely and completely."""

from pathlib import Path
from typing import Annotated

import typer

from crawler.cli.crawl import exit_by, with_budget
from crawler.cli.options import Json, NewReplica, PlainNames, Requests, Site
from crawler.cli.output import count, print_json, print_pairs, size_text
from crawler.cli.progress import watched
from crawler.config.load import find_site
from crawler.config.settings import load_settings
from crawler.lab.replicas.recorder import WHOLE_BYTES, Recorded, is_complete
from crawler.lab.replicas.recorder import record as record_site
from crawler.pipeline.report.wording import stop_sentence

EPILOG = """\b
Examples:
  tallyho lab record demo -o demo.replica.db
  tallyho lab record my-office -o office.replica.db --requests 50000 --minutes 1440
  tallyho lab record my-office -o office.replica.db --whole

\b
The site is crawled breadth first, with its delay, its robots.txt and its budget. A
recording that was stopped in whatever way is resumed by the same command.
"""


def record(
    site: Site,
    output: NewReplica,
    keep_bytes: Annotated[
        int, typer.Option(min=1, help="How much is kept of every data file; its size is noted.")
    ] = 2048,
    whole: Annotated[
        bool, typer.Option("--whole", help="Keep whole data files, up to 256 MB of each.")
    ] = False,
    requests: Requests = None,
    minutes: Annotated[
        float | None, typer.Option(min=0.001, help="Maximum minutes of this run.")
    ] = None,
    plain_names: PlainNames = False,
    as_json: Json = False,
) -> None:
    """Record a whole site into one file, to compare strategies on it."""
    settings = load_settings()
    chosen = with_budget(find_site(site, settings.sites_dir), requests, minutes)
    if is_complete(output):
        typer.echo(f"{output} is complete already; remove it to record the site again.", err=True)
        return
    kept = WHOLE_BYTES if whole else keep_bytes
    with watched(chosen) as (progress, watch):
        recorded = record_site(
            chosen, settings, output, keep_bytes=kept, plain_names=plain_names, watch=watch
        )
    sentence = stop_sentence(recorded.stopped.reason, recorded.stopped.detail, chosen.budget)
    progress.end(sentence)
    _print(recorded, output, sentence, as_json=as_json)
    exit_by(recorded.stopped.reason, sentence, chosen.name)


def _print(recorded: Recorded, output: Path, sentence: str, *, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "replica": str(output),
                "complete": recorded.complete,
                "stop_reason": recorded.stopped.reason.value,
                "requests": recorded.requests,
                "answers": recorded.answers,
                "pages": recorded.pages,
                "targets": recorded.targets,
            }
        )
        return
    held = f"{count(recorded.pages, 'page')}, {count(recorded.targets, 'target')}"
    print_pairs(
        [
            ("replica", f"{output}, {size_text(output.stat().st_size)}"),
            ("recorded", f"{count(recorded.answers, 'answer')}: {held}"),
            ("requests", f"{recorded.requests:,} in this run"),
            ("ended", sentence),
        ]
    )
    if not recorded.complete:
        typer.echo("Not complete yet; the same command resumes it.", err=True)
