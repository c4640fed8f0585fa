"""Sites whose file was removed, disabled or broken: a night of theirs that runs has to end.

Airflow leaves the runs of a DAG that is not there any more as they are, running for ever. So the
reader of the DAG files remembers which sites had one, and keeps it for a while without a schedule.
"""

import json
import logging
from collections.abc import Collection
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from crawler.config.problem import Problem
from crawler.config.section import is_site_name
from crawler.config.site import SiteConfig

if TYPE_CHECKING:
    from crawler.nights.project import Project
    from crawler.pipeline.night.night import Night

KEPT = timedelta(days=2)
"""Longer than a night needs to notice its end, to validate and to publish."""

log = logging.getLogger(__name__)


def ended_sites(memory: Path, active: Collection[str], now: datetime | None = None) -> list[str]:
    """Sites that had a DAG within the last days and have none now; `memory` is a JSON file."""
    now = now or datetime.now(UTC)
    known = _read(memory)
    ended = {name: since or now.isoformat() for name, since in known.items() if name not in active}
    ended = {name: since for name, since in ended.items() if now - _moment(since, now) < KEPT}
    remembered = dict.fromkeys(active, "") | ended
    if remembered != known:
        _write(memory, remembered)
    return sorted(ended)


def ended_site(name: str) -> SiteConfig:
    """A site of which only the name is left."""
    return SiteConfig(start_url="https://removed.invalid/", name=name, enabled=False)


def why_ended(name: str, sites: Collection[SiteConfig], problems: Collection[Problem]) -> str:
    """Why a site is not visited any more; empty when it is."""
    if any(site.name == name for site in sites):
        enabled = any(site.name == name and site.enabled for site in sites)
        return "" if enabled else "its site file says enabled: false"
    wrong = [problem for problem in problems if problem.file.stem == name]
    return f"its site file is wrong: {wrong[0]}" if wrong else "it has no site file any more"


def why_to_end(project: "Project", site: SiteConfig, night: "Night") -> str:
    """Why this night makes no more requests, as the site files say now; empty when it goes on."""
    ended = "" if site.enabled else why_ended(site.name, *project.sites())
    if ended:
        return ended
    if site.enabled and night.start_url and night.start_url != site.start_url:
        return f"its start page was {night.start_url} and is {site.start_url} since"
    return ""


def _read(memory: Path) -> dict[str, str]:
    """By name: since when a site has been without a DAG; empty while it has one."""
    with suppress(OSError, ValueError):
        known = json.loads(memory.read_text(encoding="utf-8"))
        if isinstance(known, dict):
            return {name: str(since) for name, since in known.items() if is_site_name(name)}
    return {}


def _write(memory: Path, remembered: dict[str, str]) -> None:
    try:
        memory.parent.mkdir(parents=True, exist_ok=True)
        beside = memory.with_name(f"{memory.name}.new")
        beside.write_text(json.dumps(remembered, sort_keys=True), encoding="utf-8")
        beside.replace(memory)
    except OSError as error:
        # The nights of sites that stay are not concerned.
        log.warning("%s cannot be written: %s", memory, error.strerror or error)


def _moment(text: str, now: datetime) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return now
