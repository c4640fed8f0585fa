"""The one seeded random generator of a crawl; its state is saved with every step."""

from typing import Any

import numpy as np


class Generator:
    """Draws numbers; small enough to be saved after every draw."""

    def __init__(self, seed: int) -> None:
        self._bits = np.random.PCG64(seed)
        self._generator = np.random.Generator(self._bits)

    def below(self, end: int) -> int:
        """A number from 0 up to, not including, `end`."""
        return int(self._generator.integers(end))

    @property
    def draws(self) -> np.random.Generator:
        """For draws of other kinds."""
        return self._generator

    def save(self) -> Any:
        """The state, ready for JSON."""
        return self._bits.state

    def load(self, state: Any) -> None:
        """Continue where a saved generator was."""
        self._bits.state = state
