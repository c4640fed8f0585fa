"""Recording a served site: what a replay of it gives is what the site itself would give."""

import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
import yaml

from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.config.strategy import StrategyName
from crawler.engine.crawl import Crawl
from crawler.errors import SiteBusy
from crawler.lab.replay import Replayed, replay
from crawler.lab.replicas.recorder import is_complete, record, state_beside
from crawler.lab.replicas.replica import Replica
from crawler.lab.server import running_site
from crawler.lab.sites.demo import demo_site
from crawler.pipeline.crawl.watch import Watch
from crawler.state.crawl_state import IN_MEMORY, CrawlState
from crawler.state.lock import site_lock
from crawler.state.stop import StopReason
from crawler.strategies.make import make_strategy

DEMO = demo_site(pages=60)


@pytest.fixture(scope="module")
def base():
    with running_site(DEMO) as address:
        yield address


def site_at(base: str, **more: object) -> SiteConfig:
    return SiteConfig.model_validate(
        {
            "name": "demo",
            "start_url": f"{base}/",
            "allow_private_hosts": True,
            "politeness": {"delay": 0.0, "retries": 0},
            **more,
        }
    )


def settings_in(folder: Path) -> Settings:
    return Settings(home=folder / "home")


@pytest.fixture(scope="module")
def recorded(base, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("recorded")
    path = folder / "demo.replica.db"
    assert record(site_at(base), settings_in(folder), path).complete
    return path


def replayed(base: str, respond) -> Replayed:
    config = site_at(base, strategy=StrategyName.SB.value, early_stopping=False, seed=3)
    with closing(CrawlState(IN_MEMORY)) as state:
        crawl = Crawl(
            config,
            make_strategy(config.strategy, config.seed),
            state,
            agent="Tallyho",
            wall_clock=time.time,
            monotonic=time.monotonic,
        )
        return replay(crawl, state, respond)


def answers_of(path: Path) -> set[tuple[str, int, int]]:
    with closing(Replica(path)) as replica:
        return {(entry.url, entry.status, entry.size) for entry in replica.entries()}


def test_replay_of_a_recording_is_the_crawl_of_the_site(base, recorded):
    with closing(Replica(recorded)) as replica:
        from_replica = replayed(base, replica.respond)
        assert replica.targets() == from_replica.targets
    from_site = replayed(base, DEMO.at(base).respond)
    assert list(from_replica.targets_after) == list(from_site.targets_after)
    assert list(from_replica.target_bytes_after) == list(from_site.target_bytes_after)
    assert list(from_replica.other_bytes_after) == list(from_site.other_bytes_after)
    assert from_replica.targets > 20


def test_files_are_cut_and_pages_are_whole(recorded):
    with closing(Replica(recorded)) as replica:
        sizes = {
            entry.url: (len(replica.body(entry.id)), entry.size)
            for entry in replica.entries()
            if entry.status == 200 and "/image/" not in entry.url
        }
    cut = [kept for kept, size in sizes.values() if kept < size]
    assert cut
    assert set(cut) == {2048}
    assert all(kept == size for url, (kept, size) in sizes.items() if url.endswith("/"))


def test_complete_recording_is_one_file(recorded):
    assert is_complete(recorded)
    assert not state_beside(recorded).exists()
    assert {file.name for file in recorded.parent.iterdir()} == {"demo.replica.db", "home"}


def test_whole_files_are_kept_when_asked_for(base, recorded, tmp_path):
    path = tmp_path / "whole.db"
    record(site_at(base), settings_in(tmp_path), path, keep_bytes=10**9)
    with closing(Replica(path)) as replica:
        for entry in replica.entries():
            if 200 <= entry.status <= 299 and (body := replica.body(entry.id)):
                assert len(body) == entry.size
    assert answers_of(path) == answers_of(recorded)


def test_budget_ends_a_run_and_the_next_goes_on(base, recorded, tmp_path):
    path = tmp_path / "slices.db"
    config = site_at(base, budget={"requests": 40})
    runs = []
    while not (runs and runs[-1].complete):
        runs.append(record(config, settings_in(tmp_path), path))
        assert is_complete(path) is runs[-1].complete
    assert len(runs) > 2
    assert runs[0].stopped.reason is StopReason.BUDGET_REQUESTS
    assert answers_of(path) == answers_of(recorded)


def test_wish_to_stop_is_heard(base, tmp_path):
    asked = iter([False, False, False])
    watch = Watch(stop_requested=lambda: next(asked, True))
    result = record(site_at(base), settings_in(tmp_path), tmp_path / "r.db", watch=watch)
    assert result.stopped.reason is StopReason.INTERRUPTED
    assert result.requests < 4


def test_site_has_one_visitor_at_a_time(base, tmp_path):
    settings = settings_in(tmp_path)
    lock = settings.state_path("demo").with_suffix(".lock")
    with site_lock(lock, "demo"), pytest.raises(SiteBusy):
        record(site_at(base), settings, tmp_path / "r.db")


@pytest.mark.slow
def test_killed_recording_goes_on_and_ends_with_the_same_replica(base, recorded, tmp_path):
    path = tmp_path / "killed.db"
    sites = tmp_path / "sites"
    sites.mkdir()
    said = {
        "start_url": f"{base}/",
        "allow_private_hosts": True,
        "politeness": {"delay": 0, "retries": 0},
    }
    (sites / "demo.yaml").write_text(yaml.safe_dump(said))
    environment = {
        **os.environ,
        "TALLYHO_HOME": str(tmp_path / "home"),
        "TALLYHO_SITES_DIR": str(sites),
    }
    command = [sys.executable, "-m", "crawler", "lab", "record", "demo", "-o", str(path)]
    for wanted in (20, 60):
        with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as process:
            while _rows(path) < wanted and process.poll() is None:
                time.sleep(0.01)
            process.send_signal(signal.SIGKILL)
        assert 0 < _rows(path) < len(answers_of(recorded))
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    assert "resuming after" in done.stderr
    assert answers_of(path) == answers_of(recorded)


def _rows(path: Path) -> int:
    import sqlite3

    if not path.exists():
        return 0
    try:
        with closing(sqlite3.connect(path)) as database:
            return int(database.execute("SELECT count(*) FROM answer").fetchone()[0])
    except sqlite3.OperationalError:
        return 0
