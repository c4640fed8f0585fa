"""What a validation reports at its end, and while it runs."""

from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from crawler.validation.outcome import Judgement


@dataclass(frozen=True, slots=True)
class Unchecked:
    """A version that could not be checked, for a reason outside of the file."""

    version_id: int
    file_id: int
    url: str
    sentence: str


@dataclass(frozen=True, slots=True)
class ValidationSummary:
    """The verdicts of one validation; together with others by `+`."""

    checked: int = 0
    verdicts: dict[Judgement, int] = field(default_factory=dict)
    failures: tuple[Unchecked, ...] = ()
    sites: tuple[str, ...] = ()
    """Sites that got verdicts."""
    switched_off: tuple[str, ...] = ()
    """Sites with files to check whose site file says `validation: false`."""
    interrupted: bool = False
    """It was asked to stop; what was judged is in the catalog."""

    def __add__(self, other: "ValidationSummary") -> "ValidationSummary":
        counts = Counter(self.verdicts) + Counter(other.verdicts)
        return ValidationSummary(
            checked=self.checked + other.checked,
            verdicts={verdict: counts[verdict] for verdict in Judgement if counts[verdict]},
            failures=self.failures + other.failures,
            sites=tuple(sorted({*self.sites, *other.sites})),
            switched_off=tuple(sorted({*self.switched_off, *other.switched_off})),
            interrupted=self.interrupted or other.interrupted,
        )

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        return {
            "checked": self.checked,
            "verdicts": {verdict.value: number for verdict, number in self.verdicts.items()},
            "failures": [asdict(failure) for failure in self.failures],
            "sites": list(self.sites),
            "switched_off": list(self.switched_off),
            "interrupted": self.interrupted,
        }


@dataclass(frozen=True, slots=True)
class ValidationWatch:
    """What to call while a validation runs."""

    on_read: Callable[[str], None] = lambda _: None
    """A file, by its address, was read; its verdict comes with those of its batch."""
    on_judged: Callable[[ValidationSummary], None] = lambda _: None
    """Some verdicts are in the catalog."""
    on_tick: Callable[[], None] = lambda: None
    """Called every second of waiting for a store or a catalog that is away."""
    stop_requested: Callable[[], bool] = lambda: False
