"""Small counts of a crawl by the fingerprint of what is counted; they are part of its state."""

from collections.abc import Iterable


class Counters:
    """Counts that are 0 until they are set; what changed is saved with the step."""

    def __init__(self) -> None:
        self._counts: dict[int, int] = {}
        self._changed: set[int] = set()

    def __getitem__(self, key: int) -> int:
        return self._counts.get(key, 0)

    def __setitem__(self, key: int, count: int) -> None:
        if count != self._counts.get(key, 0):
            self._counts[key] = count
            self._changed.add(key)
            if not count:
                del self._counts[key]

    def changes(self) -> dict[int, int]:
        """What changed since the last call; 0 for what is forgotten."""
        changed = {key: self._counts.get(key, 0) for key in sorted(self._changed)}
        self._changed.clear()
        return changed

    def load(self, counts: Iterable[tuple[int, int]]) -> None:
        """Take up the counts of a checkpoint; they do not count as changes."""
        self._counts.update((key, count) for key, count in counts if count)
