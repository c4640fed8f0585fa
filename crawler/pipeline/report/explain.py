"""Where one URL stands: what the rules say of it, what the crawl knows of it, and why."""

import time
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.engine.rules import Rules, rules_of
from crawler.pages.kept_file import KeptFile
from crawler.pages.mime import UrlClass
from crawler.pages.reasons import SkipReason
from crawler.pages.scope import Place
from crawler.pages.urls import canonical, fingerprint, origin
from crawler.pipeline.crawl.fetching import agent_of
from crawler.pipeline.report.newest_state import newest_state
from crawler.pipeline.report.opinion import Opinion, opinion_of
from crawler.pipeline.report.wording import skip_words
from crawler.state.crawl_state import CrawlState
from crawler.state.kept_files import kept_file
from crawler.state.records import LinkRow, LinkStatus, RobotsRow
from crawler.state.reports import (
    ActionReport,
    RequestMade,
    action,
    hop_from,
    page_of,
    steps_of,
)
from crawler.storage.interface import object_key

_TRAPS = {
    SkipReason.TOO_DEEP,
    SkipReason.URL_TOO_LONG,
    SkipReason.REPEATING_PATH,
    SkipReason.PARAMETER_TRAP,
    SkipReason.CALENDAR_TRAP,
    SkipReason.IDLE_PARAMETER,
}


class RobotsVerdict(StrEnum):
    """What the robots.txt that the crawl has read says of a URL."""

    ALLOWED = "allowed"
    FORBIDDEN = "forbidden"
    UNAVAILABLE = "unavailable"
    """robots.txt gave no usable answer, so nothing there may be fetched."""
    UNKNOWN = "unknown"
    """robots.txt of that server was not requested yet."""
    IGNORED = "ignored"
    """`politeness.robots` is off."""


class FoundBy(StrEnum):
    """How a URL became known."""

    START = "start"
    LINK = "link"
    REDIRECT = "redirect"


@dataclass(frozen=True, slots=True)
class RuleVerdicts:
    """What the site's rules say of a URL, as they stand now."""

    place: Place
    media: bool
    trap: SkipReason | None
    robots: RobotsVerdict
    refusal: SkipReason | None
    """The first rule that refuses it; None when it may be followed."""


@dataclass(frozen=True, slots=True)
class Found:
    """Where a URL was found first."""

    by: FoundBy
    page_url: str
    page_title: str
    anchor: str
    tag_path: str
    depth: int


@dataclass(frozen=True, slots=True)
class Explanation:
    """All that is known of one URL."""

    site: str
    url: str
    canonical: str
    crawled: bool
    """Whether the site was ever crawled."""
    rules: RuleVerdicts
    why: str
    """One sentence: why it was fetched, or not."""
    status: LinkStatus | None = None
    """None when the crawl does not know the URL."""
    reason: str = ""
    found: Found | None = None
    opinion: Opinion | None = None
    """What the strategy takes it for, once it has learned something."""
    action: ActionReport | None = None
    requests: tuple[RequestMade, ...] = ()
    file: KeptFile | None = None
    file_path: str = ""

    @property
    def known(self) -> bool:
        """Whether the crawl has met the URL."""
        return self.status is not None

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        values = asdict(self)
        values["rules"]["place"] = self.rules.place.value
        values["status"] = self.status.name.lower() if self.status is not None else None
        del values["opinion"]
        opinion = self.opinion
        values["predicted"] = opinion.url_class.value if opinion else None
        values["target_chance"] = opinion.chance if opinion else None
        values["score"] = opinion.worth if opinion else None
        values["file"] = self.file.as_dict() if self.file else None
        if self.action:
            values["action"]["mean"] = self.action.mean
        return {**values, "known": self.known}


def explain(settings: Settings, site: SiteConfig, url: str) -> Explanation:
    """Say where an absolute http(s) URL stands."""
    with newest_state(settings, site.name) as state:
        if state is None:
            rules = _verdicts(site, _rules(site), url, ())
            why = f"The site was never crawled; {_prospect(rules, None)}."
            return Explanation(site.name, url, canonical(url), False, rules, why)
        link = state.find(fingerprint(canonical(url)))
        if link is None:
            return _explain_unknown(site, state, url)
        return _explain_known(settings, site, state, url, link)


def _explain_unknown(site: SiteConfig, state: CrawlState, url: str) -> Explanation:
    rules = _verdicts(site, _rules(site, state), url, tuple(state.robots()))
    opinion = None if rules.refusal else opinion_of(state, url)
    why = f"No page that was read links to it; {_prospect(rules, opinion)}."
    return Explanation(site.name, url, canonical(url), True, rules, why, opinion=opinion)


def _explain_known(
    settings: Settings, site: SiteConfig, state: CrawlState, url: str, link: LinkRow
) -> Explanation:
    rules = _verdicts(site, _rules(site), link.url, tuple(state.robots()), link)
    requests = tuple(steps_of(state, link.id))
    file = kept_file(state, link.id)
    its_action = action(state, link.action)
    return Explanation(
        site=site.name,
        url=url,
        canonical=canonical(url),
        crawled=True,
        rules=rules,
        why=_why(state, link, its_action, requests, file),
        status=link.status,
        reason=link.reason,
        found=_found(state, link),
        opinion=None if rules.refusal else opinion_of(state, link.url, link),
        action=its_action,
        requests=requests,
        file=file,
        file_path=settings.place_of(object_key(file.download.sha256)) if file else "",
    )


def _rules(site: SiteConfig, state: CrawlState | None = None) -> Rules:
    """The site's rules; with the state, also what the trap rules have counted so far."""
    rules = rules_of(site, agent_of(site), time.time)
    if state is not None:
        rules.counters.load(state.counters())
    return rules


def _verdicts(
    site: SiteConfig,
    rules: Rules,
    url: str,
    robots: tuple[RobotsRow, ...],
    link: LinkRow | None = None,
) -> RuleVerdicts:
    rules.gate.load(robots, None)
    # The depth of a URL that was not found yet is unknown; one link is allowed everywhere.
    refusal = rules.discovery.refusal(url, link.depth if link else 1)
    trap = refusal if refusal in _TRAPS else None
    if link is not None and link.reason in _TRAPS:
        # The counters that refused it then are not those of now.
        trap = refusal = SkipReason(link.reason)
    return RuleVerdicts(
        place=rules.scope.place(url),
        media=rules.mime.is_media(url),
        trap=trap,
        robots=_robots(site, rules, url, known=any(row.origin == origin(url) for row in robots)),
        refusal=refusal,
    )


def _robots(site: SiteConfig, rules: Rules, url: str, *, known: bool) -> RobotsVerdict:
    if not site.politeness.robots:
        return RobotsVerdict.IGNORED
    if not known:
        return RobotsVerdict.UNKNOWN
    if rules.gate.unavailable(url):
        return RobotsVerdict.UNAVAILABLE
    return RobotsVerdict.ALLOWED if rules.gate.allows(url) else RobotsVerdict.FORBIDDEN


def _found(state: CrawlState, link: LinkRow) -> Found:
    if not link.parent:
        return Found(FoundBy.START, "", "", "", "", link.depth)
    parent = state.link(link.parent)
    page = page_of(state, link.parent)
    return Found(
        by=FoundBy.REDIRECT if parent.depth == link.depth else FoundBy.LINK,
        page_url=parent.url,
        page_title=page.title if page else "",
        anchor=link.anchor,
        tag_path=state.tag_path(link.tag_path) if link.tag_path else "",
        depth=link.depth,
    )


def _prospect(rules: RuleVerdicts, opinion: Opinion | None) -> str:
    unavailable = rules.robots is RobotsVerdict.UNAVAILABLE
    refusal = SkipReason.ROBOTS_UNAVAILABLE if unavailable else rules.refusal
    if refusal:
        return f"found on a page, it would be skipped: {skip_words(refusal)}"
    condition = ", if robots.txt allows it" if rules.robots is RobotsVerdict.UNKNOWN else ""
    if opinion is not None and opinion.url_class is UrlClass.TARGET:
        return f"found on a page, it would be fetched at once, as a likely target{condition}"
    if opinion is not None:
        return f"found on a page, it would wait in the frontier{condition}"
    return f"found on a page, it would be followed{condition}"


def _why(
    state: CrawlState,
    link: LinkRow,
    its_action: ActionReport | None,
    requests: tuple[RequestMade, ...],
    file: KeptFile | None,
) -> str:
    match link.status:
        case LinkStatus.NEW:
            return "It is on the page in work, and the strategy has not placed it yet."
        case LinkStatus.FRONTIER:
            others = (its_action.waiting or 1) - 1 if its_action else 0
            beside = f" beside {others:,} others of its action" if others else ""
            return f"It was not fetched yet: it waits in the frontier{beside}."
        case LinkStatus.PAGE:
            page = page_of(state, link.id)
            gave = f"; {page.new_links:,} of its {page.links:,} links were new" if page else ""
            return f"It was fetched and read as a page{gave}."
        case LinkStatus.TARGET:
            kind = f" ({file.download.group}, {file.download.size:,} bytes)" if file else ""
            return f"It was fetched and kept, since it is one of the site's targets{kind}."
        case LinkStatus.SKIPPED:
            tried = "It was requested without success" if requests else "It was not fetched"
            return f"{tried}: {skip_words(link.reason)}."
        case LinkStatus.DEFERRED if link.reason == SkipReason.MORE_OF_THE_SAME.value:
            why = skip_words(link.reason)
            return f"It waits until everything else is done: {why}."
        case LinkStatus.DEFERRED:
            return (
                f"It was requested without success ({skip_words(link.reason)}), and will be tried "
                "again when everything else is done."
            )
        case LinkStatus.REDIRECT:
            return f"It was fetched, and its redirection to {hop_from(state, link.id)} followed."
        case LinkStatus.IN_WORK:
            return "It is in work: it is being retried, or the next to be requested."
