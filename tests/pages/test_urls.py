"""URLs are resolved as browsers do, and have one canonical form."""

import sqlite3
from urllib.parse import urljoin

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from crawler.pages.urls import authority_of, canonical, fingerprint, host_of, origin, resolve

BASE = "https://www.example.org/data/list.html?page=2"


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("a.csv", "https://www.example.org/data/a.csv"),
        ("/a.csv", "https://www.example.org/a.csv"),
        ("../a.csv", "https://www.example.org/a.csv"),
        ("../../../a.csv", "https://www.example.org/a.csv"),
        ("./%2e%2E/a/.", "https://www.example.org/a/"),
        ("?page=3", "https://www.example.org/data/list.html?page=3"),
        ("", "https://www.example.org/data/list.html?page=2"),
        ("#top", "https://www.example.org/data/list.html?page=2"),
        ("?", "https://www.example.org/data/list.html?"),
        ("//cdn.example.net/x", "https://cdn.example.net/x"),
        ("http://Example.COM", "http://example.com/"),
        ("HTTP://EXAMPLE.com/A#b", "http://example.com/A"),
        ("https:other.html", "https://www.example.org/data/other.html"),
        ("https:/other.html", "https://www.example.org/other.html"),
        ("http:example.net/x", "http://example.net/x"),
        ("https:\\\\example.net\\a\\b?c\\d", "https://example.net/a/b?c\\d"),
        ("  a\n\tb.csv\r\n", "https://www.example.org/data/ab.csv"),
        ("my file.csv", "https://www.example.org/data/my%20file.csv"),
        ("x?q=a b'\"<>", "https://www.example.org/data/x?q=a%20b%27%22%3C%3E"),
        ("données.csv?é", "https://www.example.org/data/donn%C3%A9es.csv?%C3%A9"),
        ("http://bücher.example/ß", "http://xn--bcher-kva.example/%C3%9F"),
        ("http://例え.テスト/", "http://xn--r8jz45g.xn--zckzah/"),
        ("http://ex%61mple.org/", "http://example.org/"),
        ("http://example.org:80/", "http://example.org/"),
        ("http://example.org:/", "http://example.org/"),
        ("http://example.org:443/", "http://example.org:443/"),
        ("http://example.org.:8080/", "http://example.org:8080/"),
        ("http://[::1]:8080/x", "http://[::1]:8080/x"),
        ("http://[0:0:0:0:0:0:0:1]/", "http://[::1]/"),
        ("http://127.0.0.1:8000/x", "http://127.0.0.1:8000/x"),
        ("///example.net///x", "https://example.net///x"),
        ("a%20b%zz", "https://www.example.org/data/a%20b%zz"),
        (";v=1", "https://www.example.org/data/;v=1"),
        ("\ud800", "https://www.example.org/data/%EF%BF%BD"),
    ],
)
def test_a_link_leads_where_a_browser_would_go(href: str, expected: str) -> None:
    assert resolve(BASE, href) == expected


@pytest.mark.parametrize(
    "href",
    [
        "mailto:a@example.org",
        "javascript:void(0)",
        " java\nscript:void(0)",
        "data:text/csv,1",
        "tel:+331",
        "ftp://example.org/a.csv",
        "http://",
        "http://:80/",
        "http://example.org:99999/",
        "http://example.org:0/",
        "http://example.org:8a/",
        "http://user:pass@example.org/",
        "http://user@example.org/",
        "http://[::1/",
        "http://[::1%25eth0]/",
        "http://[nonsense]/",
        "http://[::1]x/",
        "http://a..b/",
        "http://a b/",
        "http://exa<mple/",
        "http://" + "a" * 64 + ".org/",
        "http://" + "é" * 300 + "/",
        "http://2130706433/",
        "http://0x7f.0.0.1/",
        "http://127.1/",
        "http://256.0.0.1/",
        "http://℀.example/",
    ],
)
def test_what_cannot_be_requested_is_no_url(href: str) -> None:
    assert resolve(BASE, href) is None


def test_without_a_usable_base_only_absolute_links_resolve() -> None:
    assert resolve("", "a.csv") is None
    assert resolve("nonsense", "/a.csv") is None
    assert resolve("", "http://example.org/a.csv") == "http://example.org/a.csv"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("HTTP://Example.ORG:80", "http://example.org/"),
        ("https://example.org:443/a#b", "https://example.org/a"),
        ("https://example.org:8443/a", "https://example.org:8443/a"),
        ("http://example.org./a", "http://example.org/a"),
        ("http://example.org.:8000/a", "http://example.org:8000/a"),
        ("http://example.org/a/./b/../c", "http://example.org/a/c"),
        ("http://example.org/%7euser/%e9%2f", "http://example.org/~user/%E9%2F"),
        ("http://example.org/a%2E%2e/b", "http://example.org/a../b"),
        ("http://example.org/x/%2e%2E/b", "http://example.org/b"),
        ("http://example.org/é?é=ü", "http://example.org/%C3%A9?%C3%A9=%C3%BC"),
        ("http://example.org/100%", "http://example.org/100%25"),
        ("http://example.org/a|b", "http://example.org/a%7Cb"),
        ("http://example.org/a?", "http://example.org/a"),
        ("http://example.org/a?&b=1&&a=2&", "http://example.org/a?b=1&a=2"),
        ("http://example.org/a?utm_source=x&b=1&UTM_Medium=y", "http://example.org/a?b=1"),
        ("http://example.org/a?%75tm_source=x", "http://example.org/a"),
        ("http://example.org/a?gclid=1&fbclid=2&mc_cid=3&mc_eid=4&_ga=5", "http://example.org/a"),
        ("http://example.org/a?yclid=1&msclkid=2&igshid=3&z=1", "http://example.org/a?z=1"),
        ("http://example.org/a?PHPSESSID=1&x=1", "http://example.org/a?x=1"),
        ("http://example.org/a?ASPSESSIONIDABC=1&CFID=2&CFTOKEN=3", "http://example.org/a"),
        ("http://example.org/a;jsessionid=0A1B?x=1", "http://example.org/a?x=1"),
        ("http://example.org/a;JSESSIONID=0A;v=2/b", "http://example.org/a;v=2/b"),
        ("http://example.org/a?sid=0123456789abcdef", "http://example.org/a"),
        ("http://example.org/a?sid=17", "http://example.org/a?sid=17"),
        ("http://example.org/a?session=2024", "http://example.org/a?session=2024"),
        ("http://example.org/(S(lit3py55t21z5v55vlm25s55))/a.aspx", "http://example.org/a.aspx"),
        ("http://example.org/.;jsessionid=1/a", "http://example.org/a"),
    ],
)
def test_spellings_of_one_url_have_one_canonical_form(url: str, expected: str) -> None:
    assert canonical(url) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://example.org/", "https://example.org/"),
        ("http://www.example.org/", "http://example.org/"),
        ("http://example.org/A", "http://example.org/a"),
        ("http://example.org/a", "http://example.org/a/"),
        ("http://example.org/?a=1&b=2", "http://example.org/?b=2&a=1"),
        ("http://example.org/a%2Fb", "http://example.org/a/b"),
    ],
)
def test_different_urls_stay_different(one: str, other: str) -> None:
    assert canonical(one) != canonical(other)


def test_a_plain_url_is_its_own_canonical_form() -> None:
    for url in ("https://stats.example.org/a/b-c_d.csv", "http://127.0.0.1:8000/x/"):
        assert canonical(url) == url


def test_fingerprints_fit_sqlite_and_tell_urls_apart() -> None:
    numbers = {fingerprint(f"http://example.org/{n}") for n in range(2000)}
    assert len(numbers) == 2000
    assert any(number < 0 for number in numbers)
    database = sqlite3.connect(":memory:")
    for number in numbers:
        assert database.execute("SELECT ?", (number,)).fetchone() == (number,)
    database.close()


def test_a_fingerprint_never_changes() -> None:
    # It is kept in state files: another value would make every known URL unknown.
    assert fingerprint("http://example.org/") == 4654873767771525413


@pytest.mark.parametrize(
    ("url", "expected_origin", "expected_host"),
    [
        ("http://example.org/a", "http://example.org:80", "example.org"),
        ("https://Example.org./a", "https://example.org:443", "example.org"),
        ("https://example.org:8443?x", "https://example.org:8443", "example.org"),
        ("http://[::1]:8000/", "http://[::1]:8000", "[::1]"),
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000", "127.0.0.1"),
        ("mailto:x", "", ""),
        ("http://a:b@c/", "", ""),
        ("http://example.org:99999/", "", ""),
    ],
)
def test_origin_names_scheme_host_and_port(
    url: str, expected_origin: str, expected_host: str
) -> None:
    assert origin(url) == expected_origin
    assert host_of(url) == expected_host
    assert (authority_of(url) is None) == (expected_host == "")


_PIECES = st.one_of(
    st.sampled_from(["http:", "https:", "//", "/", "\\", ".", "..", "%2e", "%", "%41", "%zz"]),
    st.sampled_from(["?", "&", "=", "#", ";jsessionid=", "utm_a", "sid=0123456789abcdef", "é"]),
    st.sampled_from(["ß", "。", " ", "\t", "\0", "'", '"', "example.org", "[::1]", ":80", "www."]),
    st.sampled_from([":8000", "@", "xn--", "(S(abcdefghij))", "|", "\ud83d", "a", "utm_b=1"]),
)
_URLISH = st.one_of(st.text(), st.lists(_PIECES, max_size=12).map("".join))
_ABSOLUTE = st.lists(_PIECES, max_size=10).map(
    lambda pieces: "http://example.org" + "".join(pieces)
)


@given(st.one_of(_URLISH, _ABSOLUTE))
@example("http://example.org/%%34%31")
def test_canonical_is_idempotent(url: str) -> None:
    once = canonical(url)
    assert canonical(once) == once


@given(_URLISH, _URLISH)
def test_resolve_never_raises_and_its_result_resolves_to_itself(base: str, href: str) -> None:
    for start in (base, BASE):
        url = resolve(start, href)
        if url is not None:
            assert url.startswith(("http://", "https://"))
            assert url.isascii()
            assert "#" not in url
            assert resolve(url, url) == url
            assert resolve("", url) == url
            assert resolve(start, url) == url
            assert origin(url)
            assert host_of(url)


_SEGMENTS = st.lists(st.sampled_from(["a", "b.c", "..", ".", "~x", "2024-01"]), min_size=1)


@given(_SEGMENTS, st.sampled_from(["", "/"]), st.sampled_from(["", "?a=1", "?b=../c&d"]))
def test_plain_paths_resolve_as_rfc_3986_says(segments: list[str], start: str, end: str) -> None:
    href = start + "/".join(segments) + end
    assert resolve(BASE, href) == urljoin(BASE, href)


@given(_ABSOLUTE)
def test_the_canonical_form_is_a_url_of_the_same_host(url: str) -> None:
    found = resolve("", url)
    if found is not None:
        assert host_of(canonical(found)) == host_of(found)
        assert resolve("", canonical(found)) is not None
        assert canonical(url) == canonical(found)
