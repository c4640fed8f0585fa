"""Overlap of links, and the choice of pages that do not overlap."""

import numpy as np
import pytest

from crawler.revisit.fingerprints import fingerprint, pack, unpack
from crawler.revisit.overlap import Chosen, jaccard, select_apart


def links(*numbers: int) -> bytes:
    return pack(fingerprint(str(number)) for number in numbers)


def test_jaccard_by_hand() -> None:
    assert jaccard(unpack(links(1, 2, 3)), unpack(links(2, 3, 4, 5))) == pytest.approx(2 / 5)


def test_page_with_the_links_of_a_better_one_is_left_out() -> None:
    outlinks = [links(*range(10)), links(*range(9)), links(*range(5, 15)), links(*range(90, 95))]
    # 0 and 1 share 9 of 10 links; 0 and 2 share 5 of 15.
    assert select_apart([0, 1, 2, 3], outlinks, 3, 0.7) == [0, 2, 3]


def test_pages_left_out_fill_a_night_that_is_not_full() -> None:
    outlinks = [links(1, 2), links(1, 2), links(1, 2), links(9)]
    assert select_apart([2, 1, 0, 3], outlinks, 3, 0.7) == [2, 3, 1]


def test_pages_without_links_do_not_overlap() -> None:
    assert select_apart([0, 1], [b"", b""], 2, 0.7) == [0, 1]


def test_shortcut_agrees_with_comparing_all_pairs() -> None:
    rng = np.random.default_rng(5)
    sets = [
        unpack(links(*range(base, base + 30), *rng.choice(10_000, rng.integers(0, 20))))
        for base in rng.choice(300, 150)
    ]
    chosen = Chosen(0.7)
    kept: list[int] = []
    for at, members in enumerate(sets):
        truth = any(jaccard(members, sets[other]) > 0.7 for other in kept)
        assert chosen.overlaps(members) is truth
        if not truth:
            chosen.add(members)
            kept.append(at)
    assert 20 < len(kept) < 150
