"""What nobody would notice: nights that never began, or fail one after the other; wrong files.

And snapshots that are older than the last run, from which no other machine could resume.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from crawler.catalog.read.standings import Standing, standings
from crawler.config.load import load_sites
from crawler.config.problem import Problem
from crawler.config.schedule import last_moment
from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.pipeline.crawl.snapshots import Pointer, pointer_key
from crawler.pipeline.night.alarm import Alarm, AlarmKind
from crawler.pipeline.report.site_view import site_views
from crawler.pipeline.services import Services
from crawler.state.stop import StopReason
from crawler.storage.interface import ObjectStore

GRACE = timedelta(hours=6)
"""How late a night may begin: it may have to wait for a slot."""
FAILED_RUNS = 3
"""Runs that fail one after the other before somebody is told of all of them together."""
_MAX_LISTED = 5


def neglected(settings: Settings, services: Services, now: datetime) -> list[Alarm]:
    """An alarm for each site that nobody looks after; one for all files that are wrong."""
    sites, problems = load_sites(settings.sites_dir)
    known = standings(services.database)
    alarms = [*_missing_nights(sites, known, settings.sites_dir, now), *_wrong_files(problems)]
    for view in site_views(known, settings.sites_dir, now):
        if view.failed_runs >= FAILED_RUNS and view.schedule:
            sentence = f"the last {view.failed_runs} runs failed; the last one: {view.last_error}"
            alarms.append(Alarm(AlarmKind.NIGHTS_FAIL, view.name, sentence, view.last_run_id))
    if settings.is_shared:
        alarms += _old_snapshots(known, services.store)
    return alarms


def _missing_nights(
    sites: Sequence[SiteConfig], known: Mapping[str, Standing], folder: Path, now: datetime
) -> Iterator[Alarm]:
    for site in sites:
        expected = last_moment(site.schedule, now - GRACE) if site.enabled else None
        if expected is None or _is_newer(folder / f"{site.name}.yaml", expected):
            continue
        began = _last_night(known.get(site.name))
        if began is None or began < expected:
            last = f"the last one was on {began:%-d %B %Y}" if began else "it never had one"
            sentence = f"one was due on {expected:%-d %B %Y at %H:%M} UTC; {last}"
            yield Alarm(AlarmKind.NIGHT_MISSING, site.name, sentence)


def _is_newer(file: Path, expected: datetime) -> bool:
    """Whether a site file was written after the night was due: then nobody expected one."""
    return file.exists() and file.stat().st_mtime > expected.timestamp()


def _last_night(standing: Standing | None) -> datetime | None:
    """When a night worked on the site last, also one that had nothing to do or still runs."""
    if standing is None:
        return None
    moments = [run.ended_at or run.started_at for run in standing.runs[:1]]
    moments += [standing.published_at] if standing.published_at else []
    moments += [standing.asked_at] if standing.held_by else []
    return max(moments, default=None)


def _wrong_files(problems: Sequence[Problem]) -> Iterator[Alarm]:
    if problems:
        files = len({problem.file for problem in problems})
        told = "; ".join(map(str, problems[:_MAX_LISTED]))
        verb = "is" if files == 1 else "are"
        sentence = f"{files} {verb} not visited until corrected: {told}"
        yield Alarm(AlarmKind.SITE_INVALID, "", sentence)


def _old_snapshots(known: Mapping[str, Standing], store: ObjectStore) -> Iterator[Alarm]:
    for standing in known.values():
        last = standing.runs[0] if standing.runs else None
        if last is None or last.ended_at is None or last.stop_reason == StopReason.INTERRUPTED:
            continue
        data = store.get_object(pointer_key(standing.site))
        if data is None or Pointer.decode(data).fence < standing.run_fence:
            there = "there is none" if data is None else "it is of an earlier run"
            sentence = f"{there}: another machine could not resume from run {last.id}"
            yield Alarm(AlarmKind.SNAPSHOT_OLD, standing.site, sentence, last.id)
