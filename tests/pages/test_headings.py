"""The headings that a link stands below: bounded, in document order, by their levels."""

from crawler.pages.headings import MAX_LENGTH
from crawler.pages.html import PageReader


def headings(html: str) -> dict[str, str]:
    page = PageReader().read(html.encode(), "https://stats.example/data/")
    return {link.url.rpartition("/")[2]: link.headings for link in page.links}


def test_a_link_stands_below_the_last_heading_of_each_level() -> None:
    found = headings("""
        <a href=before.csv>x</a><h1>Statistics</h1><a href=top.csv>x</a>
        <h2>Population</h2><h3>Births <em>by region</em></h3><p><a href=births.csv>x</a></p>
        <h3>Deaths</h3><a href=deaths.csv>x</a>
        <h2>Prices</h2><div><a href=prices.csv>x</a></div>
    """)
    assert found == {
        "before.csv": "",
        "top.csv": "Statistics",
        "births.csv": "Statistics › Population › Births by region",
        "deaths.csv": "Statistics › Population › Deaths",
        "prices.csv": "Statistics › Prices",
    }


def test_a_heading_that_is_a_link_is_above_itself_and_an_empty_one_says_nothing() -> None:
    found = headings("<h2></h2><h3><a href=a.csv>Births</a></h3><a href=b.csv>x</a>")
    assert found == {"a.csv": "Births", "b.csv": "Births"}


def test_headings_are_bounded() -> None:
    many = "".join(f"<h{level}>{'word ' * 500}</h{level}>" for level in range(1, 7))
    assert 0 < len(headings(f"{many}<a href=a.csv>x</a>")["a.csv"]) <= MAX_LENGTH


def test_thousands_of_headings_cost_the_links_nothing() -> None:
    found = headings("<h4>x</h4>" * 20_000 + "<a href=a.csv>x</a>")
    assert found == {"a.csv": "x"}
