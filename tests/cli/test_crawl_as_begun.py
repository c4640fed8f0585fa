"""A crawl goes on with the start page, strategy and seed that it was begun with, or not at all."""

from typing import Any

from crawler.errors import ExitCode


def test_a_crawl_goes_on_only_as_what_it_was_begun(desk: Any, office: Any) -> None:
    desk.run("crawl", "demo", "--strategy", "bfs", "--requests", "5")

    result = desk.run("crawl", "demo", "--strategy", "bfs", "--seed", "7")

    assert result.exit_code == ExitCode.CONFIG
    assert "start again with --fresh" in result.stderr


def test_a_crawl_goes_on_as_it_was_begun_where_nobody_chose(desk: Any, office: Any) -> None:
    """Also when a newer version has another default strategy."""
    desk.run("crawl", "demo", "--strategy", "random", "--seed", "7", "--requests", "5")

    assert desk.json("crawl", "demo", "--requests", "5")["strategy"] == "random"
    for choice in (["--strategy", "sb"], ["--strategy", "tallyho"], ["--seed", "0"]):
        result = desk.run("crawl", "demo", *choice)
        assert result.exit_code == ExitCode.CONFIG
        assert "start again with --fresh" in result.stderr


def test_a_crawl_keeps_the_parameters_that_nobody_names(desk: Any, office: Any) -> None:
    """Also when a newer version has other defaults."""
    begun = {"name": "tallyho", "certainty": 0.4, "exploration": 0.05}
    desk.add_site("demo", office.base, strategy=begun, seed=7)
    desk.run("crawl", "demo", "--requests", "5")

    for named in ({"certainty": 0.4}, {"exploration": 0.05}, {}):
        desk.add_site("demo", office.base, strategy={"name": "tallyho", **named}, seed=7)
        assert desk.run("crawl", "demo", "--requests", "5").exit_code == 0

    desk.add_site("demo", office.base, strategy={"name": "tallyho", "exploration": 0.1}, seed=7)
    result = desk.run("crawl", "demo")
    assert result.exit_code == ExitCode.CONFIG
    assert "start again with --fresh" in result.stderr


def test_changed_start_page_of_a_complete_site_is_noticed(desk: Any, office: Any) -> None:
    assert desk.run("crawl", "demo").exit_code == 0
    before = len(office.asked())
    desk.add_site("demo", office.base, start_url=f"{office.base}/en/")

    result = desk.run("crawl", "demo")

    assert result.exit_code == ExitCode.CONFIG
    assert f"was started with start_url {office.base}/, and now it is {office.base}/en/" in (
        result.stderr
    )
    assert "--fresh" in result.stderr
    assert len(office.asked()) == before
    assert desk.run("crawl", "demo", "--fresh").exit_code == 0
    assert len(office.asked()) > before
