"""A replica answers what was put into it, and tells the truth about it."""

import sqlite3
from pathlib import Path

import pytest

from crawler.config.scope import ScopeConfig
from crawler.errors import ConfigError, StorageError
from crawler.lab.replay import Volumes, answer_request
from crawler.lab.replicas.replica import Replica
from crawler.lab.replicas.schema import About, Origin
from crawler.lab.replicas.writer import ReplicaWriter, new_replica
from crawler.pages.mime import UrlClass
from crawler.web.messages import Decision, Method, Request

BASE = "https://office.example"
HTML = (("Content-Type", "text/html"),)
CSV = (("Content-Type", "text/csv"),)
ABOUT = About("office", f"{BASE}/", Origin.RECORDED)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "office.replica.db"
    with new_replica(path, ABOUT) as replica:
        replica.put(f"{BASE}/", 200, HTML, body=b"<a href='/data.csv'>data</a>")
        replica.put(f"{BASE}/data.csv", 200, CSV, body=b"a,b\n", size=5_000_000)
        replica.put(f"{BASE}/old", 301, (("Location", "/data.csv"), ("Location", "/x")))
        replica.put(f"{BASE}/circle", 302, (("Location", "/circle"),))
        replica.put(f"{BASE}/gone", 410, HTML, body=b"gone")
        replica.put(f"{BASE}/logo", 200, (("Content-Type", "image/png"),), size=900)
        replica.put(
            f"{BASE}/blob", 200, (("Content-Type", "application/octet-stream"),), body=b"%PDF-1.4"
        )
        replica.put(f"{BASE}/robots.txt", 200, (("Content-Type", "text/plain"),), body=b"")
    return path


@pytest.fixture
def replica(path: Path):
    opened = Replica(path)
    yield opened
    opened.close()


def test_what_was_recorded_is_answered(replica):
    page = replica.respond(f"{BASE}/")
    assert (page.status, page.body) == (200, b"<a href='/data.csv'>data</a>")
    assert page.headers["content-type"] == "text/html"


def test_what_was_not_recorded_is_404(replica):
    assert replica.respond(f"{BASE}/nothing").status == 404
    assert replica.respond("no url at all").status == 404
    assert replica.url_class(f"{BASE}/nothing") is UrlClass.NEITHER


def test_another_spelling_of_a_url_gets_the_same_answer(replica):
    assert replica.respond("https://OFFICE.example:443/data.csv?utm_source=x").status == 200


def test_cut_file_counts_with_its_true_size(replica):
    reply = answer_request(
        Request(f"{BASE}/data.csv"), replica.respond, lambda head, first: Decision.KEEP
    )
    assert reply.received == 5_000_000
    assert reply.file.size == 5_000_000


def test_head_is_answered_from_what_a_get_got(replica):
    request = Request(f"{BASE}/data.csv", Method.HEAD)
    reply = answer_request(request, replica.respond, lambda head, first: Decision.KEEP)
    assert reply.head.content_type == "text/csv"
    assert reply.received == 0


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("/", UrlClass.HTML),
        ("/data.csv", UrlClass.TARGET),
        ("/old", UrlClass.TARGET),
        ("/circle", UrlClass.NEITHER),
        ("/gone", UrlClass.NEITHER),
        ("/logo", UrlClass.NEITHER),
        ("/blob", UrlClass.TARGET),
    ],
)
def test_class_of_a_url_is_that_of_what_it_leads_to(replica, url, expected):
    assert replica.url_class(BASE + url) is expected


def test_counts_are_those_of_the_paper(replica):
    assert replica.targets() == 2
    assert replica.available() == 6  # neither the error nor robots.txt
    assert replica.volumes() == Volumes(target=5_000_008, other=28)


def test_same_answer_twice_changes_nothing_and_a_new_one_replaces_it(tmp_path):
    path = tmp_path / "r.db"
    for body in (b"first", b"first", b"second"):
        with ReplicaWriter(path, ABOUT) as writer:
            writer.put(f"{BASE}/", 200, HTML, body=body)
            assert writer.count() == 1
    replica = Replica(path)
    assert replica.respond(f"{BASE}/").body == b"second"
    replica.close()


def test_replica_is_one_file_that_tells_about_itself(tmp_path):
    path = tmp_path / "r.db"
    scope = ScopeConfig(hosts=("data.office.example",))
    with new_replica(
        path, About("office", f"{BASE}/", Origin.SYNTHETIC, ("csv",), scope)
    ) as writer:
        writer.put(f"{BASE}/", 200, HTML)
    assert [file.name for file in tmp_path.iterdir()] == ["r.db"]
    replica = Replica(path)
    assert (replica.name, replica.start_url) == ("office", f"{BASE}/")
    assert (replica.target_types, replica.scope) == (("csv",), scope)
    assert replica.meta()["made_by"].startswith("tallyho ")
    replica.close()


def test_new_replica_that_fails_leaves_nothing(tmp_path):
    def fail() -> None:
        with new_replica(tmp_path / "r.db", ABOUT) as writer:
            writer.put(f"{BASE}/", 200, HTML)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert list(tmp_path.iterdir()) == []


def test_existing_file_is_never_overwritten(path):
    before = path.read_bytes()
    with pytest.raises(ConfigError, match="exists already"), new_replica(path, ABOUT):
        pass
    assert path.read_bytes() == before


def test_recording_of_another_site_is_not_mixed_in(path):
    other = About("other", "https://other.example/", Origin.RECORDED)
    with pytest.raises(ConfigError, match=r"is a replica of https://office\.example/"):
        ReplicaWriter(path, other)


def test_other_databases_are_refused_with_a_hint(tmp_path):
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE x (y)")
    database.close()
    with pytest.raises(ConfigError, match="tallyho lab import"):
        Replica(path)
    with pytest.raises(ConfigError, match="tallyho lab import"):
        ReplicaWriter(path, ABOUT)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE body SET data = x'00ff00ff'",
        "UPDATE answer SET headers = '{\"a\": 1}'",
        "DROP TABLE body",
    ],
)
def test_damaged_replica_is_a_storage_error(path, damage):
    with sqlite3.connect(path) as database:
        database.execute(damage)
    database.close()
    replica = Replica(path)
    with pytest.raises(StorageError):
        replica.respond(f"{BASE}/")
    replica.close()


def test_page_that_unpacks_to_gigabytes_is_cut(path, replica):
    with sqlite3.connect(path) as database:
        database.execute("UPDATE answer SET headers = '[]'")
    database.close()
    assert len(replica.body(1, most=10)) == 10
