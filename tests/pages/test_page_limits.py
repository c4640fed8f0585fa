"""One page costs a limited amount of memory and time, whatever it is made of."""

from crawler.pages.html import MAX_LINKS, Page, PageReader
from crawler.pages.tagpath import MAX_CHARACTERS_AT_AN_END, MAX_DISTINCT_PATHS


def read(html: str) -> Page:
    return PageReader().read(html.encode(), "https://stat.example/data/")


def nested(depth: int, inside: str) -> str:
    opening = "".join(
        f"<div id={'i' * 60}{n} class='{'c' * 60} {'d' * 60}{n}'>" for n in range(depth)
    )
    return f"<html><body>{opening}{inside}"


def test_a_path_of_long_names_keeps_what_fits_at_both_its_ends() -> None:
    [link] = read(nested(190, "<a href=x class=last>x</a>")).links
    assert len(link.tag_path) <= 2 * MAX_CHARACTERS_AT_AN_END
    assert link.tag_path.startswith(f"html body div#{'i' * 60}0.")
    assert link.tag_path.endswith(" a.last")


def test_a_page_of_ever_new_paths_keeps_a_limited_number_of_them() -> None:
    links = "".join(f"<a href=x{n} class=k{n}>x</a>" for n in range(MAX_DISTINCT_PATHS + 50))
    paths = {link.tag_path for link in read(nested(190, links)).links}
    assert len(paths) == MAX_DISTINCT_PATHS + 1
    assert "html" in paths
    assert sum(map(len, paths)) <= 2 * MAX_CHARACTERS_AT_AN_END * len(paths)


def test_links_of_one_path_share_one_string() -> None:
    first, second = read("<ul><li><a href=a>a</a><li><a href=b>b</a></ul>").links
    assert first.tag_path is second.tag_path


def test_a_page_gives_a_limited_number_of_links() -> None:
    page = read("".join(f"<a href={n}>" for n in range(MAX_LINKS + 10)))
    assert len(page.links) == MAX_LINKS
    assert page.links[-1].url.endswith(f"/{MAX_LINKS - 1}")
