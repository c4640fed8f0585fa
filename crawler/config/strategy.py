"""How the next link is chosen, and when nothing more is expected: `strategy`, `early_stopping`."""

import math
from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from pydantic import (
    Field,
    SerializerFunctionWrapHandler,
    ValidationInfo,
    field_validator,
    model_serializer,
    model_validator,
)

from crawler.config.section import Section


class StrategyName(StrEnum):
    """The ways to choose the next link."""

    SB = "sb"
    SB_ORACLE = "sb-oracle"
    BFS = "bfs"
    DFS = "dfs"
    RANDOM = "random"
    OMNISCIENT = "omniscient"
    FOCUSED = "focused"
    DOM_OFF = "dom-off"
    TALLYHO = "tallyho"

    @property
    def needs_oracle(self) -> bool:
        """Whether it has to be told the class of URLs that nobody asked for yet."""
        return self in {StrategyName.SB_ORACLE, StrategyName.OMNISCIENT, StrategyName.DOM_OFF}

    @property
    def draws(self) -> bool:
        """Whether it draws random numbers; the others decide alike in every run."""
        return self in {
            StrategyName.SB,
            StrategyName.SB_ORACLE,
            StrategyName.RANDOM,
            StrategyName.TALLYHO,
        }


class ActionIndex(StrEnum):
    """The ways to find the action nearest to a tag path."""

    EXACT = "exact"
    HNSW = "hnsw"


_BANDITS = (StrategyName.SB, StrategyName.SB_ORACLE)
_GROUPING = (*_BANDITS, StrategyName.DOM_OFF)

_OWNERS: dict[str, tuple[StrategyName, ...]] = {
    "n": _GROUPING,
    "theta": _GROUPING,
    "alpha": (*_BANDITS, StrategyName.TALLYHO),
    "m": _GROUPING,
    "w": _GROUPING,
    "b": (StrategyName.SB,),
    "max_actions": (*_GROUPING, StrategyName.TALLYHO),
    "index": _BANDITS,
    "period": (StrategyName.FOCUSED,),
    "sample": (StrategyName.DOM_OFF,),
    "exploration": (StrategyName.TALLYHO,),
    "hub_credit": (StrategyName.TALLYHO,),
    "certainty": (StrategyName.TALLYHO,),
}
"""The strategies that a parameter belongs to."""


def _parameters_of(name: StrategyName) -> list[str]:
    return [parameter for parameter, owners in _OWNERS.items() if name in owners]


def _listed(names: Sequence[str]) -> str:
    """'sb', 'sb and sb-oracle', 'sb, sb-oracle and dom-off'."""
    *others, last = names or [""]
    return f"{', '.join(others)} and {last}" if others else last


class StrategyConfig(Section):
    """How the next link is chosen. A name alone will do: `strategy: bfs`."""

    name: StrategyName = Field(default=StrategyName.TALLYHO, strict=False)
    """tallyho is our own (docs/strategies.md); sb is the sleeping bandit of paper 000
    (SB-CLASSIFIER); bfs, dfs, random and focused are baselines; sb-oracle, omniscient and dom-off
    know what nobody can know of a live site, and run in the lab only. Every parameter below says
    whose it is."""

    n: int = Field(default=2, ge=1, le=8)
    """sb, sb-oracle, dom-off: length of the n-grams over the tags of a tag path."""

    theta: float = Field(default=0.75, gt=0, le=1)
    """sb, sb-oracle, dom-off: least cosine similarity of a tag path with the action it joins."""

    alpha: float = Field(default=2 * math.sqrt(2), ge=0)
    """sb, sb-oracle, tallyho: weight of exploration against exploitation."""

    m: int = Field(default=12, ge=4, le=16)
    """sb, sb-oracle, dom-off: a tag path is projected onto a vector of 2^m numbers."""

    w: int = Field(default=15, ge=5, le=32)
    """sb, sb-oracle, dom-off: bits of a word in the projection's hash; more than m."""

    b: int = Field(default=10, ge=1)
    """sb: URLs in one training batch of the URL classifier."""

    max_actions: int = Field(default=5000, ge=1)
    """sb, sb-oracle, dom-off, tallyho: most actions that are kept apart; later tag paths join the
    nearest one, with tallyho the last one."""

    index: ActionIndex = Field(default=ActionIndex.EXACT, strict=False)
    """sb, sb-oracle: how the nearest action is found. exact compares with every action and is the
    faster one; hnsw is the paper's approximate index, for comparisons, at twice the memory."""

    period: int = Field(default=100, ge=1, le=10_000)
    """focused: links followed between two trainings of its logistic regression."""

    sample: int = Field(default=3000, ge=1)
    """dom-off: links followed breadth-first, with their true benefits, before it settles on the
    order of its groups. The lab takes at most a fifth of a small site."""

    exploration: float = Field(default=0.05, ge=0, le=1)
    """tallyho: share of the choices that go to the least known action instead of the best link."""

    hub_credit: float = Field(default=0.5, ge=0, le=1)
    """tallyho: how much of what its three best new links promise a page earns itself."""

    certainty: float = Field(default=0.3, gt=0, lt=1)
    """tallyho: least chance to be a target at which a link is fetched at once."""

    @field_validator(*_OWNERS, mode="before")
    @classmethod
    def _belongs_to_the_strategy(cls, value: Any, info: ValidationInfo) -> Any:
        name = info.data.get("name", StrategyName.TALLYHO)
        owners = _OWNERS[str(info.field_name)]
        if name not in owners:
            takes = _listed(_parameters_of(name)) or "none"
            raise ValueError(f"is a parameter of {_listed(owners)}; {name} takes {takes}")
        return value

    @model_serializer(mode="wrap")
    def _without_parameters_of_others(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        written: dict[str, Any] = write(self)
        own = {"name", *_parameters_of(self.name)}
        return {key: value for key, value in written.items() if key in own}

    @model_validator(mode="after")
    def _word_is_longer_than_the_vector(self) -> "StrategyConfig":
        if self.w <= self.m:
            raise ValueError(f"w must be more than m, but w is {self.w} and m is {self.m}")
        return self


class EarlyStopping(Section):
    """Ends a crawl when the smoothed yield of new files stays under a floor for long enough."""

    half_life: float = Field(default=500, gt=0)
    """Requests after which an observation counts half."""

    floor: float = Field(default=0.002, ge=0, le=1)
    """New files per request under which the crawl is hardly worth its requests."""

    patience: int = Field(default=3000, ge=1)
    """Requests in a row under the floor that end the crawl."""
