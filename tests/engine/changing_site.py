"""A scripted site that changes between nights and answers conditional requests."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from hashlib import sha1

from crawler.config.revisit import RevisitConfig
from crawler.engine.night_planner import RevisitOrder, settle_histories
from crawler.state.crawl_state import IN_MEMORY, CrawlState
from crawler.state.history_records import VisitKind, VisitRow
from crawler.state.records import Changes
from crawler.web.messages import Conditions, Decision, Head, Reply, Request
from tests.engine.crawl_run import Clock, CrawlRun, site_config
from tests.engine.scripted_site import Answer, Script, ScriptedSite, shown

DAY = 86_400.0
EVERYTHING = RevisitConfig(name="rr", pages=1.0, files=1.0)


def tagged(answer: Answer) -> Answer:
    """The same answer with an ETag of its bytes."""
    tag = sha1(answer.body, usedforsecurity=False).hexdigest()[:8]
    return replace(answer, headers=answer.headers | {"ETag": f'"{tag}"'})


class ChangingSite(ScriptedSite):
    """Answers 304 where an ETag or date is the one that was sent; `answers` may be replaced."""

    def reply(self, request: Request, decide: Callable[[Head, bytes], Decision]) -> Reply:
        reply = super().reply(request, decide)
        if reply.head is not None and _matches(request.conditions, reply.head.headers):
            headers = {k: v for k, v in reply.head.headers.items() if k != "content-type"}
            return Reply(head=Head(request.url, 304, headers))
        return reply

    def change(self, answers: Mapping[str, Script | None]) -> None:
        """Other answers from now on; None takes a URL away."""
        changed = dict(self.answers) | answers
        self.answers = {path: script for path, script in changed.items() if script is not None}


def _matches(conditions: Conditions, headers: Mapping[str, str]) -> bool:
    if conditions.etag:
        return conditions.etag == headers.get("etag")
    return bool(conditions.last_modified) and conditions.last_modified == headers.get(
        "last-modified"
    )


class Nights:
    """A first crawl of a site, and the nights after it, on one state."""

    def __init__(
        self,
        site: ScriptedSite,
        revisit: RevisitConfig = EVERYTHING,
        taken_down: Callable[[str], bool] = lambda _: False,
        **fields: object,
    ) -> None:
        self.site = site
        self.state = CrawlState(IN_MEMORY)
        self.clock = Clock()
        self.config = site_config(**fields)
        self.revisit = revisit
        self.taken_down = taken_down
        self.number = 0
        self.first = CrawlRun(site, config=self.config, state=self.state, clock=self.clock).to_end()

    def night(self, days: float = 1.0) -> CrawlRun:
        """The next night; its requests are `asked`."""
        run = self.start(days)
        run.to_end()
        self.settle(run)
        return run

    def start(self, days: float = 1.0) -> CrawlRun:
        """The next night, not yet run."""
        self.clock.move(days * DAY)
        self.number += 1
        self._before = len(self.site.requests)
        order = RevisitOrder(
            f"night-{self.number}", self.clock.wall, self.revisit, taken_down=self.taken_down
        )
        return CrawlRun(
            self.site, config=self.config, state=self.state, clock=self.clock, revisit=order
        )

    def settle(self, run: CrawlRun) -> None:
        night = run.crawl.night
        assert night is not None
        changes = settle_histories(self.state, night.first_link)
        self.state.commit(Changes(history=changes))

    @property
    def asked(self) -> list[str]:
        """The requests of the last night, without robots.txt and without the signals' guesses."""
        log = self.site.log[self._before :]
        return [one for one in log if not one.endswith(("/robots.txt", "/sitemap.xml"))]

    def visits(self, *kinds: VisitKind) -> dict[str, tuple[str, str]]:
        """Outcome and evidence of the last night's visits, by path."""
        return {
            shown(self.state.link(visit.link).url): (visit.outcome.value, visit.detected_by.value)
            for visit in self.state.history.visits()
            if visit.kind in (kinds or tuple(VisitKind))
            and not self.state.link(visit.link).url.endswith("/sitemap.xml")
        }

    def visit(self, path: str) -> VisitRow:
        """One visit of the last night."""
        for visit in self.state.history.visits():
            if shown(self.state.link(visit.link).url) == path:
                return visit
        raise AssertionError(f"{path} was not planned")
