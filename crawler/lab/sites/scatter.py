"""A shuffled order without storing it: a Feistel network over the numbers from 0 to n - 1."""

_ROUNDS = 4
_MASK = (1 << 64) - 1


class Scatter:
    """Gives every number below n a place below n, and finds the number of a place."""

    __slots__ = ("_half", "_keys", "_low", "size")

    def __init__(self, size: int, key: int) -> None:
        self.size = size
        bits = max((size - 1).bit_length(), 2)
        self._half = (bits + 1) // 2
        self._low = (1 << self._half) - 1
        self._keys = [_mixed(key + number) for number in range(_ROUNDS)]

    def place(self, number: int) -> int:
        """Where a number comes in the shuffled order."""
        # The network works on a power of four; a walk along its circle ends below n soon.
        while True:
            left, right = number >> self._half, number & self._low
            for key in self._keys:
                left, right = right, left ^ (_mixed(right ^ key) & self._low)
            number = left << self._half | right
            if number < self.size:
                return number

    def number(self, place: int) -> int:
        """Which number has this place."""
        while True:
            left, right = place >> self._half, place & self._low
            for key in reversed(self._keys):
                left, right = right ^ (_mixed(left ^ key) & self._low), left
            place = left << self._half | right
            if place < self.size:
                return place


def _mixed(value: int) -> int:
    value = (value * 0x9E3779B97F4A7C15) & _MASK
    value = ((value ^ (value >> 31)) * 0xBF58476D1CE4E5B9) & _MASK
    return value ^ (value >> 29)
