"""`tallyho explain`: where one URL stands, and why it was fetched or not."""

from collections.abc import Iterator
from typing import Annotated

import typer

from crawler.cli.options import Json
from crawler.cli.output import clean, count, print_json, print_pairs, shortened
from crawler.config.load import find_site
from crawler.config.settings import load_settings
from crawler.pages.urls import resolve
from crawler.pipeline.report.explain import Explanation, Found, RuleVerdicts
from crawler.pipeline.report.explain import explain as explain_url
from crawler.pipeline.report.opinion import Opinion
from crawler.pipeline.report.wording import skip_words
from crawler.state.reports import RequestMade

EPILOG = """\b
Examples:
  tallyho explain demo http://127.0.0.1:8350/en/
  tallyho explain insee 'https://www.insee.fr/fr/statistiques?debut=0' --json | jq -r .why

\b
The URL is one as in a browser's address line. One that the crawl does not know is
judged by the site's rules. Exit code 2 when it is no http or https URL.
"""


def explain(
    site: Annotated[str, typer.Argument(metavar="NAME|FILE")],
    url: Annotated[str, typer.Argument(metavar="URL")],
    as_json: Json = False,
) -> None:
    """Explain what was done with a URL, and why.

    Shows where it was found, its action, its requests, and why it was fetched or not.
    """
    address = resolve("", url)
    if address is None:
        raise typer.BadParameter(
            f"'{clean(url[:200])}' is not an http or https URL, such as https://stats.example.org/data",
            param_hint="URL",
        )
    settings = load_settings()
    explained = explain_url(settings, find_site(site, settings.sites_dir), address)
    if as_json:
        print_json(explained.as_dict())
    else:
        print_pairs(_facts(explained))


def _facts(explained: Explanation) -> Iterator[tuple[str, str]]:
    yield "URL", explained.url
    yield "canonical", explained.canonical
    yield "why", explained.why
    yield "rules", _place(explained.rules)
    yield "rules", f"{'media' if explained.rules.media else 'no media'} by its extension"
    trap = explained.rules.trap
    yield "rules", f"a trap: {skip_words(trap)}" if trap else "no trap"
    yield "robots.txt", _robots(explained.rules)
    if explained.status is not None:
        yield "status", _status(explained)
    elif explained.crawled:
        yield "status", "not known to the crawl"
    else:
        yield "status", "the site was never crawled"
    if explained.found:
        yield from _found_facts(explained.found)
    if explained.opinion:
        yield "opinion", _opinion(explained.opinion)
    yield from _action_facts(explained)
    yield from (("request", _request(made)) for made in explained.requests)
    yield from _file_facts(explained)


def _status(explained: Explanation) -> str:
    name = explained.status.name.lower().replace("_", " ") if explained.status is not None else ""
    return f"{name} ({explained.reason})" if explained.reason else name


def _place(rules: RuleVerdicts) -> str:
    return {
        "site": "inside the site",
        "file_host": "on another host, from which data files may be fetched (scope.file_hosts)",
        "outside": "outside the site: its host is neither the site's nor in scope.hosts",
        "excluded": "excluded by scope.include or scope.exclude",
    }[rules.place.value]


def _robots(rules: RuleVerdicts) -> str:
    return {
        "allowed": "allows it",
        "forbidden": "forbids it",
        "unavailable": "gave no usable answer, so nothing there may be fetched",
        "unknown": "was not asked for on that server yet",
        "ignored": "is not obeyed (politeness.robots is off)",
    }[rules.robots.value]


def _found_facts(found: Found) -> Iterator[tuple[str, str]]:
    if found.by.value == "start":
        yield "found", "it is a start page"
        return
    title = f" “{found.page_title}”" if found.page_title else ""
    by_redirect = found.by.value == "redirect"
    yield "found", f"{'redirected from' if by_redirect else 'on'} {found.page_url}{title}"
    if found.anchor:
        yield "found", f"with the words “{found.anchor}”"
    if found.tag_path:
        yield "found", f"at {found.tag_path}"
    yield "found", f"{count(found.depth, 'link')} from the start"


def _opinion(opinion: Opinion) -> str:
    taken = f"it looks like a {'page' if opinion.url_class.value == 'html' else 'target'}"
    if opinion.chance is None or opinion.worth is None:
        return taken
    # "1e-06" would say less than "under 0.01" to a reader who asks why a link waits.
    worth = f"{opinion.worth:.2f}" if opinion.worth >= 0.01 else "under 0.01"
    return f"{taken} ({opinion.chance:.0%} likely to be a target), score {worth}"


def _action_facts(explained: Explanation) -> Iterator[tuple[str, str]]:
    action = explained.action
    if action is None:
        return
    yield "action", f"{action.id}, such as {shortened(action.path, 160)}"
    chosen = f"chosen {count(action.selections, 'time')}"
    waiting = count(action.waiting or 0, "link")
    yield "action", f"{chosen}, {action.mean:.2f} new targets each, {waiting} waiting"


def _request(made: RequestMade) -> str:
    answer = f"HTTP {made.status}" if made.status else "no answer"
    return f"{made.number:,}: {made.method}, {answer}, {made.outcome.replace('_', ' ')}"


def _file_facts(explained: Explanation) -> Iterator[tuple[str, str]]:
    file = explained.file
    if file is None:
        return
    got = file.download
    yield "file", f"{got.mime} ({got.group}), as its {got.detected_by} says"
    yield "file", f"{got.size:,} bytes, sha256 {got.sha256}"
    yield "file", explained.file_path
