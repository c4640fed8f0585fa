"""Greedy cover: pages that together lead to as much as possible (Dasgupta et al. 2007)."""

import heapq
from collections.abc import Hashable, Mapping, Set
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)


def greedy_cover(sets: Mapping[int, Set[Item]], budget: int) -> list[tuple[int, int]]:
    """Keys of the sets that add most, with how much each adds; stops when nothing is added.

    A gain only shrinks while others are chosen, so the best of the heap that keeps its gain is the
    best of all ("lazy greedy").
    """
    covered: set[Item] = set()
    heap = [(-len(members), key) for key, members in sets.items() if members]
    heapq.heapify(heap)
    chosen: list[tuple[int, int]] = []
    while heap and len(chosen) < budget:
        claimed, key = heapq.heappop(heap)
        gain = len(sets[key] - covered)
        if gain and (not heap or -gain <= heap[0][0] or gain == -claimed):
            chosen.append((key, gain))
            covered |= sets[key]
        elif gain:
            heapq.heappush(heap, (-gain, key))
    return chosen
