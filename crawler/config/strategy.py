"""How the next link is chosen, and when nothing more is expected: `strategy`, `early_stopping`.

Every strategy has its own class with its parameters; `strategy` of a site file is one of them, by
its name.
"""

import math
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    ValidationError,
    model_validator,
)
from pydantic_core import InitErrorDetails, PydanticCustomError

from crawler.config.problem import did_you_mean
from crawler.config.roach import RoachConfig
from crawler.config.section import Section, is_site_name
from crawler.config.strategy_section import STRATEGIES as STRATEGIES
from crawler.config.strategy_section import StrategyConfig as StrategyConfig
from crawler.config.strategy_section import StrategyName as StrategyName
from crawler.config.wording import models_in
from crawler.learning.group_score import Score


class ActionIndex(StrEnum):
    """The ways to find the action nearest to a tag path."""

    EXACT = "exact"
    HNSW = "hnsw"


class Classifier(StrEnum):
    """The online classifiers of paper 001."""

    NAIVE_BAYES = "naive_bayes"
    HOEFFDING_TREE = "hoeffding_tree"


class Grouping(StrEnum):
    """What the links of a group have in common."""

    TAG_PATHS = "tag_paths"
    DIRECTORIES = "directories"


class PathAttributes(StrEnum):
    """The attributes that tell links of one page apart in `acebot`, beside their tags."""

    ID = "id"
    CLASS = "class"
    BOTH = "both"


class PageItems(StrEnum):
    """What makes a page worth a request in `acebot`."""

    WORDS = "words"
    TARGETS = "targets"


class TallyhoConfig(StrategyConfig):
    """Our own strategy: it scores every link by what it has learned of links like it.

    See docs/strategies.md.
    """

    name: Literal[StrategyName.TALLYHO] = StrategyName.TALLYHO
    """The default."""

    alpha: float = Field(default=2 * math.sqrt(2), ge=0)
    """Weight of exploration against exploitation."""

    max_actions: int = Field(default=5000, ge=1)
    """Maximum number of actions that are kept apart; later tag paths join the last one."""

    exploration: float = Field(default=0.0, ge=0, le=1)
    """Share of the choices that go to the least known action instead of the best link."""

    hub_credit: float = Field(default=0.5, ge=0, le=1)
    """How much of what its three best new links promise a page earns itself."""

    certainty: float = Field(default=0.3, gt=0, lt=1)
    """Minimum chance to be a target at which a link is fetched at once."""

    @property
    def is_random(self) -> bool:
        """Whether it explores: nothing else is drawn."""
        return self.exploration > 0


class TagPathConfig(StrategyConfig):
    """The parameters of strategies that group links by their tag paths as paper 000 does."""

    n: int = Field(default=2, ge=1, le=8)
    """Length of the n-grams over the tags of a tag path."""

    theta: float = Field(default=0.75, gt=0, le=1)
    """Minimum cosine similarity of a tag path with the action it joins."""

    m: int = Field(default=12, ge=4, le=16)
    """A tag path is projected onto a vector of 2^m numbers."""

    w: int = Field(default=15, ge=5, le=32)
    """Bits of a word in the projection's hash; more than m."""

    max_actions: int = Field(default=5000, ge=1)
    """Maximum number of actions that are kept apart; later tag paths join the nearest one."""

    @model_validator(mode="after")
    def _word_is_longer_than_the_vector(self) -> Self:
        if self.w <= self.m:
            raise ValueError(f"w must be more than m, but w is {self.w} and m is {self.m}")
        return self


class BanditConfig(TagPathConfig):
    """The parameters of a sleeping bandit over groups of tag paths."""

    draws = True

    alpha: float = Field(default=2 * math.sqrt(2), ge=0)
    """Weight of exploration against exploitation."""

    index: ActionIndex = Field(default=ActionIndex.EXACT, strict=False)
    """How the nearest action is looked up. exact compares with every action and is the faster one;
    hnsw is the paper's approximate index, for comparisons, at twice the memory."""


class SleepingBanditConfig(BanditConfig):
    """The sleeping bandit of paper 000 (SB-CLASSIFIER)."""

    name: Literal[StrategyName.SB] = StrategyName.SB
    """Chooses this strategy."""

    b: int = Field(default=10, ge=1)
    """URLs in one training batch of the URL classifier."""


class AnthelionConfig(TagPathConfig):
    """Anthelion of paper 001: a bandit over groups of links, and an online classifier."""

    draws = True

    name: Literal[StrategyName.ANTHELION] = StrategyName.ANTHELION
    """Chooses this strategy."""

    classifier: Classifier = Field(default=Classifier.NAIVE_BAYES, strict=False)
    """What learns from the links that were followed: naive_bayes, or hoeffding_tree, a decision
    tree with Naive Bayes in its leaves."""

    score: Score = Field(default=Score.SUCCESS_RATE, strict=False)
    """How a group is scored: by what its links gave (success_rate, negative_absolute_bad,
    thompson_sampling), by its best link (best_score), or by both."""

    exploration: float = Field(default=0.5, ge=0, le=1)
    """Share of the choices that go to a random group, at the start (lambda of the paper)."""

    decay: int | None = Field(default=200, ge=1)
    """Requests after which half of that share is left (m of the paper); null keeps it."""

    hashes: int = Field(default=10_000, ge=100, le=50_000)
    """Features that the words of URLs are hashed to."""

    groups: Grouping = Field(default=Grouping.TAG_PATHS, strict=False)
    """What makes a group: similar tag_paths, as in sb, or directories of URLs."""


def is_pattern_file(source: str) -> bool:
    """Whether patterns are named by a file, not by a site."""
    return source.endswith(".json")


def _check_source(source: str) -> str:
    if not is_pattern_file(source) and not is_site_name(source):
        raise ValueError("must be a path that ends with .json, or the name of a site")
    return source


class AcebotConfig(StrategyConfig):
    """The structure-driven crawler of paper 002 (ACEBot): it samples the site, chooses the
    navigation patterns that lead to the most items per page, and follows them.

    See docs/strategies.md.
    """

    draws = True

    name: Literal[StrategyName.ACEBOT] = StrategyName.ACEBOT
    """Chooses this strategy."""

    sample: int = Field(default=3000, ge=1, le=10_000)
    """Maximum number of pages that are sampled before patterns are chosen."""

    sample_share: float = Field(default=0.1, gt=0, le=1)
    """Share of the known URLs that is sampled on a smaller site, but never under 50 pages."""

    attributes: PathAttributes = Field(default=PathAttributes.ID, strict=False)
    """What tells the paths of links apart beside tags: id, class (whether there is one) or both."""

    items: PageItems = Field(default=PageItems.TARGETS, strict=False)
    """What a page is worth: the files that it links to (targets), or, as in the paper, its distinct
    pairs of neighbouring words (words)."""

    steps: int = Field(default=3, ge=1, le=8)
    """Maximum number of clicks from a start page in a pattern; a repeated one counts once."""

    repetitions: int = Field(default=3, ge=1, le=100)
    """How often a click is repeated within the sample, as through a list; later without end."""

    completion: float = Field(default=0.95, gt=0, le=1)
    """Share of the sample's items at which enough patterns are chosen."""

    patterns: Annotated[str, Field(max_length=500), AfterValidator(_check_source)] | None = None
    """Patterns to follow without a sample: a pattern file (a path that ends with .json), or the
    site that has learned them. By default the site's own, where an earlier crawl has left some."""


class FocusedConfig(StrategyConfig):
    """A baseline: the links that a logistic regression takes for the best ones first."""

    name: Literal[StrategyName.FOCUSED] = StrategyName.FOCUSED
    """Chooses this strategy."""

    period: int = Field(default=100, ge=1, le=10_000)
    """Links followed between two trainings of its logistic regression."""


class BreadthFirstConfig(StrategyConfig):
    """A baseline: links in the order in which they became known."""

    name: Literal[StrategyName.BFS] = StrategyName.BFS
    """Chooses this strategy."""


class DepthFirstConfig(StrategyConfig):
    """A baseline: the newest link first."""

    name: Literal[StrategyName.DFS] = StrategyName.DFS
    """Chooses this strategy."""


class RandomConfig(StrategyConfig):
    """A baseline: any link, drawn at random."""

    draws = True

    name: Literal[StrategyName.RANDOM] = StrategyName.RANDOM
    """Chooses this strategy."""


def _with_name(value: object) -> object:
    """A name alone as a mapping, and parameters alone as those of the default strategy."""
    if isinstance(value, str):
        value = {"name": value}
    if isinstance(value, StrategyConfig):
        return value
    if not isinstance(value, Mapping):
        raise ValueError("must be the name of a strategy or a mapping (key: value)")
    name = value.get("name", StrategyName.TALLYHO)
    if name not in list(StrategyName):
        hint = did_you_mean(str(name), StrategyName)
        hint = hint or "; others run in the lab only: tallyho lab compare"
        reason = f"must be one of {', '.join(StrategyName)}, not {str(name)[:40]!r}{hint}"
        kind = PydanticCustomError("unknown", "{reason}", {"reason": reason})
        detail = InitErrorDetails(type=kind, loc=("name",), input=name)
        raise ValidationError.from_exception_data("strategy", [detail])
    return {**value, "name": name}


AnyStrategy = Annotated[
    TallyhoConfig
    | SleepingBanditConfig
    | AnthelionConfig
    | AcebotConfig
    | FocusedConfig
    | BreadthFirstConfig
    | DepthFirstConfig
    | RandomConfig
    | RoachConfig,
    Field(discriminator="name"),
]
"""One of the strategies of a site file."""

STRATEGIES.update({model.model_fields["name"].default: model for model in models_in(AnyStrategy)})

StrategyChoice = Annotated[
    AnyStrategy, BeforeValidator(_with_name, json_schema_input_type=StrategyName | AnyStrategy)
]
"""The same as a site file may write it: also as a name alone."""


def strategy_named(name: str) -> StrategyConfig:
    """The strategy of this name with its default parameters."""
    chosen = StrategyName(name)
    return STRATEGIES[chosen](name=chosen)


class EarlyStopping(Section):
    """Ends a crawl when hardly any new files are expected: because the strategy says so of the
    links that wait, 10 or more, or because only calendars and the like wait and 3% of the requests
    went into them in vain, or because the smoothed yield of new files stays under a floor for
    long."""

    half_life: float = Field(default=500, gt=0)
    """Requests after which an observation counts half."""

    floor: float = Field(default=0.002, ge=0, le=1)
    """New files per request under which the crawl is hardly worth its requests."""

    patience: int = Field(default=3000, ge=1)
    """Requests in a row under the floor that end the crawl."""

    left: float = Field(default=0.02, ge=0, lt=1)
    """Share of the files found so far that the waiting links may still give when a crawl ends, with
    a certainty of 99.4% by what `tallyho` expects of them; 0 leaves the decision to the floor
    alone."""
