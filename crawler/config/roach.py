"""The parameters of the strategy `roach`."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from crawler.config.strategy_section import StrategyConfig, StrategyName
from crawler.config.web_address import WebUrl
from crawler.pages.cue import Cue


class RoachCritic(StrEnum):
    """What the critic of `roach` scores a page by."""

    TARGETS = "targets"
    SIMILARITY = "similarity"


class RoachApprentice(StrEnum):
    """The regressions of `roach`."""

    RIDGE = "ridge"
    FOREST = "forest"
    BOTH = "both"


class RoachStyles(StrEnum):
    """Where `roach` reads from what links look like."""

    SHEETS = "sheets"
    INLINE = "inline"
    COMPUTED = "computed"


Cues = Annotated[tuple[Annotated[Cue, Field(strict=False)], ...], Field(min_length=1, strict=False)]
"""The cues that one model looks at."""


class RoachConfig(StrategyConfig):
    """The apprentice and the critic of paper 004: links ranked by words, looks and their page."""

    name: Literal[StrategyName.ROACH] = StrategyName.ROACH
    """Chooses this strategy."""

    critic: RoachCritic = Field(default=RoachCritic.TARGETS, strict=False)
    """What following a link was worth. targets counts the data files it led to; similarity is the
    paper's: how similar the text of the page is to that of relevant pages."""

    examples: tuple[WebUrl, ...] = Field(default=(), max_length=20, strict=False)
    """URLs of relevant pages for `critic: similarity`; each is fetched once, at the start. Without
    any, pages that had data files are the relevant ones."""

    threshold: float = Field(default=0.0, ge=0, le=1)
    """Least mean similarity of a relevant page with the other ones; others are left out."""

    apprentice: RoachApprentice = Field(default=RoachApprentice.FOREST, strict=False)
    """The regression that scores links: forest (a random forest), ridge, or both stacked."""

    stack: tuple[Cues, ...] = Field(
        default=((Cue.CSS, Cue.PARENT), (Cue.TEXT,)), min_length=1, max_length=7, strict=False
    )
    """The models, each by the cues it looks at: text, css, parent (the score of the page)."""

    round: int = Field(default=100, ge=10, le=5000)
    """Links followed between two trainings."""

    rounds: int = Field(default=10, ge=1, le=100)
    """Rounds that the models learn from, at most 5,000 links together."""

    reinforcement: bool = True
    """Whether the score of a link is that of the links followed on its page (back-propagation)."""

    styles: RoachStyles = Field(default=RoachStyles.SHEETS, strict=False)
    """Where looks come from. sheets fetches the style sheets that pages link to; inline makes do
    with what the pages say themselves, without such requests; computed fetches them as well, and
    lets Chromium say what pages that were read look like, without a network."""

    max_sheets: int = Field(default=20, ge=0, le=200)
    """Style sheets that are fetched of a site."""
