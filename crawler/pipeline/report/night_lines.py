"""A night in sentences: the same on the terminal of `tallyho nightly` and in the logs of tasks."""

from collections.abc import Iterator

from crawler.config.site import SiteConfig
from crawler.config.sizes import write_size
from crawler.pipeline.crawl.revisit import RevisitSummary
from crawler.pipeline.crawl.summary import CrawlSummary
from crawler.pipeline.night.night import BudgetFrom, Night, NightKind
from crawler.pipeline.night.publish import Published
from crawler.pipeline.report.wording import counted, stop_sentence
from crawler.pipeline.validate.summary import ValidationSummary

_BUDGET_WORDS = {
    BudgetFrom.SITE: "as its site file says",
    BudgetFrom.FLEET: "allotted by the fleet",
    BudgetFrom.HAND: "set by hand",
    BudgetFrom.DEFAULT: "the default",
}
_WORK = {
    NightKind.FIRST: "acquires {url} for the first time",
    NightKind.CONTINUE: "resumes the acquisition of {url}",
    NightKind.REVISIT: "looks at what may have changed on {url}",
    NightKind.AGAIN: "acquires {url} again from the start",
    NightKind.NOTHING: "makes no request to {url}",
}


def plan_lines(night: Night) -> Iterator[str]:
    """What will be done, why, and with how many requests."""
    yield f"{night.kind.value}: {night.reason}"
    yield from night.notes
    if night.kind.crawls:
        budget = _BUDGET_WORDS[night.budget_from]
        yield f"budget: {counted(night.requests, 'request')}, {budget}"


def crawl_start(site: SiteConfig, night: Night) -> str:
    """What a crawl is going to do, before its first request."""
    budget, delay = site.budget, site.politeness.delay
    limits = [counted(night.requests, "request"), f"{budget.minutes:g} minutes"]
    limits += [write_size(budget.bytes)] if budget.bytes else []
    work = _WORK[night.kind].format(url=site.start_url)
    return (
        f"{work}, since {night.reason}; at most {', '.join(limits)} in run {night.run_id}, "
        f"{delay:g} s between two requests"
    )


def crawl_lines(crawled: CrawlSummary, revisited: RevisitSummary | None = None) -> Iterator[str]:
    """What a crawl cost and gave, and why it stopped."""
    why = stop_sentence(crawled.stop_reason, crawled.stop_detail)
    spent = f"{counted(crawled.targets, 'file')} in {counted(crawled.requests, 'request')}"
    yield f"crawled: {spent}; {why}"
    if crawled.formats:
        formats = ", ".join(f"{number:,} {name}" for name, number in crawled.formats.items())
        yield f"files: {formats}; {counted(crawled.target_bytes, 'byte')}"
    if crawled.skipped:
        reasons = ", ".join(f"{number:,} {reason}" for reason, number in crawled.skipped.items())
        yield f"skipped: {reasons}"
    if revisited is not None:
        visited, files = revisited.visited, revisited.checked_files
        yield f"revisited: {counted(visited, 'known page')}, {counted(files, 'known file')}"
        changes = revisited.changes
        new, changed, gone = len(changes.new), len(changes.changed), len(changes.gone)
        yield f"found: {counted(new, 'new file')}, {changed:,} changed, {gone:,} gone"


def validate_lines(validated: ValidationSummary) -> Iterator[str]:
    """The verdicts, and what could not be judged."""
    if validated.checked:
        counts = ", ".join(
            f"{number:,} {name.value}" for name, number in validated.verdicts.items()
        )
        yield f"validated: {counted(validated.checked, 'file')}: {counts}"
    for failure in validated.failures:
        yield f"not judged: {failure.url}: {failure.sentence}"


def publish_lines(published: Published) -> Iterator[str]:
    """What was announced, and the alarms."""
    new, changed = published.announced.new_files, published.announced.changed_files
    gone = f", {len(published.gone_ids):,} gone" if published.gone_ids else ""
    yield f"published: {counted(new, 'new file')}, {changed:,} changed{gone}"
    if published.announced.verdicts:
        verdicts = published.announced.verdicts.items()
        yield f"verdicts: {', '.join(f'{number:,} {name}' for name, number in verdicts)}"
    yield from (f"alarm: {alarm.sentence}" for alarm in published.alarms)
