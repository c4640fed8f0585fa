"""`roach`: links ranked by words, looks and page."""

import pytest

from crawler.config.roach import RoachConfig
from crawler.strategies.make import make_strategy
from tests.engine.crawl_run import CrawlRun, crawl_all
from tests.engine.scripted_site import HOME, HTML, Answer, Script, ScriptedSite, file
from tests.strategies.styled_site import sheet, styled

BIRTHS = "Births and deaths of the year by region and month of the calendar."


def asked(run: CrawlRun) -> list[str]:
    return [entry.removeprefix("GET ") for entry in run.site.asked]


def two_lists(links: int) -> dict[str, Script]:
    """Half of the links of the start page are files; words and style tell which."""
    items = "".join(
        f"<p><a class='{kind}' href='/{kind}/{n}'>{kind} item</a></p>"
        for n in range(links)
        for kind in ("dead", "file")
    )
    start = f"<html><head><link rel='stylesheet' href='/s.css'></head><body>{items}</body></html>"
    return {
        "/": Answer(headers={"Content-Type": HTML}, body=start.encode()),
        "/s.css": sheet(".file { font-size: 30px; color: red }"),
        **{f"/file/{n}": file(f"n\n{n}\n") for n in range(links)},
    }


@pytest.mark.parametrize(
    ("apprentice", "stack"),
    [
        ("ridge", [["css"]]),
        ("ridge", [["text"]]),
        ("forest", [["css", "parent"], ["text"]]),
        ("both", [["css", "parent"], ["text"]]),
    ],
)
def test_links_that_look_or_read_like_targets_go_first(apprentice: str, stack: list) -> None:
    strategy = {"name": "roach", "round": 20, "apprentice": apprentice, "stack": stack}
    paths = asked(crawl_all(ScriptedSite(two_lists(40)), strategy=strategy))
    followed = [path for path in paths if path.startswith(("/file/", "/dead/"))]
    # The first round goes through the page; then come the files that are left.
    assert followed[:4] == ["/dead/0", "/file/0", "/dead/1", "/file/1"]
    assert {path.split("/")[1] for path in followed[20:50]} == {"file"}
    assert len(followed) == 80


def hubs_and_news(count: int) -> dict[str, Script]:
    """Hubs have no file themselves: the lists behind them do. Behind the news is nothing.

    The second half of both is on a page that is found after the first files.
    """

    def page(numbers: range, more: str) -> Answer:
        items = [f"<a href='/{kind}/{n}'>{kind}</a>" for n in numbers for kind in ("news", "hub")]
        body = f"<html>{'<br>'.join(items)}{more}</html>"
        return Answer(headers={"Content-Type": HTML}, body=body.encode())

    half = count // 2
    answers: dict[str, Script] = {
        "/": page(range(half), "<p><a href='/1'>on</a></p>"),
        "/1": styled("/2"),
        "/2": styled("/3"),
        "/3": styled("/second"),
        "/second": page(range(half, count), ""),
    }
    for n in range(count):
        answers |= {
            f"/hub/{n}": styled(f"/list/{n}", text="lists"),
            f"/list/{n}": styled(f"/files/{n}"),
            f"/files/{n}": file(f"n\n{n}\n"),
            f"/news/{n}": styled(f"/more/{n}"),
            f"/more/{n}": styled(),
        }
    return answers


def test_reinforcement_changes_the_order_of_the_frontier() -> None:
    """What is found two clicks behind a hub makes links like it go before the others."""

    def second_half(*, reinforcement: bool) -> list[str]:
        strategy = {"name": "roach", "apprentice": "ridge", "stack": [["text"]], "round": 10}
        strategy |= {"reinforcement": reinforcement}
        run = crawl_all(ScriptedSite(hubs_and_news(20)), strategy=strategy)
        assert len(run.targets) == 20
        split = [path.split("/") for path in asked(run)]
        return [one[1] for one in split if one[1] in ("hub", "news") and int(one[2]) >= 10]

    assert second_half(reinforcement=True)[:10] == ["hub"] * 10
    assert second_half(reinforcement=False)[:4] == ["news", "hub"] * 2


def test_sheets_are_fetched_once_and_counted() -> None:
    answers: dict[str, Script] = {
        "/": styled("/a", "/b", sheets=["/1.css", "/2.css"]),
        "/a": styled("/c", sheets=["/1.css"]),
        "/b": styled(sheets=["/2.css", "/3.css"]),
        **{f"/{n}.css": sheet("a { left: 1px }") for n in range(1, 4)},
    }
    run = crawl_all(ScriptedSite(answers), strategy="roach")
    assert asked(run) == ["/", "/1.css", "/2.css", "/a", "/b", "/3.css", "/c"]
    assert run.totals.requests == 8


@pytest.mark.parametrize(
    ("parameters", "sheets"),
    [
        ({"max_sheets": 1}, 1),
        ({"max_sheets": 0}, 0),
        ({"styles": "inline"}, 0),
        ({"stack": [["text"]]}, 0),
    ],
)
def test_sheets_that_are_not_wanted(parameters: dict, sheets: int) -> None:
    answers: dict[str, Script] = {
        "/": styled("/x.csv", sheets=["/1.css", "/2.css"]),
        "/1.css": sheet("@import '3.css';"),
        "/x.csv": file(),
    }
    run = crawl_all(ScriptedSite(answers), strategy={"name": "roach", **parameters})
    assert sum(path.endswith(".css") for path in asked(run)) == sheets
    assert run.targets == ["/x.csv"]


def test_example_pages_come_first_and_teach_the_critic() -> None:
    answers: dict[str, Script] = {
        "/": styled("/a", "/b"),
        "/a": styled(text=BIRTHS),
        "/b": styled(text="Opening hours of the canteen on the second floor of the house."),
        "/good": styled(text=BIRTHS),
    }
    config = {"name": "roach", "critic": "similarity", "examples": [f"{HOME}/good", f"{HOME}/no"]}
    run = crawl_all(ScriptedSite(answers), strategy=config)
    assert asked(run)[:2] == ["/good", "/no"]
    notes = [note.similarity for note in run.strategy._pages.values()]
    assert notes[1] == pytest.approx(1)
    assert notes[2] < 0.5


def test_pages_that_had_targets_teach_the_critic_by_default() -> None:
    answers: dict[str, Script] = {
        "/": styled("/a", "/1.csv"),
        "/a": styled("/b", "/2.csv", text=BIRTHS),
        "/b": styled(text=BIRTHS),
        "/1.csv": file("1"),
        "/2.csv": file("2"),
    }
    run = crawl_all(ScriptedSite(answers), strategy={"name": "roach", "critic": "similarity"})
    assert len(run.targets) == 2
    assert len(run.strategy._critic._critic.pages) == 1  # the start page says nothing


def test_bad_parameters_are_refused() -> None:
    with pytest.raises(ValueError, match="stack"):
        RoachConfig.model_validate({"stack": []})
    with pytest.raises(ValueError, match="stack"):
        RoachConfig.model_validate({"stack": [["colour"]]})
    with pytest.raises(ValueError, match="examples"):
        RoachConfig.model_validate({"examples": ["not a url"]})


def test_links_of_a_page_that_cannot_be_parsed() -> None:
    answers: dict[str, Script] = {"/": Answer(headers={"Content-Type": HTML}, body=b"\0")}
    assert crawl_all(ScriptedSite(answers), strategy="roach").totals.pages == 1


def test_default_strategy_is_made_without_examples() -> None:
    strategy = make_strategy(RoachConfig(), seed=1)
    assert strategy.next_link(0) is None
