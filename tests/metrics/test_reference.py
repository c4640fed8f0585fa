"""docs/monitoring.md lists the metrics that there are."""

from pathlib import Path

import pytest

from crawler.metrics.reference import PAGE, with_tables

ROOT = Path(__file__).parents[2]


def test_tables_of_the_page_are_up_to_date():
    page = (ROOT / PAGE).read_text(encoding="utf-8")
    assert page == with_tables(page), "run `make reference`"


def test_page_without_a_place_for_a_table_is_refused():
    with pytest.raises(ValueError, match="no place"):
        with_tables("# Monitoring\n")
