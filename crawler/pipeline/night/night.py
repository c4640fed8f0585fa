"""What one night does for one site: its kind, its budget and why."""

from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from crawler.config.site import SiteConfig
from crawler.config.strategy import strategy_named


class NightKind(StrEnum):
    """What is to be done with a site tonight."""

    FIRST = "first"
    """Nothing is known yet."""
    CONTINUE = "continue"
    """The last acquisition did not finish, so it is resumed."""
    REVISIT = "revisit"
    """It is known: what may have changed is looked at, and what is left is followed."""
    AGAIN = "again"
    """The whole site is crawled again from the start; files and history stay."""
    NOTHING = "nothing"
    """No requests were allotted to it."""

    @property
    def crawls(self) -> bool:
        """Whether any request is made to the site."""
        return self is not NightKind.NOTHING


class BudgetFrom(StrEnum):
    """Who decided how many requests the night may make."""

    SITE = "site"
    FLEET = "fleet"
    HAND = "hand"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Night:
    """The plan of one night; small, so that it can be passed from task to task."""

    site: str
    kind: NightKind
    key: str
    """Identifies the night: what is published under it is published once."""
    run_id: str
    """The run that crawls; the last one's when that is resumed."""
    requests: int
    budget_from: BudgetFrom
    reason: str
    """A sentence for a person."""
    notes: tuple[str, ...] = ()
    """What else a person should know: the site was renamed, or starts elsewhere."""
    strategy: str = ""
    """Chosen by hand for this night; empty for the site's own."""
    start_url: str = ""
    """The start page that it was planned for: the site file may change while the night runs."""

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {**asdict(self), "notes": list(self.notes)}

    @staticmethod
    def from_dict(values: dict[str, Any]) -> "Night":
        """Back from JSON."""
        return Night(
            **{
                **values,
                "kind": NightKind(values["kind"]),
                "budget_from": BudgetFrom(values["budget_from"]),
                "notes": tuple(values["notes"]),
            }
        )

    def applied_to(self, site: SiteConfig) -> SiteConfig:
        """The site with the night's budget and strategy; bytes and minutes stay the site's."""
        budget = site.budget.model_copy(update={"requests": self.requests})
        changes: dict[str, object] = {"budget": budget}
        if self.strategy and self.strategy != site.strategy.name:
            changes["strategy"] = strategy_named(self.strategy)
        return site.model_copy(update=changes)


@dataclass(frozen=True, slots=True)
class ByHand:
    """What a person sets for a night that is started by hand."""

    requests: int | None = None
    fresh: bool = False
    strategy: str = ""


AS_PLANNED = ByHand()


def night_key(now: datetime) -> str:
    """The key of a night outside of Airflow."""
    return f"by hand {now:%Y-%m-%dT%H:%M:%S.%fZ}"
