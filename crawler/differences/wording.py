"""A difference in one line: "12 rows added, 3 figures revised"."""

from collections.abc import Mapping

NOTHING = "the tables say the same"


def sentence_of(counts: Mapping[str, int], *, is_cut: bool) -> str:
    """The counts that are not zero, each with its noun in the right number."""
    parts = [_counted(count, noun) for noun, count in counts.items() if count]
    sentence = ", ".join(parts) or NOTHING
    return f"{sentence} (in the rows that were compared)" if is_cut else sentence


def _counted(count: int, noun: str) -> str:
    noun, _, happened = noun.rpartition(" ")
    return f"{count:,} {noun}{'' if count == 1 else 's'} {happened}"
