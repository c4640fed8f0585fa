"""A night whose site is removed, disabled or moved ends properly, and somebody is told."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from crawler.catalog.db.database import open_database
from crawler.catalog.read.runs import past_runs
from crawler.catalog.write.runs import RunResult, end_run, start_run
from crawler.config.load import find_site
from crawler.config.settings import Settings
from crawler.nights.ended_sites import ended_site, why_to_end
from crawler.nights.project import Project
from crawler.pipeline.night.night import BudgetFrom, Night, NightKind
from crawler.pipeline.night.publish import end_night
from crawler.state.stop import StopReason
from tests.pipeline.night.alarm_receivers import HookServer, serving

NOW = datetime(2026, 11, 16, 3, 0, tzinfo=UTC)
START = "https://stats.example.org/"
NIGHT = Night(
    "stats", NightKind.FIRST, "night", "run-1", 9, BudgetFrom.DEFAULT, "why", start_url=START
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setenv("TALLYHO_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TALLYHO_SITES_DIR", str(tmp_path / "sites"))
    (tmp_path / "sites").mkdir()
    return Project(tmp_path)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (None, "it has no site file any more"),
        (f"start_url: {START}\nenabled: false\n", "its site file says enabled: false"),
        (f"start_url: {START}\nseed: no\n", "stats.yaml:2: seed: must be a whole number"),
    ],
)
def test_reason_is_what_the_site_file_says_now(
    project: Project, text: str | None, why: str
) -> None:
    if text is not None:
        (project.settings().sites_dir / "stats.yaml").write_text(text)
    assert why in why_to_end(project, ended_site("stats"), NIGHT)


def test_moved_start_page_ends_the_night_and_an_equal_one_does_not(project: Project) -> None:
    file = project.settings().sites_dir / "stats.yaml"
    file.write_text(f"start_url: {START}\nbudget: {{requests: 7}}\n")
    assert why_to_end(project, find_site(str(file), file.parent), NIGHT) == ""
    file.write_text("start_url: https://moved.example.org/\n")
    moved = find_site(str(file), file.parent)
    assert why_to_end(project, moved, NIGHT) == (
        f"its start page was {START} and is https://moved.example.org/ since"
    )


def test_run_is_closed_with_its_counts_and_somebody_is_told(tmp_path: Path) -> None:
    hook = HookServer(204)
    settings = Settings(home=tmp_path, alarm_webhook=hook.url, alarm_private=True)
    database = open_database(settings.database_url)
    database.ready()
    start_run(
        database, run_id="run-1", site="stats", start_url=START, strategy="sb", started_at=NOW
    )
    paused = RunResult(stop_reason=StopReason.SLICE_ENDED.value, requests=5, targets=2)
    end_run(database, "run-1", paused, ended_at=None)

    with serving(hook):
        end_night(settings, NIGHT, "it has no site file any more", NOW)

    (run,) = past_runs(database, "stats")
    assert (run.ended_at, run.stop_reason) == (NOW, "interrupted")
    assert (run.requests, run.stop_detail) == (5, "it has no site file any more")
    (alarm,) = hook.received
    assert (alarm["kind"], alarm["run_id"]) == ("site_ended", "run-1")
    assert alarm["text"] == (
        "stats: the site file changed during the night: the night ended before its crawl did: "
        "it has no site file any more; what was acquired stays"
    )
    database.close()
