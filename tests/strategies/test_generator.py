"""The seeded generator of a crawl."""

import json

from crawler.strategies.generator import Generator


def draws(generator: Generator, count: int = 50) -> list[int]:
    return [generator.below(end) for end in range(1, count + 1)]


def test_numbers_lie_below_the_end() -> None:
    assert all(0 <= number < end for end, number in enumerate(draws(Generator(1)), start=1))


def test_same_seed_draws_the_same_numbers() -> None:
    assert draws(Generator(7)) == draws(Generator(7))
    assert draws(Generator(7)) != draws(Generator(8))


def test_generator_goes_on_from_its_state_in_json() -> None:
    living, reloaded = Generator(3), Generator(99)
    for count in range(1, 20):
        # An odd number of small draws leaves half a word in the generator's buffer.
        draws(living, count)
        reloaded.load(json.loads(json.dumps(living.save())))
        assert draws(Generator(99), 5) != draws(reloaded, 5)
        reloaded.load(json.loads(json.dumps(living.save())))
        assert draws(reloaded) == draws(living)
