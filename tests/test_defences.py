"""Every attack has defences whose absence can be tried, and each stands in the code once."""

import re
import tomllib

import pytest

from benchmarks.defences import LIST, ROOT, Defence

DEFENCES = [Defence(**each) for each in tomllib.loads(LIST.read_text())["defence"]]


def test_every_attack_has_a_defence() -> None:
    assert {defence.attack for defence in DEFENCES} == set(range(1, 18))


@pytest.mark.parametrize("defence", DEFENCES, ids=lambda defence: defence.what)
def test_a_defence_can_be_taken_away(defence: Defence) -> None:
    """Who changes such a line changes benchmarks/attacks.toml, and runs benchmarks.defences."""
    assert defence.present in (ROOT / defence.file).read_text()
    assert defence.present not in defence.absent
    for test in defence.tests:
        file, _, name = test.partition("::")
        text = (ROOT / file).read_text()
        assert not name or re.search(rf"^def {name}\(", text, re.MULTILINE), test
