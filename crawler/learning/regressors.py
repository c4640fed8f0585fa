"""The two regressions of paper 004, fitted by scikit-learn and kept as plain arrays.

What is kept is what predicts: a model that comes back from the state file gives the same numbers,
and nothing is unpickled.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import Ridge

Floats = npt.NDArray[np.float64]

TREES = 20
MAX_DEPTH = 10
_LEAF_LINKS = 2
_ROWS_AT_ONCE = 2_000
_TREE_TYPES = {"thresholds": np.float64, "values": np.float64}


class Regression(StrEnum):
    """How a model of the apprentice learns."""

    RIDGE = "ridge"
    FOREST = "forest"


class Linear:
    """Ridge regression."""

    def __init__(self, coefficients: Floats) -> None:
        """The last one is the intercept."""
        self._coefficients = coefficients

    @staticmethod
    def fitted(features: sparse.csr_array, scores: Floats) -> "Linear":
        """Learn from rows and their scores."""
        # Its default solver for sparse rows; it multiplies, and factorises nothing.
        model = Ridge(alpha=1.0, solver="sparse_cg", tol=1e-5)
        model.fit(features, scores)
        return Linear(np.append(model.coef_, model.intercept_))

    def predict(self, features: sparse.csr_array) -> Floats:
        """A score for every row."""
        found: Floats = features @ self._coefficients[:-1] + self._coefficients[-1]
        return found

    def save(self) -> dict[str, bytes]:
        """Its coefficients."""
        return {"coefficients": self._coefficients.tobytes()}

    @staticmethod
    def load(saved: dict[str, bytes]) -> "Linear":
        """Back from its coefficients."""
        return Linear(np.frombuffer(saved["coefficients"]).copy())


class Forest:
    """A random forest: the nodes of all trees in one row, each with the nodes below it."""

    def __init__(self, arrays: dict[str, npt.NDArray[Any]]) -> None:
        self._arrays = arrays

    @staticmethod
    def fitted(features: sparse.csr_array, scores: Floats) -> "Forest":
        """Learn from rows and their scores; the same rows always make the same trees."""
        model = RandomForestRegressor(
            n_estimators=TREES,
            max_depth=MAX_DEPTH,
            min_samples_leaf=_LEAF_LINKS,
            max_features="sqrt",
            n_jobs=1,
            random_state=0,
        )
        model.fit(features.toarray().astype(np.float32), scores)
        trees = [estimator.tree_ for estimator in model.estimators_]
        starts = np.cumsum([0, *(tree.node_count for tree in trees)])
        pairs = list(zip(starts, trees, strict=False))
        return Forest(
            {
                "roots": starts[:-1].astype(np.int32),
                "features": np.concatenate([tree.feature for tree in trees]).astype(np.int32),
                "thresholds": np.concatenate([tree.threshold for tree in trees]),
                "left": _nodes(tree.children_left + at for at, tree in pairs),
                "right": _nodes(tree.children_right + at for at, tree in pairs),
                "values": np.concatenate([tree.value[:, 0, 0] for tree in trees]),
            }
        )

    def predict(self, features: sparse.csr_array) -> Floats:
        """The mean over the trees for every row."""
        pieces = [
            self._predict(features[start : start + _ROWS_AT_ONCE].toarray().astype(np.float32))
            for start in range(0, features.shape[0], _ROWS_AT_ONCE)
        ]
        return np.concatenate(pieces) if pieces else np.zeros(0)

    def _predict(self, rows: npt.NDArray[np.float32]) -> Floats:
        tree = self._arrays
        split, thresholds = tree["features"], tree["thresholds"]
        everyone = np.arange(len(rows))
        total = np.zeros(len(rows))
        for root in tree["roots"]:
            at = np.full(len(rows), root)
            for _ in range(MAX_DEPTH):
                inner = split[at] >= 0
                if not inner.any():
                    break
                smaller = rows[everyone, np.where(inner, split[at], 0)] <= thresholds[at]
                below = np.where(smaller, tree["left"][at], tree["right"][at])
                at = np.where(inner, below, at)
            total += tree["values"][at]
        return total / len(tree["roots"])

    def save(self) -> dict[str, bytes]:
        """Its trees."""
        return {name: values.tobytes() for name, values in self._arrays.items()}

    @staticmethod
    def load(saved: dict[str, bytes]) -> "Forest":
        """Back from its trees."""
        return Forest(
            {
                name: np.frombuffer(value, dtype=_TREE_TYPES.get(name, np.int32)).copy()
                for name, value in saved.items()
            }
        )


def _nodes(trees: Iterable[npt.NDArray[Any]]) -> npt.NDArray[np.int32]:
    return np.concatenate(list(trees)).astype(np.int32)


Regressor = Linear | Forest
REGRESSORS: dict[Regression, type[Regressor]] = {
    Regression.RIDGE: Linear,
    Regression.FOREST: Forest,
}
