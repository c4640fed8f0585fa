"""Strategies side by side: what is run, what is made of it, what is told of failures."""

import csv
import io
import math
from dataclasses import replace

import pytest

from crawler.lab.compare import Compared, Comparison, compare, deviation, mean
from crawler.lab.confusion import Confusion
from crawler.lab.entrant import read_entrants
from crawler.lab.measured_run import GroupReward, Measured, Point, SiteTruth
from crawler.lab.paper_tables import (
    as_csv,
    as_items,
    number,
    standings,
    table_of_costs,
    table_of_ratios,
    table_of_requests,
    table_of_volumes,
    tables_of_confusion,
)
from crawler.lab.plots import mean_curve, mean_rewards, write_plots
from crawler.lab.replay import Volumes
from crawler.pages.mime import UrlClass

HTML, TARGET = UrlClass.HTML, UrlClass.TARGET
ONE = SiteTruth("one.db", "one", targets=50, available=200, volumes=Volumes(5000, 1000))
TWO = SiteTruth("two.db", "two", targets=50, available=400, volumes=Volumes(5000, 1000))

RUN = Measured(
    requests=220,
    heads=10,
    targets=50,
    requests_to_share=100,
    other_bytes_to_share=300,
    milestones=(40, 80, 100, 200),
    area=0.75,
    curve=(Point(10, 0, 0, 100), Point(220, 50, 5000, 1000)),
    confusion=None,
    groups=(),
    cpu_seconds=0.44,
    peak_bytes=70_000_000,
)


def cell(site: SiteTruth, strategy: str, *requests: int | None, **more: object) -> Comparison:
    runs = [replace(RUN, requests_to_share=number, **more) for number in requests]
    return Comparison(site, strategy, tuple(range(len(runs))), tuple(runs))


COMPARED = Compared(
    (ONE, TWO),
    (
        cell(
            ONE, "sb", 90, 110, groups=(GroupReward("html a", 4, 8.0), GroupReward("p a", 2, 1.0))
        ),
        cell(ONE, "bfs", 180),
        cell(TWO, "sb", 100, 100, groups=(GroupReward("html a", 4, 2.0),)),
        cell(TWO, "bfs", None, other_bytes_to_share=None),
    ),
    (),
)


def test_table_ii_counts_requests_in_percent_of_what_is_available():
    table = table_of_requests(COMPARED)
    assert table.columns == ("strategy", "one", "two")
    assert table.rows == (("sb", "50.0 ± 7.1", "25.0 ± 0.0"), ("bfs", "90.0", "+inf"))


def test_table_iii_counts_other_volume_in_percent_of_all_other_volume():
    assert table_of_volumes(COMPARED).rows[0] == ("sb", "30.0 ± 0.0", "30.0 ± 0.0")
    assert table_of_volumes(COMPARED).rows[1] == ("bfs", "30.0", "+inf")


def test_costs_are_per_request_and_at_the_peak():
    assert table_of_costs(COMPARED).rows[0] == ("sb", "2.0 / 70", "2.0 / 70")


def test_cell_without_a_result_is_a_dash():
    compared = replace(COMPARED, comparisons=COMPARED.comparisons[:-1])
    assert table_of_requests(compared).rows[1] == ("bfs", "90.0", "-")


def test_one_run_that_never_gets_there_makes_the_mean_infinite():
    values = cell(ONE, "sb", 90, None).requests
    assert mean(values) == math.inf
    assert math.isnan(deviation(values))
    assert number(values) == "+inf"
    assert number([1234.4, 1235.6], digits=0) == "1,235 ± 1"


def test_table_vi_averages_over_runs_and_sites():
    runs = [Confusion(), Confusion()]
    runs[0].counts.update({(HTML, HTML): 3, (TARGET, TARGET): 1})
    runs[1].counts.update({(HTML, HTML): 10, (HTML, TARGET): 10})
    cells = [cell(ONE, "sb", 9, confusion=runs[0]), cell(TWO, "sb", 9, confusion=runs[1])]
    (table,) = tables_of_confusion(Compared((ONE, TWO), (*cells, cell(ONE, "bfs", 5)), ()))
    assert table.rows == (
        ("HTML", "62.50", "25.00"),
        ("Target", "0.00", "12.50"),
        ("Neither", "0.00", "0.00"),
    )
    assert table.title.startswith("sb: ")


def test_ratios_are_to_the_reference_on_sites_where_it_gets_there():
    better = cell(ONE, "new", 50), cell(TWO, "new", 200)
    compared = replace(COMPARED, comparisons=(*COMPARED.comparisons, *better))
    bfs, new = standings(compared, "sb")
    assert bfs.ratios == (1.8, math.inf)
    assert bfs.geometric_mean == math.inf
    assert new.ratios == (0.5, 2.0)
    assert new.geometric_mean == pytest.approx(1.0)
    assert table_of_ratios(compared, "sb").rows == (
        ("bfs", "+inf", "1.80", "+inf", "0 of 2 sites"),
        ("new", "1.00", "0.50", "2.00", "1 of 2 sites"),
    )
    assert standings(compared, "bfs")[0].ratios == (100 / 180,)


def test_items_have_null_where_nothing_came():
    items = as_items(COMPARED)
    assert [(item["site"], item["strategy"]) for item in items] == [
        ("one", "sb"),
        ("one", "bfs"),
        ("two", "sb"),
        ("two", "bfs"),
    ]
    assert items[0]["runs"] == [90, 110]
    assert items[0]["requests_to_90_percent"] == 100
    assert items[0]["percent_of_site"] == 50
    assert items[3]["requests_to_90_percent"] is None
    assert items[3]["volume_percent"] is None


def test_csv_has_one_line_per_run():
    rows = list(csv.DictReader(io.StringIO(as_csv(COMPARED))))
    assert [(row["site"], row["strategy"], row["seed"]) for row in rows[:3]] == [
        ("one", "sb", "0"),
        ("one", "sb", "1"),
        ("one", "bfs", "0"),
    ]
    assert rows[1]["requests_to_90_percent"] == "110"
    assert rows[1]["percent_of_site"] == "55.000"
    assert rows[5]["requests_to_90_percent"] == rows[5]["percent_of_site"] == ""


def test_table_of_requests():
    table = table_of_requests(COMPARED)
    assert table.columns == ("strategy", "one", "two")
    assert table.rows == (("sb", "50.0 ± 7.1", "25.0 ± 0.0"), ("bfs", "90.0", "+inf"))


def test_curve_of_several_runs_is_their_mean_and_deviation():
    short = replace(RUN, curve=(Point(100, 50, 0, 0),))
    long = replace(RUN, curve=(Point(100, 10, 0, 0), Point(200, 30, 0, 0)))
    x, middle, spread = mean_curve([short, long], lambda p: p.requests, lambda p: p.targets)
    assert (x[0], x[-1]) == (0, 200)
    assert (middle[0], middle[-1]) == (0, 40)
    assert spread[-1] == 10


def test_rewards_of_groups_are_means_over_the_runs_that_have_them():
    one = replace(RUN, groups=(GroupReward("a", 1, 8.0), GroupReward("b", 1, 2.0)))
    other = replace(RUN, groups=(GroupReward("a", 1, 4.0),))
    assert mean_rewards([one, other]) == [6.0, 2.0]


@pytest.mark.slow
def test_both_figures_of_every_site_are_written_as_png_and_svg(tmp_path):
    written = write_plots(COMPARED, tmp_path / "deep" / "figures")
    names = sorted(path.name for path in written)
    assert names == sorted(
        f"{site}{part}.{kind}"
        for site in ("one", "two")
        for part in ("", "-groups")
        for kind in ("png", "svg")
    )
    for path in written:
        head = path.read_bytes()[:200]
        assert head.startswith(b"\x89PNG") or b"<?xml" in head
    again = write_plots(COMPARED, tmp_path / "again")
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in written]


@pytest.mark.slow
def test_figure_of_one_site_may_be_named(tmp_path):
    one = Compared((ONE,), (cell(ONE, "bfs", 5),), ())
    written = write_plots(one, tmp_path / "figure3.png")
    assert written == [tmp_path / "figure3.png", tmp_path / "figure3.svg"]


def test_name_of_a_site_cannot_lead_out_of_the_folder(tmp_path):
    evil = replace(ONE, name="../../x/y z")
    (png, _) = write_plots(Compared((evil,), (cell(evil, "bfs", 5),), ()), tmp_path)
    assert png.parent == tmp_path


@pytest.mark.slow
def test_runs_of_all_sites_and_strategies_and_the_failures_of_some(tmp_path):
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"no replica at all" * 100)
    told = []
    compared = compare(
        ["demo:30:1", str(broken), "demo:40:2"],
        read_entrants("random,bfs"),
        runs=2,
        first_seed=5,
        jobs=2,
        on_run=lambda done, planned, what: told.append((done, planned)),
    )
    assert told == [(done, 6) for done in range(1, 7)]
    assert [(c.site.name, c.strategy, c.seeds) for c in compared.comparisons] == [
        ("demo-30-1", "random", (5, 6)),
        ("demo-30-1", "bfs", (5,)),
        ("demo-40-2", "random", (5, 6)),
        ("demo-40-2", "bfs", (5,)),
    ]
    (failure,) = compared.failures
    assert failure.what == str(broken)
    assert failure.reason
