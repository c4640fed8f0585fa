"""The word that somebody probably meant."""

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """'; did you mean "requests"?', or nothing when no known word is near."""
    near = get_close_matches(word.lower()[:80], list(known), n=1, cutoff=0.6)
    return f'; did you mean "{near[0]}"?' if near else ""
