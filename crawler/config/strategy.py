"""How the next link is chosen, and when nothing more is expected: `strategy`, `early_stopping`.

Every strategy has its own class with its parameters; `strategy` of a site file is one of them, by
its name.
"""

import math
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import (
    BeforeValidator,
    Field,
    ModelWrapValidatorHandler,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError

from crawler.config.problem import did_you_mean
from crawler.config.section import Section


class StrategyName(StrEnum):
    """The strategies that can crawl a live site."""

    TALLYHO = "tallyho"
    SB = "sb"
    FOCUSED = "focused"
    BFS = "bfs"
    DFS = "dfs"
    RANDOM = "random"


class ActionIndex(StrEnum):
    """The ways to find the action nearest to a tag path."""

    EXACT = "exact"
    HNSW = "hnsw"


class StrategyConfig(Section):
    """A strategy with its parameters; the base of every one."""

    draws: ClassVar[bool] = False
    """Whether it draws random numbers; the others decide alike in every run."""

    name: StrEnum

    @classmethod
    def parameters(cls) -> list[str]:
        """The names of its parameters."""
        return [name for name in cls.model_fields if name != "name"]

    @model_validator(mode="wrap")
    @classmethod
    def _explain_unknown_parameters(
        cls, values: Any, validate: ModelWrapValidatorHandler[Self]
    ) -> Self:
        try:
            return validate(values)
        except ValidationError as error:
            details = [cls._explained(detail) for detail in error.errors(include_url=False)]
            raise ValidationError.from_exception_data(cls.__name__, details) from None

    @classmethod
    def _explained(cls, detail: ErrorDetails) -> InitErrorDetails:
        context = detail.get("ctx", {})
        kind: str | PydanticCustomError = detail["type"]
        if kind == "extra_forbidden":
            reason = cls._unknown(str(detail["loc"][-1]))
            kind, context = PydanticCustomError("unknown", "{reason}", {"reason": reason}), {}
        return InitErrorDetails(type=kind, loc=detail["loc"], input=detail["input"], ctx=context)

    @classmethod
    def _unknown(cls, parameter: str) -> str:
        name, takes = cls.model_fields["name"].default, _listed(cls.parameters()) or "none"
        owners = [
            other.value for other, model in STRATEGIES.items() if parameter in model.parameters()
        ]
        if owners:
            return f"is a parameter of {_listed(owners)}; {name} takes {takes}"
        hint = did_you_mean(parameter, cls.parameters())
        return f"{name} has no such parameter; it takes {takes}{hint}"


class TallyhoConfig(StrategyConfig):
    """Our own strategy: it scores every link by what it has learned of links like it.

    See docs/strategies.md.
    """

    draws = True

    name: Literal[StrategyName.TALLYHO] = StrategyName.TALLYHO
    """The default."""

    alpha: float = Field(default=2 * math.sqrt(2), ge=0)
    """Weight of exploration against exploitation."""

    max_actions: int = Field(default=5000, ge=1)
    """Maximum number of actions that are kept apart; later tag paths join the last one."""

    exploration: float = Field(default=0.05, ge=0, le=1)
    """Share of the choices that go to the least known action instead of the best link."""

    hub_credit: float = Field(default=0.5, ge=0, le=1)
    """How much of what its three best new links promise a page earns itself."""

    certainty: float = Field(default=0.3, gt=0, lt=1)
    """Minimum chance to be a target at which a link is fetched at once."""


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


STRATEGIES: dict[StrategyName, type[StrategyConfig]] = {
    StrategyName.TALLYHO: TallyhoConfig,
    StrategyName.SB: SleepingBanditConfig,
    StrategyName.FOCUSED: FocusedConfig,
    StrategyName.BFS: BreadthFirstConfig,
    StrategyName.DFS: DepthFirstConfig,
    StrategyName.RANDOM: RandomConfig,
}


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
    | FocusedConfig
    | BreadthFirstConfig
    | DepthFirstConfig
    | RandomConfig,
    Field(discriminator="name"),
]
"""One of the strategies of a site file."""

StrategyChoice = Annotated[
    AnyStrategy, BeforeValidator(_with_name, json_schema_input_type=StrategyName | AnyStrategy)
]
"""The same as a site file may write it: also as a name alone."""


def strategy_named(name: str) -> StrategyConfig:
    """The strategy of this name with its default parameters."""
    chosen = StrategyName(name)
    return STRATEGIES[chosen](name=chosen)


def _listed(names: Sequence[str]) -> str:
    """'sb', 'sb and focused', 'sb, focused and bfs'."""
    *others, last = names or [""]
    return f"{', '.join(others)} and {last}" if others else last


class EarlyStopping(Section):
    """Ends a crawl when the smoothed yield of new files stays under a floor for long enough."""

    half_life: float = Field(default=500, gt=0)
    """Requests after which an observation counts half."""

    floor: float = Field(default=0.002, ge=0, le=1)
    """New files per request under which the crawl is hardly worth its requests."""

    patience: int = Field(default=3000, ge=1)
    """Requests in a row under the floor that end the crawl."""
