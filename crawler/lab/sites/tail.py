"""How many files the pages with files have: a log-normal tail, the same total for the same site."""

import math
from statistics import NormalDist

_EXACT_RANKS = 2000
_SAMPLED_RANKS = 2000
_STEPS = 40
_STANDARD = NormalDist()


class Tail:
    """Counts by rank: rank 0 has the most files, every rank at least one, together `total`.

    The mean is total / ranks, the spread (standard deviation by mean) that of Table V. A few ranks
    cannot show a spread over the square root of their number: then the first takes what it can.
    """

    __slots__ = ("_ranks", "_scale", "_sigma")

    def __init__(self, ranks: int, total: int, spread: float) -> None:
        self._ranks = ranks
        self._sigma = math.sqrt(math.log1p(spread**2))
        low, high = 0.0, float(max(total, 1))
        for _ in range(_STEPS):
            self._scale = (low + high) / 2
            if self._sum() < total:
                low = self._scale
            else:
                high = self._scale
        self._scale = high

    def count(self, rank: int) -> int:
        """Files of the page with this rank."""
        score = _STANDARD.inv_cdf(1 - (rank + 0.5) / self._ranks)
        # Fractions are spread over neighbours, or small means would all round alike.
        part = rank * 0.6180339887498949 % 1
        return max(1, int(self._scale * math.exp(self._sigma * score) + part))

    def total(self) -> int:
        """Files of all ranks."""
        return sum(map(self.count, range(self._ranks)))

    def _sum(self) -> float:
        """About the total: the head rank by rank, the long rest by samples."""
        exact = min(self._ranks, _EXACT_RANKS)
        head = sum(map(self.count, range(exact)))
        rest = self._ranks - exact
        if rest == 0:
            return head
        samples = min(rest, _SAMPLED_RANKS)
        picked = (exact + number * rest // samples for number in range(samples))
        return head + sum(map(self.count, picked)) * rest / samples
