"""The tables of a comparison: made from the runs in files, whoever measured them, and when."""

from pathlib import Path

import pytest

from benchmarks.saved_runs import read_runs, rows_of
from benchmarks.standing import table_against_before, table_by_kind, table_of_pairs, tables

HEADER = (
    "site,strategy,seed,percent_of_site,volume_percent,cpu_ms_per_request,area,"
    "requests_to_50_percent,requests_to_80_percent,requests_to_90_percent,requests_to_99_percent"
)


def runs(*lines: str) -> list[dict[str, str]]:
    """Runs as site, strategy, seed, and requests until 90%."""
    written = []
    for line in lines:
        site, strategy, seed, requests = line.split(",")
        written.append(f"{site},{strategy},{seed},{requests},5,1,0.5,10,20,{requests},")
    return rows_of("\n".join([HEADER, *written]))


OURS = (
    "ok-600-1,tallyho,0,90",
    "ok-600-1,tallyho,1,130",
    "ok-600-2,tallyho,0,50",
    "cde.db.xz,tallyho,0,30",
)


def test_rows_of_a_kind_are_means_over_its_sites_however_many_runs_they_have():
    table = table_by_kind(runs(*OURS), "requests", "percent_of_site")
    assert table.rows == (("ok", "80.0"), ("cde", "30.0"))


def test_a_strategy_that_never_got_there_is_infinite_and_one_that_was_not_run_is_empty():
    rows = runs(*OURS, "ok-600-1,sb,0,")
    table = table_by_kind(rows, "requests", "percent_of_site")
    assert table.columns == ("site", "tallyho", "sb")
    assert table.rows == (("ok", "80.0", "+inf"), ("cde", "30.0", ""))


def test_pairs_say_how_many_sites_are_left_out_because_one_never_got_there():
    rows = runs(*OURS, "ok-600-1,sb,0,220", "ok-600-2,sb,0,", "cde.db.xz,sb,0,60")
    told = {line[1]: line[2:] for line in table_of_pairs(rows).rows}
    assert told["other kinds"][0] == "1 of 2"
    assert told["other kinds"][1].startswith("0.50 ")
    assert told["recorded, plain names"] == ("1", "0.50 (0.50 to 0.50)")


def test_an_earlier_version_is_told_by_kind_and_by_group_with_its_highest_site():
    before = runs("ok-600-1,tallyho,0,100", "ok-600-2,tallyho,0,100", "ok-600-2,sb,0,1")
    table = table_against_before(runs(*OURS), before)
    by_name = {line[0]: line[1:] for line in table.rows}
    assert list(by_name) == ["ok", "other kinds"]
    assert by_name["ok"] == by_name["other kinds"]
    assert by_name["ok"][0] == "2"
    assert by_name["ok"][3].startswith("0.74 ")
    assert by_name["ok"][-1] == "1.10"


def test_an_earlier_version_of_other_sites_is_told_as_such():
    table = table_against_before(runs(*OURS), runs("ju-600-1,tallyho,0,100"))
    assert [line[0] for line in table.rows] == ["no site in common"]


def test_shares_that_an_earlier_version_did_not_measure_are_left_out(tmp_path: Path):
    (tmp_path / "old.csv").write_text(
        "site,strategy,seed,requests_to_90_percent\nok-600-1,tallyho,0,100\n", encoding="utf-8"
    )
    before = read_runs([tmp_path / "old.csv"])
    table = table_against_before(runs(*OURS), before)
    assert table.columns == ("sites", "number", "90%", "highest site, 90%")
    assert table.rows[0][2].startswith("1.10 ")
    assert len(tables(runs(*OURS), before)) == 6


def test_a_file_that_has_no_runs_is_named(tmp_path: Path):
    (tmp_path / "no.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(SystemExit, match=r"no\.csv has no runs"):
        read_runs([tmp_path / "no.csv"])
    with pytest.raises(SystemExit, match=r"missing\.csv cannot be read"):
        read_runs([tmp_path / "missing.csv"])
