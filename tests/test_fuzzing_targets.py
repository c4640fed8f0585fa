"""What the fuzzer calls holds for its seeds, and for some bytes that were changed in them."""

from random import Random

import pytest

from fuzzing.seeds import SEEDS
from fuzzing.targets import TARGETS


@pytest.mark.parametrize("name", TARGETS)
def test_seeds_and_their_neighbours_pass(name: str) -> None:
    chance = Random(14)
    for seed in SEEDS[name]:
        TARGETS[name](seed)
        for _ in range(30):
            changed = bytearray(seed)
            for _ in range(chance.randint(1, 4)):
                changed[chance.randrange(len(changed))] = chance.randrange(256)
            TARGETS[name](bytes(changed))


def test_every_target_has_seeds() -> None:
    assert set(SEEDS) == set(TARGETS)
