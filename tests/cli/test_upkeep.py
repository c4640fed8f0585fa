"""`tallyho upkeep`: the housekeeping from the command line."""

from typing import Any


def test_all_is_well(desk: Any, office: Any) -> None:
    desk.run("crawl", "demo", "--requests", "40")
    result = desk.run("upkeep")
    assert result.exit_code == 0, result.stderr
    assert "leases freed   none\n" in result.stdout
    told = desk.json("upkeep")
    assert (told["verified"]["wrong"], told["verified"]["whole"]) == (0, True)
    assert told["figures"]["runs"] == 1


def test_what_is_wrong_is_told(desk: Any, office: Any) -> None:
    desk.run("crawl", "demo", "--requests", "40")
    blobs = (desk.home / "store" / "blobs").rglob("*")
    gone = next(path for path in blobs if path.is_file())
    gone.unlink()
    result = desk.run("upkeep")
    assert result.exit_code == 7
    assert f"missing_blob {gone.name}" in result.stderr
