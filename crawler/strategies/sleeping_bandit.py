"""`sb`: SB-CLASSIFIER, the sleeping bandit with the URL classifier (paper 000, Section III)."""

from collections.abc import Sequence
from typing import Any

from crawler.config.strategy import ActionIndex
from crawler.learning.bandit import SleepingBandit
from crawler.learning.url_classifier import HTML, TARGET, UrlClassifier, Weights
from crawler.pages.mime import UrlClass
from crawler.state.records import Changes, ModelRow
from crawler.state.saved import SavedState
from crawler.strategies.frontier import Frontier
from crawler.strategies.generator import Generator
from crawler.strategies.interface import Candidate, Placement, Selection, Strategy
from crawler.strategies.path_groups import PathGroups

_REWARDED = "rewarded "


class SleepingBanditStrategy(Strategy):
    """Chooses the action by AUER, then one of its links at random.

    Links that the classifier takes for targets are fetched at once; the others join the action of
    their tag path.
    """

    def __init__(
        self,
        *,
        n: int,
        theta: float,
        alpha: float,
        m: int,
        w: int,
        b: int,
        max_actions: int,
        seed: int,
        index: ActionIndex = ActionIndex.EXACT,
    ) -> None:
        self._groups = PathGroups(n, m, w, theta, max_actions, index)
        self._bandit = SleepingBandit(alpha, mean_of_rewarded=True)
        self._classifier = UrlClassifier(b)
        self._frontier = Frontier()
        self._generator = Generator(seed)
        self._refusals = 0
        self._played: set[int] = set()
        """Actions whose arm changed since the last save."""
        self._saved_trainings = 0

    @property
    def opinion(self) -> int:
        """Changes with every training, and when the server turns out to refuse HEAD."""
        return 2 * self._classifier.opinion + self._asks_no_more

    @property
    def _asks_no_more(self) -> bool:
        return self._refusals >= self._classifier.b

    def place(self, links: Sequence[Candidate]) -> list[Placement]:
        """The class of each link by Algorithm 2; in the first epoch one HEAD after the other."""
        if self._classifier.trained:
            classes = self._classifier.predict([link.url for link in links])
            return [Placement.FETCH if c == TARGET else Placement.QUEUE for c in classes]
        if self._asks_no_more:
            return [Placement.QUEUE] * len(links)
        return [Placement.ASK]

    def queue(self, links: Sequence[Candidate]) -> None:
        """Map links to actions (Algorithm 1), path by path in the order of first appearance."""
        by_path: dict[str, list[Candidate]] = {}
        for link in links:
            by_path.setdefault(link.tag_path, []).append(link)
        for path, members in by_path.items():
            action = self._groups.assign(path, len(members))
            for link in members:
                self._frontier.add(link.id, action)
            self._bandit.set_awake(action, True)

    def next_link(self, t: int) -> Selection | None:
        """AUER over the awake actions, then uniformly at random among the action's links."""
        action = self._bandit.choose(t)
        if action is None:
            return None
        link = self._frontier.take(action, self._generator.below(self._frontier.count(action)))
        self._bandit.select(action)
        self._bandit.set_awake(action, self._frontier.count(action) > 0)
        self._played.add(action)
        return Selection(link, action)

    def adopt(self, link: Candidate) -> int:
        """The action of a page that was taken for a target; it counts as a selection."""
        action = self._groups.assign(link.tag_path, 1)
        self._bandit.select(action)
        self._played.add(action)
        return action

    def reward(self, action: int, reward: int) -> None:
        """A selected link gave this many new targets."""
        self._bandit.reward(action, reward)
        self._played.add(action)

    def learn(self, link: Candidate, url_class: UrlClass) -> None:
        """A free example for the classifier; it knows two classes, so Neither teaches nothing."""
        if url_class is not UrlClass.NEITHER:
            self._classifier.learn(link.url, TARGET if url_class is UrlClass.TARGET else HTML)

    def head_refused(self) -> None:
        """After b refusals the server is not asked any more."""
        self._refusals += 1

    def save(self, changes: Changes) -> None:
        """Add what changed since the last call to the step's transaction."""
        changes.updates.extend(self._frontier.take_updates())
        self._groups.save(changes, self._played, self._bandit.arm)
        for action in self._played:
            rewarded = self._bandit.rewarded(action)
            changes.memory[f"{_REWARDED}{action}"] = rewarded.to_bytes(8, "little")
        self._played.clear()
        if self._classifier.trainings != self._saved_trainings:
            self._saved_trainings = self._classifier.trainings
            changes.model = self._model()

    def _model(self) -> ModelRow | None:
        weights = self._classifier.weights()
        if weights is None:
            return None
        return ModelRow(
            weights.coefficients, weights.intercept, weights.steps, self._classifier.trainings
        )

    def progress(self) -> dict[str, Any]:
        """The generator, the classifier's open batch, and how often HEAD was refused."""
        return {
            "generator": self._generator.save(),
            "batch": self._classifier.batch,
            "refusals": self._refusals,
        }

    def load(self, state: SavedState, progress: dict[str, Any]) -> None:
        """Bring vocabulary, actions, arms, frontier, classifier and generator back."""
        rewarded = {
            int(name.removeprefix(_REWARDED)): int.from_bytes(value, "little")
            for name, value in state.memory()
            if name.startswith(_REWARDED)
        }
        for action, arm in enumerate(self._groups.load(state)):
            if arm.selections and action not in rewarded:
                # An earlier version began the crawl and counted every selection.
                rewarded[action] = arm.selections
                self._played.add(action)
            self._bandit.load(action, arm, rewarded.get(action, 0))
        self._frontier.load(state.frontier())
        for action in range(len(self._groups)):
            self._bandit.set_awake(action, self._frontier.count(action) > 0)
        model = state.model()
        weights = None
        if model is not None:
            weights = Weights(model.coefficients, model.intercept, model.steps)
            self._saved_trainings = model.trainings
        batch = [(str(url), int(label)) for url, label in progress["batch"]]
        self._classifier.load(weights, self._saved_trainings, batch)
        self._generator.load(progress["generator"])
        self._refusals = int(progress["refusals"])
