"""What a crawl reports at its end."""

from dataclasses import asdict, dataclass, field
from typing import Any

from crawler.state.reports import ActionReport
from crawler.state.stop import StopReason


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlSummary:
    """One run, and below `in_all` the acquisition with all its runs so far."""

    site: str
    run_id: str
    strategy: str
    stop_reason: StopReason
    stop_detail: str
    requests: int = 0
    heads: int = 0
    pages: int = 0
    targets: int = 0
    bytes: int = 0
    """Received, decoded."""
    target_bytes: int = 0
    """Of the targets among them."""
    retries: int = 0
    skipped: dict[str, int] = field(default_factory=dict)
    formats: dict[str, int] = field(default_factory=dict)
    minutes: float = 0.0
    files: str
    """The folder of the files."""
    manifest: str
    in_all: dict[str, Any] = field(default_factory=dict)
    top_actions: list[ActionReport] = field(default_factory=list)
    resumed: bool = False
    recorded_again: int = 0
    """Files that the state knew and the catalog did not, as after a restored backup."""
    fetched_again: int = 0
    """Files whose bytes the store had lost."""

    @property
    def complete(self) -> bool:
        """Whether the acquisition is over."""
        return self.stop_reason.complete

    def counts(self) -> dict[str, Any]:
        """The few figures that another task may want."""
        names = ("site", "run_id", "stop_reason", "requests", "pages", "targets", "bytes")
        return {name: getattr(self, name) for name in names} | {"complete": self.complete}

    def as_dict(self) -> dict[str, Any]:
        """The same for `--json`."""
        return {
            **asdict(self),
            "complete": self.complete,
            "top_actions": [asdict(action) | {"mean": action.mean} for action in self.top_actions],
        }
