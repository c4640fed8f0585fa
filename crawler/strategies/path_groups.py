"""Groups of links with similar tag paths, as paper 000 makes its actions (Algorithm 1), durable."""

from collections.abc import Callable, Collection

from crawler.config.strategy import ActionIndex
from crawler.learning.actions import Actions, Centroid
from crawler.learning.bandit import Arm
from crawler.learning.hnsw_actions import HnswActions, IndexOperation, IndexSnapshot
from crawler.learning.tag_paths import TagPathProjection
from crawler.state.records import ActionRow, ArmRow, Changes, IndexOperationRow, IndexSnapshotRow
from crawler.state.saved import SavedState


class PathGroups:
    """Maps tag paths to numbered groups, and saves the groups with what their links have given."""

    def __init__(
        self,
        n: int,
        m: int,
        w: int,
        theta: float,
        max_actions: int,
        index: ActionIndex = ActionIndex.EXACT,
    ) -> None:
        self._projection = TagPathProjection(n, m, w)
        kind = HnswActions if index is ActionIndex.HNSW else Actions
        self._actions = kind(self._projection.dimension, theta, max_actions)
        self._examples: list[str] = []
        self._moved: set[int] = set()
        """Groups whose centroid changed since the last save."""

    def __len__(self) -> int:
        return len(self._examples)

    def assign(self, path: str, links: int) -> int:
        """The group of links of one page that share a tag path; it may be a new one."""
        group = self._actions.assign(self._projection.vector(path), links)
        if group == len(self._examples):
            self._examples.append(path)
        self._moved.add(group)
        return group

    def save(self, changes: Changes, played: Collection[int], arm: Callable[[int], Arm]) -> None:
        """Add what changed: the groups that moved, and the arms that were played."""
        changes.ngrams.extend(self._projection.take_new())
        for group in sorted(set(played) - self._moved):
            its_arm = arm(group)
            changes.arms.append(ArmRow(group, its_arm.selections, its_arm.reward))
        for group in sorted(self._moved):
            centroid, its_arm = self._actions.centroid(group), arm(group)
            changes.actions.append(
                ActionRow(
                    id=group,
                    path=self._examples[group],
                    buckets=centroid.buckets,
                    sums=centroid.sums,
                    square=centroid.square,
                    selections=its_arm.selections,
                    reward=its_arm.reward,
                )
            )
        self._save_index(changes)
        self._moved.clear()

    def load(self, state: SavedState) -> list[Arm]:
        """Bring vocabulary and groups back; the arms are for the caller."""
        self._projection.load(state.ngrams())
        arms = []
        for row in state.actions():
            self._actions.load([Centroid(row.buckets, row.sums, row.square)])
            self._examples.append(row.path)
            arms.append(Arm(row.selections, row.reward))
        self._load_index(state)
        return arms

    def _save_index(self, changes: Changes) -> None:
        if not isinstance(self._actions, HnswActions):
            return
        log = self._actions.take_log()
        if log.snapshot is not None:
            changes.index_snapshot = IndexSnapshotRow(log.snapshot.number, log.snapshot.data)
        changes.index_operations = [
            IndexOperationRow(done.number, done.action, done.buckets, done.sums)
            for done in log.operations
        ]

    def _load_index(self, state: SavedState) -> None:
        if not isinstance(self._actions, HnswActions):
            return
        row = state.index_snapshot()
        self._actions.load_index(
            IndexSnapshot(row.number, row.data) if row is not None else None,
            (
                IndexOperation(done.number, done.action, done.buckets, done.sums)
                for done in state.index_operations()
            ),
        )
