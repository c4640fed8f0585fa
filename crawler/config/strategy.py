"""How the next link is chosen, and when nothing more is expected: `strategy`, `early_stopping`."""

import math
from enum import StrEnum
from typing import Any

from pydantic import Field, ValidationInfo, field_validator, model_validator

from crawler.config.section import Section


class StrategyName(StrEnum):
    """The ways to choose the next link."""

    SB = "sb"
    BFS = "bfs"
    DFS = "dfs"
    RANDOM = "random"


class ActionIndex(StrEnum):
    """The ways to find the action nearest to a tag path."""

    EXACT = "exact"
    HNSW = "hnsw"


class StrategyConfig(Section):
    """How the next link is chosen. A name alone will do: `strategy: bfs`."""

    name: StrategyName = Field(default=StrategyName.SB, strict=False)
    """sb is the sleeping bandit of paper 000 (SB-CLASSIFIER); bfs, dfs and random are baselines
    and take no parameters."""

    n: int = Field(default=2, ge=1, le=8)
    """sb: length of the n-grams over the tags of a tag path."""

    theta: float = Field(default=0.75, gt=0, le=1)
    """sb: least cosine similarity of a tag path with the action it joins."""

    alpha: float = Field(default=2 * math.sqrt(2), ge=0)
    """sb: weight of exploration against exploitation."""

    m: int = Field(default=12, ge=4, le=16)
    """sb: a tag path is projected onto a vector of 2^m numbers."""

    w: int = Field(default=15, ge=5, le=32)
    """sb: bits of a word in the projection's hash; more than m."""

    b: int = Field(default=10, ge=1)
    """sb: URLs in one training batch of the URL classifier."""

    max_actions: int = Field(default=5000, ge=1)
    """sb: most actions that are kept apart; later tag paths join the nearest one."""

    index: ActionIndex = Field(default=ActionIndex.EXACT, strict=False)
    """sb: how the nearest action is found. exact compares with every action and is the faster one;
    hnsw is the paper's approximate index, for comparisons, at twice the memory."""

    @field_validator("n", "theta", "alpha", "m", "w", "b", "max_actions", "index", mode="before")
    @classmethod
    def _belongs_to_sb(cls, value: Any, info: ValidationInfo) -> Any:
        name = info.data.get("name", StrategyName.SB)
        if name is not StrategyName.SB:
            raise ValueError(f"is a parameter of sb; {name} takes none")
        return value

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
