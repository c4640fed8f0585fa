"""How many bytes a site has, as Table III of paper 000 counts them."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Volumes:
    """Bytes of all bodies that a complete crawl receives, at their true sizes."""

    target: int
    other: int
    """Of pages; what is neither page nor target is closed unread."""
