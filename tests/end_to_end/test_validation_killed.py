"""A validation that is killed again and again says what an uninterrupted one says, once each."""

import random
import shutil
from pathlib import Path

import pytest

from tests.end_to_end.killed_validation import SITE, Validation, fill
from tests.pipeline.acquired import acquired_in

FILES = 220


@pytest.mark.slow
def test_killed_validation_gives_the_same_verdicts_once_each(tmp_path: Path) -> None:
    whole, killed = acquired_in(tmp_path / "whole"), acquired_in(tmp_path / "killed")
    fill(whole, FILES)
    shutil.copytree(whole.settings.home, killed.settings.home)

    uninterrupted = Validation(whole)
    uninterrupted.to_the_end()
    expected = uninterrupted.verdicts()
    [(versions,)] = whole.rows("SELECT count(*) FROM version")
    assert len(expected) == versions > FILES
    assert {row[1] for row in expected} == {
        "valid",
        "suspect",
        "document",
        "broken",
        "not_a_dataset",
    }

    interrupted = Validation(killed)
    chance = random.Random(2026)
    for longest in (0.5, 2.5, 2.5):  # while it imports, starts its readers, reads
        interrupted.kill(0, chance.random() * longest)
    # Verdicts come in a few waves; each of these waits for the next one.
    assert interrupted.interrupt(interrupted.judged() + 1) == 130
    assert 0 < interrupted.judged() < len(expected)
    interrupted.kill(interrupted.judged() + 1, 0)
    interrupted.kill(interrupted.judged(), chance.random() * 2.5)
    interrupted.kill(interrupted.judged() + 1, chance.random() * 0.05)
    assert interrupted.judged() < len(expected)
    interrupted.kill(len(expected), chance.random() * 0.2)  # while it makes the Data Docs
    interrupted.to_the_end()

    assert interrupted.verdicts() == expected
    assert pages(killed.settings.home) == pages(whole.settings.home)


def pages(home: Path) -> set[str]:
    folder = home / "store" / "data-docs" / SITE
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
