"""The site boundary of paper 000, Section II-B, and what a site's YAML adds to it."""

import pytest

from crawler.pages.scope import Place, Scope


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("https://www.A.B.com/folder/content.php", Place.SITE),
        ("https://www.C.A.B.com/page.html", Place.SITE),
        ("http://a.b.com/", Place.SITE),
        ("https://a.b.com:443/", Place.SITE),
        ("https://a.b.com:8443/", Place.OUTSIDE),
        ("https://a.b.com:80/", Place.OUTSIDE),
        ("http://a.b.com:22/", Place.OUTSIDE),
        ("http://c.a.b.com:6379/", Place.OUTSIDE),
        ("https://a.b.com./", Place.SITE),
        ("https://www.B.com/page.php", Place.OUTSIDE),
        ("https://ieee-icde.org/2025/", Place.OUTSIDE),
        ("https://evil-a.b.com/", Place.OUTSIDE),
        ("https://a.b.com.evil.org/", Place.OUTSIDE),
        ("https://a.b.com@evil.org/", Place.OUTSIDE),
        ("mailto:a@a.b.com", Place.OUTSIDE),
    ],
)
def test_the_paper_s_example(url: str, place: Place) -> None:
    assert Scope("https://www.A.B.com/index.php").place(url) is place


def test_an_address_is_a_site_at_its_port_only() -> None:
    scope = Scope("http://127.0.0.1:8000/")
    assert scope.place("http://127.0.0.1:8000/a") is Place.SITE
    assert scope.place("http://127.0.0.1:8001/a") is Place.OUTSIDE
    assert scope.place("http://127.0.0.1/a") is Place.OUTSIDE
    assert scope.place("http://localhost:8000/a") is Place.OUTSIDE
    assert scope.place("http://www.127.0.0.1:8000/a") is Place.OUTSIDE


def test_loopback_names_also_stand_for_one_port() -> None:
    scope = Scope("http://localhost:8000/")
    assert scope.place("http://localhost:8000/a") is Place.SITE
    assert scope.place("http://data.localhost:8000/a") is Place.SITE
    assert scope.place("http://localhost:9000/a") is Place.OUTSIDE
    six = Scope("http://[::1]:8000/")
    assert six.place("http://[::1]:8000/a") is Place.SITE
    assert six.place("http://[::1]:8001/a") is Place.OUTSIDE


def test_a_port_belongs_to_the_site_when_it_is_named() -> None:
    scope = Scope("https://stat.example:8443/", hosts=["stat.example:8444"], file_hosts="any")
    assert scope.place("https://stat.example:8443/a") is Place.SITE
    assert scope.place("https://data.stat.example:8443/a") is Place.SITE
    assert scope.place("https://stat.example/a") is Place.SITE
    assert scope.place("https://stat.example:8444/a") is Place.SITE
    assert scope.place("https://stat.example:8445/a.csv") is Place.OUTSIDE
    assert scope.place("https://other.example:6379/a.csv") is Place.OUTSIDE
    assert scope.place("https://other.example/a.csv") is Place.FILE_HOST


def test_further_hosts_belong_to_the_site_with_their_subdomains() -> None:
    scope = Scope("https://stat.example/", hosts=["www.data.example", "127.0.0.1:9000"])
    assert scope.place("https://data.example/x") is Place.SITE
    assert scope.place("https://api.data.example/x") is Place.SITE
    assert scope.place("http://127.0.0.1:9000/x") is Place.SITE
    assert scope.place("http://127.0.0.1:9001/x") is Place.OUTSIDE


def test_file_hosts_are_no_part_of_the_site() -> None:
    scope = Scope("https://stat.example/", file_hosts=["https://cdn.example/"])
    assert scope.place("https://a.cdn.example/x.csv") is Place.FILE_HOST
    assert scope.place("https://other.example/x.csv") is Place.OUTSIDE
    assert scope.place("https://stat.example/x.csv") is Place.SITE


@pytest.mark.parametrize("file_hosts", ["any", ["any"]])
def test_any_host_may_give_files(file_hosts: str | list[str]) -> None:
    scope = Scope("https://stat.example/", file_hosts=file_hosts)
    assert scope.place("https://other.example/x.csv") is Place.FILE_HOST
    assert scope.place("ftp://other.example/x.csv") is Place.OUTSIDE


def test_exclude_wins_over_include() -> None:
    scope = Scope("https://stat.example/", include=["/data/"], exclude=[r"\.pdf$", "/old/"])
    assert scope.place("https://stat.example/data/a") is Place.SITE
    assert scope.place("https://stat.example/news/a") is Place.EXCLUDED
    assert scope.place("https://stat.example/data/a.pdf") is Place.EXCLUDED
    assert scope.place("https://stat.example/data/old/a") is Place.EXCLUDED
    assert scope.place("https://other.example/data/a") is Place.OUTSIDE


def test_include_is_about_the_site_and_exclude_about_all() -> None:
    scope = Scope("https://stat.example/", file_hosts=["cdn.example"], include=["/data/"])
    assert scope.place("https://cdn.example/x.csv") is Place.FILE_HOST
    scope = Scope("https://stat.example/", file_hosts=["cdn.example"], exclude=["/tmp/"])
    assert scope.place("https://cdn.example/tmp/x.csv") is Place.EXCLUDED


def test_the_start_url_is_always_in() -> None:
    scope = Scope("https://stat.example/en", include=["/data/"], exclude=["/en"])
    assert scope.place("https://stat.example/en") is Place.SITE
    assert scope.place("https://STAT.example:443/en#x") is Place.SITE
    assert scope.place("https://stat.example/en/b") is Place.EXCLUDED


def test_a_malformed_scope_is_told() -> None:
    with pytest.raises(ValueError, match="not an http"):
        Scope("ftp://stat.example/")
    with pytest.raises(ValueError, match="not a host"):
        Scope("https://stat.example/", hosts=["not a host"])
    with pytest.raises(ValueError, match="not available"):
        Scope("https://stat.example/", exclude=["("])


def test_very_many_hosts_do_not_change_the_answers() -> None:
    scope = Scope("https://stat.example/")
    for number in range(10_500):
        assert scope.place(f"https://h{number}.other.example/") is Place.OUTSIDE
    assert scope.place("https://h1.stat.example/") is Place.SITE


def test_an_expression_that_would_backtrack_for_ever_is_searched_in_linear_time() -> None:
    scope = Scope("https://stat.example/", exclude=[r"(a+)+$", r"(x|x)*y"])
    assert scope.place("https://stat.example/" + "a" * 1900 + "!") is Place.SITE
    assert scope.place("https://stat.example/" + "x" * 1900) is Place.SITE
    assert scope.place("https://stat.example/baa") is Place.EXCLUDED


@pytest.mark.parametrize("pattern", ["(?=a)b", r"(a)\1", "(?<!a)b", "("])
def test_what_cannot_be_searched_in_linear_time_is_refused_with_its_reason(pattern: str) -> None:
    with pytest.raises(ValueError, match="not available"):
        Scope("https://stat.example/", exclude=[pattern])
