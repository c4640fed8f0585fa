"""The apprentice of paper 004: stacked models that say what an unfetched link is worth."""

import json
from collections.abc import Sequence

import numpy as np

from crawler.learning.cue_encoder import CueEncoder, Cues, Floats
from crawler.learning.regressors import REGRESSORS, Regression, Regressor
from crawler.pages.cue import Cue
from crawler.pages.cues import Looks

Stack = Sequence[Sequence[Cue]]
"""The cues of every model."""

MAX_LINKS = 1_000
"""Links that are compared pair by pair; of more, the last ones."""
_UNKNOWN = 0.5


class Apprentice:
    """One model for every group of cues and kind of regression (Section 5.2).

    A model weighs as much as its share of the modified Kendall's tau with which it ranked the last
    round before that round was learned from (Equations 3 to 13).
    """

    def __init__(self, stack: Stack, kinds: Sequence[Regression]) -> None:
        self._parts = [(tuple(cues), kind) for cues in stack for kind in kinds]
        self._encoder = CueEncoder()
        self._models: list[Regressor] = []
        self.importances = [1 / len(self._parts)] * len(self._parts)

    @property
    def is_trained(self) -> bool:
        """Whether there is a model yet."""
        return bool(self._models)

    def weigh(self, cues: Cues, scores: Sequence[float], looks: Sequence[Looks]) -> None:
        """Equations 5 to 10: the importance of each model by how well it ranks these links."""
        if not self._models:
            return
        taus = [
            modified_tau(predicted.tolist(), scores) for predicted in self._predicted(cues, looks)
        ]
        whole = sum(taus)
        if whole > 0:
            self.importances = [tau / whole for tau in taus]

    def train(self, cues: Cues, scores: Sequence[float], looks: Sequence[Looks]) -> None:
        """Equations 11 and 12: every model anew, from these links and what they were worth."""
        self._encoder = CueEncoder()
        self._encoder.fit(cues, looks)
        wanted = np.asarray(scores, dtype=np.float64)
        self._models = [
            REGRESSORS[kind].fitted(self._encoder.encode(cues, group, looks), wanted)
            for group, kind in self._parts
        ]

    def predict(self, cues: Cues, looks: Sequence[Looks]) -> Floats:
        """Equation 13: the mean of what the models say, by their importances; 0 before training."""
        total = np.zeros(len(cues))
        if len(cues):
            for weight, predicted in zip(
                self.importances, self._predicted(cues, looks), strict=False
            ):
                total += weight * predicted
        return total

    def _predicted(self, cues: Cues, looks: Sequence[Looks]) -> list[Floats]:
        return [
            model.predict(self._encoder.encode(cues, group, looks))
            for (group, _), model in zip(self._parts, self._models, strict=False)
        ]

    def save(self) -> dict[str, bytes]:
        """Everything under names."""
        saved = {f"encoder {name}": value for name, value in self._encoder.save().items()}
        for at, model in enumerate(self._models):
            saved |= {f"{at} {name}": value for name, value in model.save().items()}
        return saved | {"importances": json.dumps([self._names(), self.importances]).encode()}

    def _names(self) -> list[str]:
        return [f"{kind} {' '.join(cues)}" for cues, kind in self._parts]

    def load(self, saved: dict[str, bytes]) -> None:
        """Everything back; nothing where nothing was saved, or another stack was."""
        names, importances = json.loads(saved.get("importances", b"[[], []]"))
        if names != self._names():
            return
        self.importances = importances
        self._encoder.load(_under("encoder ", saved))
        self._models = [
            REGRESSORS[kind].load(_under(f"{at} ", saved))
            for at, (_, kind) in enumerate(self._parts)
        ]


def _under(prefix: str, saved: dict[str, bytes]) -> dict[str, bytes]:
    return {
        name.removeprefix(prefix): value for name, value in saved.items() if name.startswith(prefix)
    }


def modified_tau(predicted: Sequence[float], true: Sequence[float]) -> float:
    """How well scores rank links (Section 3.2): 1 for the right order, 0 for the reverse.

    Every pair that stands in the wrong order counts with the distance of its true scores; the sum
    is set in relation to what all pairs would count. A pair that is predicted alike counts half, so
    that any order comes to about 0.5.
    """
    guess = np.asarray(predicted[-MAX_LINKS:], dtype=np.float64)
    truth = np.asarray(true[-MAX_LINKS:], dtype=np.float64)
    above, below = np.triu_indices(len(truth), k=1)
    distance = truth[above] - truth[below]
    whole = float(np.abs(distance).sum())
    if whole == 0:
        return _UNKNOWN
    order = np.sign(guess[above] - guess[below]) * np.sign(distance)
    wrong = np.abs(distance) * (1 - order) / 2
    return 1 - float(wrong.sum()) / whole
