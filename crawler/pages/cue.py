"""The kinds of cues that the models of `roach` look at (paper 004, Section 4)."""

from enum import StrEnum


class Cue(StrEnum):
    """What a model of the apprentice looks at."""

    TEXT = "text"
    """The words of the link and of the element around it (TC)."""
    CSS = "css"
    """The looks of both (VC)."""
    PARENT = "parent"
    """The score of the page that shows it (PS)."""
