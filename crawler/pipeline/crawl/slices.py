"""A night's crawl in slices: each ends cleanly, and all of them are one run with one budget."""

from contextlib import suppress
from dataclasses import dataclass

from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.errors import SiteForbids, SiteUnavailable, StorageError
from crawler.pipeline.crawl.acquire import acquire
from crawler.pipeline.crawl.context import RunPlan
from crawler.pipeline.crawl.outage import MAX_OUTAGE
from crawler.pipeline.crawl.revisit import NothingKnown, RevisitSummary, revisit
from crawler.pipeline.crawl.summary import CrawlSummary
from crawler.pipeline.crawl.watch import Watch
from crawler.pipeline.night.night import Night, NightKind
from crawler.pipeline.report.wording import stop_sentence
from crawler.state.stop import StopReason


@dataclass(frozen=True, slots=True)
class SliceResult:
    """The run so far, and whether it is over."""

    summary: CrawlSummary
    done: bool
    revisited: RevisitSummary | None = None
    """What is new, changed and gone, when the night was a revisit."""


def crawl_slice(
    site: SiteConfig,
    settings: Settings,
    night: Night,
    seconds: float | None = None,
    *,
    watch: Watch | None = None,
    max_outage: float = MAX_OUTAGE,
) -> SliceResult:
    """Crawl or revisit for this many seconds, or to the end of the run.

    Killed or called again at whatever moment, it resumes; after its end it reports that end again.
    Raises SiteForbids, SiteUnavailable or StorageError when the run cannot continue for now, and
    SiteBusy while another worker holds the site.
    """
    tonight = night.applied_to(site)
    plan = RunPlan(night.run_id, seconds, night.key)
    revisited = None
    if night.kind is NightKind.REVISIT:
        with suppress(NothingKnown):
            # The catalog knows the site, but its crawl state was lost with its machine: then the
            # site is crawled from the start, below.
            revisited = revisit(tonight, settings, plan, watch=watch, max_outage=max_outage)
    if revisited is not None:
        summary = revisited.crawl
    else:
        fresh = night.kind is not NightKind.CONTINUE
        summary = acquire(
            tonight, settings, fresh=fresh, watch=watch, max_outage=max_outage, plan=plan
        )
    reason = summary.stop_reason
    sentence = stop_sentence(reason, summary.stop_detail, tonight.budget)
    match reason:
        case StopReason.FORBIDDEN:
            raise SiteForbids(sentence, site=site.name)
        case StopReason.UNREACHABLE:
            raise SiteUnavailable(sentence, site=site.name)
        case StopReason.DISK_FULL:
            raise StorageError(sentence, site=site.name)
    done = reason is not StopReason.SLICE_ENDED
    return SliceResult(summary, done, revisited if done else None)
