"""Groups of links whose URLs are in one directory of one host, durable."""

from collections.abc import Callable, Collection
from urllib.parse import urlsplit

from crawler.learning.bandit import Arm
from crawler.state.records import ActionRow, ArmRow, Changes
from crawler.state.saved import SavedState

_MAX_LENGTH = 300


def directory_of(url: str) -> str:
    """Host and path up to the last slash."""
    parts = urlsplit(url)
    return f"{parts.netloc}{parts.path.rpartition('/')[0]}/"[:_MAX_LENGTH]


class DirectoryGroups:
    """Numbers directories in the order of their appearance; those beyond the last join it."""

    def __init__(self, max_groups: int) -> None:
        self._max_groups = max_groups
        self._numbers: dict[str, int] = {}
        self._saved = 0

    def __len__(self) -> int:
        return len(self._numbers)

    def assign(self, directory: str, links: int) -> int:  # noqa: ARG002 - as `PathGroups` has it
        """The group of links of one directory; it may be a new one."""
        number = self._numbers.get(directory)
        if number is None:
            if len(self) >= self._max_groups:
                return self._max_groups - 1
            number = self._numbers[directory] = len(self)
        return number

    def save(self, changes: Changes, played: Collection[int], arm: Callable[[int], Arm]) -> None:
        """Add what changed: new directories, and the arms that were played."""
        names = list(self._numbers)[self._saved :] if len(self) > self._saved else []
        for group, name in enumerate(names, start=self._saved):
            its_arm = arm(group)
            changes.actions.append(
                ActionRow(group, name, b"", b"", 0.0, its_arm.selections, its_arm.reward)
            )
        for group in sorted(played):
            if group < self._saved:
                its_arm = arm(group)
                changes.arms.append(ArmRow(group, its_arm.selections, its_arm.reward))
        self._saved = len(self)

    def load(self, state: SavedState) -> list[Arm]:
        """Bring the directories back; the arms are for the caller."""
        arms = []
        for row in state.actions():
            self._numbers[row.path] = row.id
            arms.append(Arm(row.selections, row.reward))
        self._saved = len(self)
        return arms
