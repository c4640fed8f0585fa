"""From a site's YAML to the rules that its crawl follows."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from crawler.config.scope import ANY_HOST
from crawler.config.site import SiteConfig
from crawler.engine.discovery import Discovery
from crawler.engine.retries import RetryPolicy
from crawler.engine.robots_gate import RobotsGate
from crawler.learning.early_stopping import YieldMonitor
from crawler.pages.counters import Counters
from crawler.pages.idle_parameters import IdleParameters
from crawler.pages.mime import MimeRules
from crawler.pages.more_of_the_same import MoreOfTheSame
from crawler.pages.scope import Place, Scope
from crawler.pages.traps import TrapRules


@dataclass(frozen=True, slots=True)
class Rules:
    """Everything of a crawl that follows from the site's YAML."""

    scope: Scope
    mime: MimeRules
    counters: Counters
    traps: TrapRules
    idle_parameters: IdleParameters
    more_of_the_same: MoreOfTheSame
    retries: RetryPolicy
    gate: RobotsGate
    discovery: Discovery
    monitor: YieldMonitor | None
    """None when early stopping is off."""


def rules_of(
    site: SiteConfig,
    agent: str,
    wall_clock: Callable[[], float],
    check_stop: Callable[[], None] = lambda: None,
) -> Rules:
    """The rules of a site; `agent` is the User-Agent, which robots.txt knows us by."""
    scope = Scope(
        site.start_url,
        hosts=site.scope.hosts,
        file_hosts=site.scope.file_hosts,
        include=site.scope.include,
        exclude=site.scope.exclude,
    )
    mime = MimeRules(site.targets)
    counters = Counters()
    idle_parameters = IdleParameters(counters)
    traps = TrapRules(
        datetime.fromtimestamp(wall_clock(), UTC).date(),
        depth=site.limits.depth,
        url_length=site.limits.traps.url_length,
        parameter_combinations=site.limits.traps.parameter_combinations,
        calendar_run=site.limits.traps.calendar_run,
        counters=counters,
    )
    retries = RetryPolicy(site.politeness.retries, site.politeness.backoff)
    gate = RobotsGate(
        obey=site.politeness.robots,
        agent=agent,
        retries=retries,
        wall_clock=wall_clock,
        in_scope=lambda url: scope.place(url) is not Place.OUTSIDE,
    )
    stopping = site.early_stopping
    return Rules(
        scope=scope,
        mime=mime,
        counters=counters,
        traps=traps,
        idle_parameters=idle_parameters,
        more_of_the_same=MoreOfTheSame(counters),
        retries=retries,
        gate=gate,
        discovery=Discovery(
            scope,
            mime,
            traps,
            idle_parameters,
            gate,
            files_anywhere=ANY_HOST in site.scope.file_hosts,
            max_urls=site.limits.known_urls,
            check_stop=check_stop,
        ),
        monitor=YieldMonitor(stopping.half_life, stopping.floor, stopping.patience, stopping.left)
        if stopping
        else None,
    )
