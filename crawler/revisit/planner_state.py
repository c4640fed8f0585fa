"""What the planner remembers from night to night: small, and saved with each plan."""

import json
from dataclasses import asdict, dataclass, replace
from typing import Self


@dataclass(frozen=True, slots=True)
class RatioArm:
    """One share of predicted pages, as the bandit over shares knows it."""

    ratio: float
    count: int = 0
    reward: float = 0.0
    """Sum of the new targets found by nights with this share."""


@dataclass(frozen=True, slots=True)
class SourceCounts:
    """How often a signal source (a sitemap, a feed) was right: see `signals`."""

    source: str
    confirmed: int = 0
    """Signals after which the page had changed."""
    refuted: int = 0
    """Signals after which it had not."""
    missed: int = 0
    """Changes that it had not signalled."""


@dataclass(frozen=True, slots=True)
class PlannerState:
    """Saved with the plan that it led to: the same state, history and time give the same plan."""

    seed: int = 0
    nights: int = 0
    """Nights planned so far."""
    last_night: float | None = None
    """When the last plan was made."""
    arms: tuple[RatioArm, ...] = ()
    last_ratio: float | None = None
    """The share of predicted pages of the last night, whose reward is still to be counted."""
    trained_night: int | None = None
    """The night on which the weights were learned."""
    weights: tuple[float, ...] = ()
    """Intercept and weights of the features."""
    sources: tuple[SourceCounts, ...] = ()

    def after_night(self, now: float) -> Self:
        """The state once a night was planned."""
        return replace(self, nights=self.nights + 1, last_night=now)

    def to_json(self) -> str:
        """The state as one line of JSON."""
        return json.dumps(asdict(self), separators=(",", ":"), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The state that `to_json` wrote; keys of other versions are left out."""
        values = json.loads(text)
        known = {name: values[name] for name in cls.__dataclass_fields__ if name in values}
        known["arms"] = tuple(RatioArm(**arm) for arm in known.get("arms", ()))
        known["sources"] = tuple(SourceCounts(**counts) for counts in known.get("sources", ()))
        known["weights"] = tuple(known.get("weights", ()))
        return cls(**known)
