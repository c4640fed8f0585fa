"""What the sections of all strategies share: a name, and explained mistakes."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, ClassVar, Self

from pydantic import ModelWrapValidatorHandler, ValidationError, model_validator
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError

from crawler.config.problem import did_you_mean
from crawler.config.section import Section


class StrategyName(StrEnum):
    """The strategies that can crawl a live site."""

    TALLYHO = "tallyho"
    SB = "sb"
    ANTHELION = "anthelion"
    ACEBOT = "acebot"
    FOCUSED = "focused"
    BFS = "bfs"
    DFS = "dfs"
    RANDOM = "random"
    ROACH = "roach"


class StrategyConfig(Section):
    """A strategy with its parameters; the base of every one."""

    draws: ClassVar[bool] = False
    """Whether it draws random numbers, whatever its parameters are."""

    name: StrEnum

    @property
    def is_random(self) -> bool:
        """Whether runs with different seeds may decide differently."""
        return self.draws

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


def _listed(names: Sequence[str]) -> str:
    """'sb', 'sb and focused', 'sb, focused and bfs'."""
    *others, last = names or [""]
    return f"{', '.join(others)} and {last}" if others else last


STRATEGIES: dict[StrategyName, type[StrategyConfig]] = {}
"""Every strategy by its name; `config/strategy.py` fills it."""
