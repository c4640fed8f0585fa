"""Sets of links in a few bytes."""

import numpy as np

from crawler.revisit.fingerprints import MAX_LINKS, fingerprint, merge, pack, unpack
from crawler.revisit.overlap import jaccard


def test_set_is_sorted_and_has_each_link_once() -> None:
    assert unpack(pack([5, 1, 5, 3])).tolist() == [1, 3, 5]


def test_large_set_keeps_its_smallest_fingerprints() -> None:
    assert unpack(pack(range(10_000, 0, -1))).tolist() == list(range(1, MAX_LINKS + 1))


def test_union_is_bounded_too() -> None:
    both = merge(pack(range(0, 400, 2)), pack(range(1, 401, 2)))
    assert unpack(both).tolist() == list(range(MAX_LINKS))


def test_fingerprint_is_the_same_in_every_process() -> None:
    assert fingerprint("https://example.org/a") == 1401647442812971308
    assert fingerprint("https://example.org/b") != fingerprint("https://example.org/a")


def test_bounded_sets_estimate_the_overlap_of_whole_ones() -> None:
    links = [fingerprint(str(number)) for number in range(3000)]
    first, second = links[:2000], links[1000:]
    estimated = jaccard(unpack(pack(first)), unpack(pack(second)))
    assert abs(estimated - 1 / 3) < 0.12
    assert jaccard(np.array([], np.uint64), np.array([], np.uint64)) == 0.0
