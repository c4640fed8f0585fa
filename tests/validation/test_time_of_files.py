"""A file of a few hundred kilobytes is read long before its time is over, whatever is in it."""

from pathlib import Path

import pytest

from tests.validation.test_memory_of_files import inspected

pytestmark = pytest.mark.slow

STRAND = "ACGT" * 60_000


@pytest.mark.parametrize(
    "cells", [[STRAND], ["x" * 300_000] * 3, ["word. " * 40_000]], ids=["dna", "letters", "prose"]
)
def test_long_words_do_not_end_in_the_timeout(cells: list[str], tmp_path: Path) -> None:
    """With an expression of quadratic time, a word of 300,000 letters took the 120 seconds."""
    rows = [f"{number},{cell}" for number, cell in enumerate(cells)]
    (tmp_path / "a.csv").write_text("\n".join(["name,sequence", *rows, ""]))
    [result] = inspected([tmp_path / "a.csv"])
    assert result.trouble is None, result.detail
