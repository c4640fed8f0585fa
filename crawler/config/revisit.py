"""How a complete site is kept up to date: which known pages and files a night looks at."""

import re
from enum import StrEnum
from typing import Annotated

from pydantic import BeforeValidator, Field, field_validator, model_validator

from crawler.config.section import Section

_SHARE = re.compile(r"(\d{1,3}(?:\.\d{1,4})?) ?%")
_JSON_PATTERN = r"^[0-9]{1,3}(\.[0-9]{1,4})? ?%$"


class RevisitStrategyName(StrEnum):
    """The ways to choose the known pages of a night."""

    RR = "rr"
    OD_WIN = "od-win"
    COV = "cov"
    CLIQ_WIN = "cliq-win"
    REG = "reg"
    REG_RR = "reg-rr"
    BANDIT = "bandit"
    LTR = "ltr"
    TALLYHO = "tallyho"


def parse_amount(value: object) -> object:
    """A number as it is; '1%' as the share 0.01."""
    if not isinstance(value, str):
        return value
    match = _SHARE.fullmatch(value.strip())
    if match is None or float(match[1]) > 100:
        raise ValueError(f"'{value[:40]}' is neither a number nor a share; write 50 or '1%'")
    return float(match[1]) / 100


Amount = Annotated[
    Annotated[int, Field(ge=0)] | Annotated[float, Field(ge=0, le=1)],
    BeforeValidator(
        parse_amount,
        json_schema_input_type=Annotated[int, Field(ge=0)]
        | Annotated[str, Field(pattern=_JSON_PATTERN)],
    ),
]
"""A number of requests, or a share of all that is known, written as '1%'."""


def amount_of(amount: int | float, known: int) -> int:
    """The number that an amount means where `known` pages or files are known; at least 1 of any."""
    if isinstance(amount, int):
        return min(amount, known)
    return min(max(round(amount * known), 1), known) if amount else 0


class RevisitConfig(Section):
    """Which known pages and files a night looks at. See docs/revisiting.md."""

    name: RevisitStrategyName = Field(default=RevisitStrategyName.TALLYHO, strict=False)
    """tallyho is our own; rr, od-win, cov, cliq-win, reg, reg-rr, bandit and ltr are those of the
    paper on re-crawling (Pham et al. 2018)."""

    pages: Amount = 0.01
    """Known pages visited a night: a number, or a share of all known pages such as '1%'. New pages
    found on them are followed in the same night and not counted."""

    files: Amount = 0.2
    """Known files checked a night for changes: a number, or a share of all known files. With the
    default every file is asked for about every five nights, most of them answered by 304."""

    sweep_days: float = Field(default=60, ge=0, le=3650)
    """tallyho: every known page is visited at least this often. These visits are spread evenly over
    all nights and come beside those of `pages`; 0 means none."""

    ratios: tuple[Annotated[float, Field(ge=0, le=1)], ...] = (0.6, 0.7, 0.8, 0.9, 1.0)
    """bandit: shares of the night that may go to predicted pages, the others explore."""

    window: int = Field(default=10, ge=1, le=64)
    """od-win, cliq-win, reg, reg-rr, bandit, ltr: latest visits that averages are taken over."""

    overlap: float = Field(default=0.7, gt=0, le=1)
    """cliq-win, reg, reg-rr, bandit, ltr: a page is left out when its links overlap (Jaccard) more
    than this with those of a page already chosen."""

    full_every_days: float | None = Field(default=None, ge=0, le=3650)
    """Days after which the whole site is crawled again from the start; null means never, 0 every
    night. `every_days`, its name before revisits came, means the same."""

    @model_validator(mode="before")
    @classmethod
    def _former_name(cls, values: object) -> object:
        if not isinstance(values, dict) or "every_days" not in values:
            return values
        if "full_every_days" in values:
            raise ValueError("every_days is the former name of full_every_days; write one of them")
        return {
            ("full_every_days" if key == "every_days" else key): value
            for key, value in values.items()
        }

    @field_validator("ratios")
    @classmethod
    def _one_at_least(cls, ratios: tuple[float, ...]) -> tuple[float, ...]:
        if not ratios or len(set(ratios)) != len(ratios):
            raise ValueError("must name at least one ratio, each once")
        return ratios
