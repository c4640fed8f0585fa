"""The pattern of a URL: pages of one program have the same one."""

import pytest

from crawler.pages.url_template import url_template


@pytest.mark.parametrize(
    ("url", "template"),
    [
        ("https://stat.example/", "/"),
        ("https://stat.example", "/"),
        ("https://stat.example/news/", "/news/"),
        ("https://stat.example/news/2024/births-fall", "/news/0/*"),
        ("https://stat.example/news/2019/a-census-of-birds", "/news/0/*"),
        ("https://stat.example/topics/population.html", "/topics/population.html"),
        ("https://stat.example/data/t12.csv", "/data/*.csv"),
        ("https://stat.example/list?page=4&sort=name", "/list?page&sort"),
        ("https://stat.example/list?sort=date&page=5", "/list?page&sort"),
        ("https://stat.example/a/b/c/d/e/f/g", "/a/b/c/d/g"),
    ],
)
def test_template_of_url(url: str, template: str) -> None:
    assert url_template(url) == template


def test_template_is_bounded() -> None:
    assert len(url_template("https://stat.example/" + "verylong/" * 100 + "?" + "x" * 5000)) <= 120
