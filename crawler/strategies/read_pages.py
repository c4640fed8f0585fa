"""The pages that `tallyho` read last: what led to each of them, and the targets it has given."""

import struct
from collections.abc import Iterable

import numpy as np

from crawler.learning.link_features import MAX_FEATURES, Row

_REMEMBERED = 1 << 15
_NAME = "page "
_HEAD = struct.Struct("<qi")
_ROW = np.dtype("<u2")


class ReadPages:
    """A ring of pages: one that was read long ago gives its place to a new one.

    A target that was not recognised on its page is found much later; the page is known here still.
    """

    def __init__(self, remembered: int = _REMEMBERED) -> None:
        self._remembered = remembered
        self._pages: list[int] = []
        self._rows: list[bytes] = []
        self._targets: list[int] = []
        self._places: dict[int, int] = {}
        self._next = 0
        self._changed: set[int] = set()

    def add(self, page: int, row: Row) -> None:
        """A page was read that a link with these features led to."""
        place = self._next
        self._next = (place + 1) % self._remembered
        data = row.astype(_ROW).tobytes()
        if place == len(self._pages):
            self._pages.append(page)
            self._rows.append(data)
            self._targets.append(0)
        else:
            self._places.pop(self._pages[place], None)
            self._pages[place], self._rows[place], self._targets[place] = page, data, 0
        self._places[page] = place
        self._changed.add(place)

    def gave(self, page: int, targets: int) -> tuple[Row, int] | None:
        """A page gave more targets: what led to it, and how many it has given in all."""
        place = self._places.get(page)
        if place is None:
            return None
        if targets:
            self._targets[place] += targets
            self._changed.add(place)
        return np.frombuffer(self._rows[place], dtype=_ROW), self._targets[place]

    def take_changes(self) -> dict[str, bytes]:
        """The places that changed since the last call, as they are saved."""
        changes = {
            f"{_NAME}{place}": _HEAD.pack(self._pages[place], self._targets[place])
            + self._rows[place]
            for place in sorted(self._changed)
        }
        self._changed.clear()
        return changes

    @property
    def next_place(self) -> int:
        """Where the next page goes; saved apart from the pages."""
        return self._next

    def load(self, memory: Iterable[tuple[str, bytes]], next_place: int) -> None:
        """Bring saved pages back."""
        self._next = next_place
        saved = {
            int(name.removeprefix(_NAME)): value for name, value in memory if name.startswith(_NAME)
        }
        for place in range(len(saved)):
            page, targets = _HEAD.unpack_from(saved[place])
            self._pages.append(page)
            self._targets.append(targets)
            self._rows.append(saved[place][_HEAD.size : _HEAD.size + MAX_FEATURES * 2])
            self._places[page] = place
