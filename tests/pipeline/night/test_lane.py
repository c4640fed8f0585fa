"""A lane crawls what was handed over to it; what it leaves, the next one goes on with."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml

from crawler.catalog.db.models import HandoverState
from crawler.catalog.write.handovers import Handover, claim, hand_over, handover_of
from crawler.config.load import find_site
from crawler.config.settings import Settings
from crawler.lab.server import running_site
from crawler.lab.sites.demo import demo_site
from crawler.pipeline.crawl.slices import crawl_slice
from crawler.pipeline.night.lane import run_lane
from crawler.pipeline.night.plan import plan
from crawler.pipeline.services import open_services
from tests.end_to_end.killed_crawl import requests_in

pytestmark = pytest.mark.slow

SITES = ("east", "north", "west")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path / "home", sites_dir=tmp_path / "sites")


@pytest.fixture
def logs(settings: Settings, tmp_path: Path) -> Iterator[dict[str, Path]]:
    settings.sites_dir.mkdir()
    found = {}
    with ExitStack() as stack:
        for seed, name in enumerate(SITES):
            found[name] = tmp_path / f"{name}.jsonl"
            base = stack.enter_context(running_site(demo_site(6, seed), found[name]))
            write(settings, name, f"{base}/")
        yield found


def write(settings: Settings, name: str, url: str, delay: float = 0.0) -> None:
    values = {
        "start_url": url,
        "lane": "small",
        "allow_private_hosts": True,
        "politeness": {"delay": delay, "retries": 0},
    }
    (settings.sites_dir / f"{name}.yaml").write_text(yaml.safe_dump(values))


def handed(settings: Settings, name: str) -> None:
    night = plan(find_site(name, settings.sites_dir), settings, datetime.now(UTC))
    with open_services(settings) as services:
        hand_over(
            services.database,
            site=name,
            lane="small",
            run_id=night.run_id,
            night=json.dumps(night.as_dict()),
        )


def known(settings: Settings, name: str) -> Handover:
    with open_services(settings) as services:
        found, _ = handover_of(services.database, name)
    assert found is not None
    return found


def test_lane_crawls_every_site_as_its_own_task_would(
    settings: Settings, logs: dict[str, Path], tmp_path: Path
) -> None:
    alone = settings.model_copy(update={"home": tmp_path / "alone"})
    for name in SITES:
        site = find_site(name, alone.sites_dir)
        crawl_slice(site, alone, plan(site, alone, datetime.now(UTC)))
    straight = {name: requests_in(log) for name, log in logs.items()}
    for name in SITES:
        handed(settings, name)
    report = run_lane(settings, "small", seconds=600, at_once=2)
    assert (sorted(report.done), report.failed, report.left) == (list(SITES), (), 0)
    for name, log in logs.items():
        assert requests_in(log)[len(straight[name]) :] == straight[name]
        counts = json.loads(known(settings, name).result)
        assert counts["requests"] == len(straight[name])


def test_bad_site_is_written_down_and_harms_no_other(
    settings: Settings, logs: dict[str, Path]
) -> None:
    write(settings, "dead", "http://127.0.0.1:9/")
    for name in ("dead", "east"):
        handed(settings, name)
    handed(settings, "north")
    (settings.sites_dir / "north.yaml").unlink()
    report = run_lane(settings, "small", seconds=600, at_once=5)
    assert (report.done, sorted(report.failed)) == (("east",), ["dead", "north"])
    dead = known(settings, "dead")
    assert (dead.state, dead.retryable) == (HandoverState.FAILED, True)
    assert "no answer" in dead.result
    assert not known(settings, "north").retryable


def test_next_lane_goes_on_with_what_a_killed_one_had_begun(
    settings: Settings, logs: dict[str, Path]
) -> None:
    handed(settings, "east")
    with open_services(settings) as services:
        assert claim(services.database, "small", 5, ())
    report = run_lane(settings, "small", seconds=600, at_once=5)
    assert report.done == ("east",)


def test_end_of_a_slice_leaves_the_rest_to_the_next(
    settings: Settings, logs: dict[str, Path]
) -> None:
    for name in SITES:
        handed(settings, name)
    left = run_lane(settings, "small", seconds=0.5, at_once=1).left
    rounds = 0
    while left:
        left = run_lane(settings, "small", seconds=0.5, at_once=1).left
        rounds += 1
    assert rounds
    assert {known(settings, name).state for name in SITES} == {HandoverState.DONE}
    for name, log in logs.items():
        seen = requests_in(log)
        assert len(seen) == json.loads(known(settings, name).result)["requests"]


def test_site_that_is_handed_over_while_the_lane_works_is_taken_too(
    settings: Settings, logs: dict[str, Path]
) -> None:
    url = find_site("east", settings.sites_dir).start_url
    write(settings, "east", url, delay=0.1)
    handed(settings, "east")
    reports = []
    lane = threading.Thread(
        target=lambda: reports.append(run_lane(settings, "small", seconds=600, at_once=5))
    )
    lane.start()
    while len(requests_in(logs["east"])) < 3:
        time.sleep(0.05)
    handed(settings, "west")
    lane.join()
    assert sorted(reports[0].done) == ["east", "west"]
