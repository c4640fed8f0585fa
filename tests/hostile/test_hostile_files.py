"""Files that were made to hurt: each reader stays within its bounds, and the reasons are true.

Every group has a pool and a judge of its own, so that test workers share the work.
"""

from collections.abc import Sequence
from pathlib import Path

import pytest

from crawler.validation.outcome import Outcome
from tests.hostile import (
    archives,
    columnar_files,
    json_files,
    ods_files,
    old_files,
    pdf_files,
    texts,
    xlsx_files,
    xml_files,
)
from tests.hostile.measured import BOUNDS, READERS_AT_ONCE, judge_hostile, most_at_once
from tests.hostile.specimen import Hostile

pytestmark = pytest.mark.slow

GROUPS: dict[str, Sequence[Hostile]] = {
    "texts": texts.SPECIMENS,
    "json": json_files.SPECIMENS,
    "xml": xml_files.SPECIMENS,
    "xlsx": xlsx_files.SPECIMENS,
    "ods": ods_files.SPECIMENS,
    "xls": old_files.SPECIMENS,
    "pdf": pdf_files.SPECIMENS,
    "archives": archives.SPECIMENS,
    "columnar": columnar_files.SPECIMENS,
}
WARM = 400 * 1000**2
"""More than a reader has before it reads anything: its libraries."""


@pytest.mark.parametrize("group", GROUPS)
def test_hostile_files_are_judged_truly_and_within_the_bounds(group: str, tmp_path: Path) -> None:
    judged = judge_hostile(GROUPS[group], tmp_path)
    untrue = {
        one.hostile.name: mistakes
        for one in judged
        if (mistakes := one.hostile.mistakes(*_said(one.outcome)))
    }
    assert untrue == {}
    peaks = {one.hostile.name: one.read.peak for one in judged if one.read is not None}
    assert {name: peak for name, peak in peaks.items() if peak > WARM + BOUNDS.memory} == {}
    together = most_at_once([one.read for one in judged if one.read is not None])
    assert together <= READERS_AT_ONCE * (WARM + BOUNDS.memory)


def _said(outcome: Outcome) -> tuple[str, list[str], int | None]:
    return outcome.verdict.value, [reason.code for reason in outcome.reasons], outcome.rows


def test_there_are_200_hostile_files_of_every_format() -> None:
    every = [hostile for group in GROUPS.values() for hostile in group]
    assert len({hostile.name for hostile in every}) == len(every) >= 200
