"""Seeded chance without state: every choice of the site is a function of the seed and a name."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

Item = TypeVar("Item")

_MASK = (1 << 64) - 1


class Chance:
    """Answers the same question always the same way, so that nothing needs to be stored."""

    __slots__ = ("_base",)

    def __init__(self, seed: int) -> None:
        self._base = blake2b(f"demo:{seed}".encode(), digest_size=8)

    def number(self, *name: str | int) -> int:
        """A 64-bit number that belongs to this name."""
        digest = self._base.copy()
        digest.update(":".join(map(str, name)).encode())
        return int.from_bytes(digest.digest(), "big")

    def below(self, limit: int, *name: str | int) -> int:
        """A number from 0 to limit - 1 that belongs to this name."""
        return self.number(*name) % limit

    def pick(self, items: Sequence[Item], *name: str | int) -> Item:
        """The item that belongs to this name."""
        return items[self.number(*name) % len(items)]

    def stream(self, *name: str | int) -> "Stream":
        """A run of numbers that belongs to this name."""
        return Stream(self.number(*name))


class Stream:
    """SplitMix64: many numbers from one, quickly, and the same on every version of Python."""

    __slots__ = ("_state",)

    def __init__(self, state: int) -> None:
        self._state = state

    def number(self) -> int:
        """The next 64-bit number."""
        self._state = state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & _MASK
        return state ^ (state >> 31)

    def fraction(self) -> float:
        """The next number, at least 0 and under 1."""
        return (self.number() >> 11) / (1 << 53)

    def pick(self, items: Sequence[Item]) -> Item:
        """The next item."""
        return items[self.number() % len(items)]
