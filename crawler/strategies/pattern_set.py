"""The patterns of a site as they are saved: learned once, followed by this and later crawls."""

from typing import Annotated, Any

from pydantic import AfterValidator, ConfigDict, Field, ValidationError

from crawler.config.strategy import PageItems, PathAttributes
from crawler.described import Described
from crawler.learning.link_labels import is_label
from crawler.learning.navigation_patterns import MAX_PATTERNS, NavigationPattern

PATTERNS = "patterns"
"""The name under which a crawl's state keeps the patterns that it follows."""
LEARNED = "learned"
"""The name that is there when the crawl has learned them itself."""

MAX_BYTES = 20_000_000
"""Of a pattern file."""


def _check_pattern(text: str) -> str:
    NavigationPattern.parse(text)
    return text


def _check_label(text: str) -> str:
    if not is_label(text):
        raise ValueError("is not the path of a link")
    return text


class SavedPattern(Described):
    """A pattern with what it was selected for."""

    model_config = ConfigDict(extra="forbid")

    pattern: Annotated[str, AfterValidator(_check_pattern)]
    """In the syntax of the paper."""
    score: float = Field(default=0.0, ge=0)
    """New items per page."""
    pages: int = Field(default=0, ge=0)
    """Sampled pages that it leads to and no pattern before it."""
    items: int = Field(default=0, ge=0)
    """Items of these pages that are on no page of the patterns before it."""


class PatternSet(Described):
    """The navigation patterns of a site, the best first."""

    model_config = ConfigDict(extra="forbid")

    start_url: str
    """The page that the patterns start from."""
    attributes: PathAttributes
    """What the paths of links are told apart by."""
    scored_by: PageItems
    """What the scores count."""
    sampled_pages: int = Field(default=0, ge=0)
    """Pages of the sample that they were learned from."""
    coverage: float = Field(default=0.0, ge=0, le=1)
    """The share of the sample's items that is on their pages."""
    patterns: tuple[SavedPattern, ...] = Field(max_length=MAX_PATTERNS)
    """In the order of their selection."""
    files: tuple[Annotated[str, AfterValidator(_check_label)], ...] = ()
    """Paths of links that led to files rather than pages."""

    def navigation(self) -> list[NavigationPattern]:
        """The patterns themselves."""
        return [NavigationPattern.parse(each.pattern) for each in self.patterns]

    def encode(self) -> bytes:
        """As a pattern file holds it."""
        return self.model_dump_json(indent=1).encode()

    def as_dict(self) -> dict[str, Any]:
        """For `--json`."""
        return self.model_dump(mode="json")


def read_pattern_set(data: bytes) -> PatternSet:
    """The patterns of a file; ValueError with the field and the reason when it is none."""
    if len(data) > MAX_BYTES:
        raise ValueError(f"is larger than {MAX_BYTES:,} bytes")
    try:
        return PatternSet.model_validate_json(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(map(str, first["loc"]))
        reason = str(first.get("ctx", {}).get("error") or first["msg"])
        raise ValueError(f"{field}: {reason}" if field else reason) from None
