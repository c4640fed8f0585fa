"""What a crawl counts: the same as its summary, and what the server saw."""

import json
from collections import Counter
from typing import Any

import pytest
from opentelemetry.sdk.metrics.export import InMemoryMetricReader

from crawler.config.site import SiteConfig
from crawler.metrics.meter import Meter
from crawler.pipeline.crawl import metered
from crawler.pipeline.crawl.acquire import acquire
from crawler.pipeline.crawl.revisit import revisit
from crawler.pipeline.crawl.watch import Watch
from crawler.web.messages import Failure, Head, Reply

Points = dict[str, list[tuple[dict[str, str], Any]]]


@pytest.fixture
def site(office: str) -> SiteConfig:
    return SiteConfig(
        name="demo",
        start_url=f"{office}/",
        allow_private_hosts=True,
        politeness={"delay": 0, "retries": 0},
    )


@pytest.fixture
def reader(monkeypatch):
    """What the crawls of this test send."""
    reader = InMemoryMetricReader()
    meter = Meter([reader])
    monkeypatch.setattr(metered, "process_meter", lambda: meter)
    # A crawl of a second is looked at after every request.
    monkeypatch.setattr(metered, "SECONDS_BETWEEN_LOOKS", 0.0)
    monkeypatch.setattr(metered, "SHARE_OF_TIME", 0)
    yield reader
    meter.close()


def points(reader: InMemoryMetricReader) -> Points:
    data = reader.get_metrics_data()
    found: Points = {}
    if data is not None:
        for one in data.resource_metrics[0].scope_metrics[0].metrics:
            found[one.name] = [(dict(p.attributes), p) for p in one.data.data_points]
    return found


def counted(found: Points, name: str, label: str) -> dict[str, int]:
    return {labels[label]: point.value for labels, point in found[name]}


def test_crawl_and_revisit_count_what_they_report(site, settings, office_log, reader):
    while_it_ran: list[Points] = []
    watch = Watch(on_end=lambda _: while_it_ran.append(points(reader)))
    summary = acquire(site, settings, watch=watch)
    found = while_it_ran[0]
    seen = Counter(
        str(line["status"]) for line in map(json.loads, office_log.read_text().splitlines())
    )
    assert Counter(counted(found, "tallyho.crawl.requests", "status")) == seen
    assert sum(seen.values()) == summary.requests
    assert counted(found, "tallyho.crawl.files", "format") == summary.formats
    assert counted(found, "tallyho.crawl.skipped", "reason") == summary.skipped
    assert counted(found, "tallyho.crawl.pages", "site") == {"demo": summary.pages}
    assert counted(found, "tallyho.crawl.received", "site") == {"demo": summary.bytes}
    (sizes,) = [point for _, point in found["tallyho.crawl.file.size"]]
    assert (sizes.count, sizes.sum) == (summary.targets, summary.target_bytes)
    for name in ("tallyho.crawl.request.duration", "tallyho.crawl.wait.duration"):
        ((labels, times),) = found[name]
        assert labels == {"site": "demo"}
        assert times.count == summary.requests
    assert counted(found, "tallyho.crawl.runs", "stop_reason") == {"frontier_empty": 1}
    ((_, lease),) = found["tallyho.crawl.lease.remaining"]
    assert lease.value > 0
    (left,) = counted(found, "tallyho.crawl.frontier", "site").values()
    assert left == 0
    (per_request,) = counted(found, "tallyho.crawl.yield.ratio", "site").values()
    assert per_request == summary.targets / summary.requests
    # Nobody shares this store, and this was no revisit.
    assert not {"tallyho.crawl.snapshot.age", "tallyho.crawl.revisit.coverage.ratio"} & set(found)
    # What is over has no gauges; its counters stay.
    after = points(reader)
    assert "tallyho.crawl.frontier" not in after
    assert "tallyho.crawl.requests" in after

    night = revisit(site, settings, watch=watch)
    found = while_it_ran[1]
    assert counted(found, "tallyho.crawl.revisit.coverage.ratio", "site") == {"demo": 1.0}
    visits = found["tallyho.crawl.visits"]
    made = Counter({labels["kind"]: 0 for labels, _ in visits})
    for labels, point in visits:
        made[labels["kind"]] += point.value
    assert made["page"] == night.visited > 0


def test_crawl_that_fails_leaves_no_gauges(site, settings, reader):
    class Broken(Exception):
        pass

    def fail(_: object) -> None:
        raise Broken

    with pytest.raises(Broken):
        acquire(site, settings, watch=Watch(on_event=fail))
    assert "tallyho.crawl.lease.remaining" not in points(reader)


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        (Reply(head=Head("u", 200)), "200"),
        (Reply(head=Head("u", 404)), "404"),
        (Reply(head=Head("u", 299)), "2xx"),
        (Reply(head=Head("u", 999)), "9xx"),
        (Reply(failure=Failure.TIMEOUT), "timeout"),
        (Reply(head=Head("u", 200), failure=Failure.BROKEN), "broken"),
        (Reply(), "none"),
    ],
)
def test_server_cannot_make_up_labels(reply, status):
    assert metered.status_of(reply) == status
