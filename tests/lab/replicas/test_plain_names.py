"""Plain names: what a mirroring tool added to names is gone, and twins are one page."""

from contextlib import closing

import pytest

from crawler.lab.replicas.plain_names import PlainNames, plain_name
from crawler.lab.replicas.reference_format import import_reference
from crawler.lab.replicas.replica import Replica
from tests.lab.replicas.test_reference_format import BASE, EXCEL, HTML, write


@pytest.mark.parametrize(
    ("mirrored", "plain"),
    [
        ("http://o.example/a/births.html", "http://o.example/a/births"),
        ("http://o.example/a/births.asp.html#top", "http://o.example/a/births.asp#top"),
        ("http://o.example/a/list%3Fpage=2.html", "http://o.example/a/list?page=2"),
        ("http://o.example/a/index.html", "http://o.example/a/"),
        ("http://o.example/a/list?page=2", "http://o.example/a/list?page=2"),
        ("http://o.example/a/table.csv", "http://o.example/a/table.csv"),
        ("http://index.html", "http://index.html"),
        ("../a/b.html", "../a/b"),
        ("index.html", "./"),
        ("#top", "#top"),
        ("?page=2", "?page=2"),
    ],
)
def test_names_lose_what_was_added(mirrored, plain):
    assert plain_name(mirrored) == plain


def test_links_of_a_page_are_renamed_and_those_to_other_hosts_stay():
    names = PlainNames(f"{BASE}/index.html")
    page = (
        b"<a class=x href='a.html'>a.html</a> <A HREF=\"http://other.example/b.html\">b</A>"
        b'<a href="mailto:c.html">c</a><a href="http://office.example/d.html">d</a>'
    )
    assert names.body(page) == (
        b"<a class=x href='a'>a.html</a> <A HREF=\"http://other.example/b.html\">b</A>"
        b'<a href="mailto:c.html">c</a><a href="http://office.example/d">d</a>'
    )


def test_import_with_plain_names_merges_twins(tmp_path):
    """A page stands under both names: as it was mirrored, and as a redirection or an error."""
    rows = [
        (f"{BASE}/index.html", "200", HTML, "<a href='births.html'>Births</a>", 32),
        (f"{BASE}/births", "301", repr({b"Location": [b"/births.html"]}), "", 0),
        (f"{BASE}/births.html", "200", HTML, "<a href='a.xls'>Table</a>", 25),
        (f"{BASE}/deaths", "404", HTML, "", 0),
        (f"{BASE}/deaths.html", "200", HTML, "deaths", 6),
        (f"{BASE}/a.xls", "200", EXCEL, "cut", 7777),
    ]
    source = write(tmp_path / "in.db", rows)
    imported = import_reference(source, tmp_path / "out.db", plain_names=True)
    assert (imported.answers, imported.start_url) == (4, f"{BASE}/")
    with closing(Replica(tmp_path / "out.db")) as replica:
        assert replica.start_url == f"{BASE}/"
        assert replica.respond(f"{BASE}/").body == b"<a href='births'>Births</a>"
        assert replica.respond(f"{BASE}/births").body == b"<a href='a.xls'>Table</a>"
        assert replica.respond(f"{BASE}/deaths").status == 200
        assert replica.respond(f"{BASE}/births.html").status == 404
        assert (replica.targets(), replica.available()) == (1, 4)
