"""One metric: its name, kind, unit and labels, and what Prometheus calls it."""

from dataclasses import dataclass
from enum import StrEnum

_SUFFIXES = {"s": "seconds", "By": "bytes"}
"""How Prometheus spells the units of OpenTelemetry (UCUM)."""
NO_UNIT = ""
"""Of shares and yes-or-no: their names end with `ratio`, as exporters differ in what they add."""


class Kind(StrEnum):
    """How a metric behaves."""

    COUNTER = "counter"
    """It only grows, until its process ends."""
    GAUGE = "gauge"
    HISTOGRAM = "histogram"


@dataclass(frozen=True, slots=True)
class Instrument:
    """A metric as it is documented, recorded and shown."""

    name: str
    """As OpenTelemetry names it, with dots."""
    kind: Kind
    unit: str
    """`s`, `By`, or in braces what is counted, as {request}."""
    description: str
    labels: tuple[str, ...] = ("site",)
    buckets: tuple[float, ...] = ()
    """Upper bounds of a histogram."""

    @property
    def prometheus_name(self) -> str:
        """The name that OpenTelemetry's rules for Prometheus make of it."""
        name = self.name.replace(".", "_")
        suffix = _SUFFIXES.get(self.unit, "")
        name = f"{name}_{suffix}" if suffix else name
        return f"{name}_total" if self.kind is Kind.COUNTER else name

    @property
    def series(self) -> tuple[str, ...]:
        """The names under which Prometheus keeps it: a histogram has three."""
        name = self.prometheus_name
        if self.kind is not Kind.HISTOGRAM:
            return (name,)
        return tuple(f"{name}_{part}" for part in ("bucket", "sum", "count"))
