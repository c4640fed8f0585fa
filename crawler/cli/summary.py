"""The end of a crawl, printed for people."""

import shlex
from collections.abc import Iterator, Mapping, Sequence

import typer

from crawler.cli.output import clean, count, duration, print_pairs, shortened, size_text
from crawler.pipeline.crawl.summary import CrawlSummary
from crawler.pipeline.report.status import SiteStatus
from crawler.pipeline.report.wording import skip_words
from crawler.state.reports import ActionReport
from crawler.state.stop import StopReason


def print_summary(summary: CrawlSummary, sentence: str, typed: str) -> None:
    """What a run cost and gave; `typed` is how the caller named the site."""
    typer.echo(clean(f"{summary.site}: {sentence}"))
    typer.echo()
    print_pairs(_facts(summary))
    typer.echo()
    print_pairs(("next", command) for command in _next_commands(summary, typed))


def print_complete(summary: CrawlSummary, sentence: str, typed: str) -> None:
    """A crawl that has nothing left to do."""
    site = shlex.quote(typed)
    lines = (
        f"{summary.site} is complete: {sentence}.",
        f"It has {_total(summary.in_all)}.",
        f"Files: {summary.files}  Manifest: {summary.manifest}",
        f"To look at what may have changed: tallyho revisit {site}",
        f"To start again from nothing (files stay in the store): tallyho crawl {site} --fresh",
    )
    for line in lines:
        typer.echo(clean(line))


def _facts(summary: CrawlSummary) -> Iterator[tuple[str, str]]:
    yield from request_facts(summary)
    yield from skipped_facts(summary.skipped)
    yield from action_facts(summary.top_actions)
    if summary.resumed:
        yield "in all runs", _total(summary.in_all)
    yield "files", summary.files
    yield "manifest", summary.manifest


def request_facts(summary: CrawlSummary) -> Iterator[tuple[str, str]]:
    """What a run asked for and received."""
    yield from traffic_facts(summary, f", in {duration(summary.minutes * 60)}")


def traffic_facts(counted: CrawlSummary | SiteStatus, took: str = "") -> Iterator[tuple[str, str]]:
    """The same of a run or of all runs of a site."""
    heads = f", {counted.heads:,} of them HEAD" if counted.heads else ""
    retries = f", {counted.retries:,} repeated" if counted.retries else ""
    yield "requests", f"{counted.requests:,}{heads}{retries}{took}"
    yield "pages", f"{counted.pages:,}"
    yield "targets", by_format(counted.targets, counted.formats)
    kept = size_text(counted.target_bytes)
    yield "bytes", f"{size_text(counted.bytes)} received, {kept} of them targets"


def _next_commands(summary: CrawlSummary, typed: str) -> Iterator[str]:
    site = shlex.quote(typed)
    match summary.stop_reason:
        case StopReason.FRONTIER_EMPTY | StopReason.YIELD_EXHAUSTED:
            yield f"tallyho revisit {site}    looks at what may have changed"
        case StopReason.FORBIDDEN | StopReason.UNREACHABLE:
            yield f"tallyho sites probe {site}    takes one look at the site"
        case _:
            yield f"tallyho crawl {site}    resumes where this run stopped"
    if summary.targets:
        yield f"tallyho validate {site}    checks the new files"
    yield f"tallyho status {site}    shows the same at any time"
    yield f"tallyho explain {site} URL    explains why a URL was fetched or not"


def by_format(targets: int, formats: Mapping[str, int]) -> str:
    """'35: 10 excel, 9 csv'."""
    listed = ", ".join(f"{number:,} {name}" for name, number in formats.items())
    return f"{targets:,}: {listed}" if listed else f"{targets:,}"


def skipped_facts(skipped: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """One fact for every reason, with its words."""
    width = max((len(f"{number:,}") for number in skipped.values()), default=0)
    for reason, number in skipped.items():
        yield "skipped", f"{number:>{width},}  {reason}: {skip_words(reason)}"


def action_facts(actions: Sequence[ActionReport]) -> Iterator[tuple[str, str]]:
    """One fact for every action that gave something: its mean reward and its tag path."""
    for action in actions:
        if action.reward:
            links = count(action.selections, "link")
            waiting = f", {action.waiting:,} waiting" if action.waiting else ""
            path = shortened(action.path, 80)
            yield "best actions", f"{action.mean:.2f} targets a link ({links}{waiting})  {path}"


def _total(in_all: Mapping[str, int]) -> str:
    requests, pages = count(in_all["requests"], "request"), count(in_all["pages"], "page")
    return f"{count(in_all['targets'], 'target')} from {pages} with {requests}"
