"""The strategies of the lab and their parameters: the live ones, and those that have an oracle."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal

from pydantic import Field

from crawler.config.strategy import STRATEGIES, BanditConfig, StrategyConfig, TagPathConfig


class OracleName(StrEnum):
    """The strategies that need an oracle."""

    SB_ORACLE = "sb-oracle"
    OMNISCIENT = "omniscient"
    DOM_OFF = "dom-off"


class SbOracleConfig(BanditConfig):
    """The sleeping bandit with perfect knowledge of URL classes (SB-ORACLE)."""

    name: Literal[OracleName.SB_ORACLE] = OracleName.SB_ORACLE


class OmniscientConfig(StrategyConfig):
    """Knows all targets from the start and fetches nothing else."""

    name: Literal[OracleName.OMNISCIENT] = OracleName.OMNISCIENT


class DomOffConfig(TagPathConfig):
    """Groups of tag paths, ranked once after a sample of the site (DOM-OFF)."""

    name: Literal[OracleName.DOM_OFF] = OracleName.DOM_OFF

    sample: int = Field(default=3000, ge=1)
    """Links followed breadth-first, with their true benefits, before it settles on the order of
    its groups. The lab takes at most a fifth of a small site."""


LAB_STRATEGIES: Mapping[str, type[StrategyConfig]] = {
    **{name.value: model for name, model in STRATEGIES.items()},
    OracleName.SB_ORACLE.value: SbOracleConfig,
    OracleName.OMNISCIENT.value: OmniscientConfig,
    OracleName.DOM_OFF.value: DomOffConfig,
}
