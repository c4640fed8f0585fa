"""Kinds of pages of which nothing is known: each is looked at once, near the start page first."""

from dataclasses import replace

import numpy as np

from crawler.revisit.evidence import evidence_of
from crawler.revisit.exploration import explore_cells
from crawler.revisit.page_columns import PageColumns
from crawler.revisit.page_history import PageHistory
from crawler.revisit.rates import rates_of
from tests.revisit.histories import day, page


def explored(
    pages: list[PageHistory], gains: list[float], chosen: list[int], limit: int
) -> list[int]:
    columns = PageColumns.of(pages, day(2))
    rates = rates_of(columns, evidence_of(columns))
    return list(explore_cells(columns, rates, np.array(gains), chosen, limit))


def test_template_that_was_never_revisited_is_looked_at_once() -> None:
    lists = [page([(1, 0)], page_id=number, template="list") for number in range(1, 6)]
    home = page(page_id=9, template="home")
    assert explored([*lists, home], [0.9, 0.8, 0.7, 0.6, 0.5, 0.0], [0, 1, 2], 1) == [5]


def test_kinds_near_the_start_page_come_first() -> None:
    deep = replace(page(page_id=1, template="leaf"), depth=7)
    home = replace(page(page_id=2, template="home"), depth=0)
    known = page([(1, 1)], page_id=3, template="list")
    assert explored([deep, home, known], [0.0, 0.0, 0.9], [2, 2], 1) == [1]


def test_chosen_pages_give_way_and_the_limit_holds() -> None:
    pages = [page(page_id=number, template=f"kind-{number}") for number in range(1, 9)]
    chosen = [0, 1, 2]
    found = explored(pages, [0.5] * 3 + [0.0] * 5, chosen, 2)
    assert len(found) == 2
    assert chosen == [0]


def test_kind_that_never_paid_is_left_alone() -> None:
    pages = [page([(1, 0)] * 30, page_id=number) for number in range(1, 40)]
    assert explored(pages, [0.3] * 39, [0, 1, 2], 2) == []
