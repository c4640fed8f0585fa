"""Dates in the links and time tags of a page."""

from datetime import date

from crawler.pages.page_dates import page_dates


def day(text: str) -> int:
    return (date.fromisoformat(text) - date(1970, 1, 1)).days


def test_dates_of_urls_anchors_and_time_tags_are_found() -> None:
    body = b'<li><time datetime="2024-05-17T08:00">yesterday</time></li>'
    texts = [
        "https://stat.example/news/2024/05/16/births",
        "Figures of 2024-05-15",
        "t20240514.csv",
    ]
    wanted = ["2024-05-14", "2024-05-15", "2024-05-16", "2024-05-17"]
    assert page_dates(body, texts, 32) == [day(one) for one in wanted]


def test_what_is_no_date_is_left_out() -> None:
    texts = ["2024", "2024-13-01", "2023-02-30", "12345678901", "/2024/05/", "1.20240514123"]
    assert page_dates(b"", texts, 32) == []


def test_newest_dates_are_kept() -> None:
    texts = [f"2024-05-{number:02}" for number in range(1, 29)]
    assert page_dates(b"", texts, 3) == [day(f"2024-05-{number}") for number in (26, 27, 28)]
