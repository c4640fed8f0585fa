"""What a site consists of: its pages and files, by numbers."""

from dataclasses import dataclass
from enum import Enum


class Place(Enum):
    """What a page is in its section."""

    SPLASH = "splash"
    """The choice of language before the home pages."""
    HOME = "home"
    FIXED = "fixed"
    FRONT = "front"
    GROUP = "group"
    SHEET = "sheet"
    LEAF = "leaf"
    RELEASES = "releases"
    """The release calendar; number 0 leads to the months, which count from 1."""


@dataclass(frozen=True, slots=True)
class Page:
    """One HTML page."""

    place: Place
    section: int
    """The language on pages that belong to no section."""
    number: int = 0
    """Of the group, list, leaf or month."""
    sheet: int = 0


@dataclass(frozen=True, slots=True)
class File:
    """One target, by its number among the files of a slot."""

    section: int
    slot: int
    number: int
