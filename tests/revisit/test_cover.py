"""The greedy cover."""

from crawler.revisit.cover import greedy_cover


def test_each_choice_adds_the_most_that_is_not_covered() -> None:
    sets = {1: {1, 2, 3, 4}, 2: {3, 4, 5}, 3: {5, 6}, 4: {1, 2}}
    assert greedy_cover(sets, 5) == [(1, 4), (3, 2)]


def test_budget_ends_the_cover() -> None:
    assert greedy_cover({1: {1}, 2: {2, 3}}, 1) == [(2, 2)]
    assert greedy_cover({1: set()}, 3) == []


def test_lazy_choice_equals_the_plain_one() -> None:
    sets = {key: {(key * step) % 37 for step in range(1, 2 + key % 9)} for key in range(40)}
    covered: set[int] = set()
    plain = []
    while True:
        best = max(sets, key=lambda key: (len(sets[key] - covered), -key))
        if not sets[best] - covered:
            break
        plain.append((best, len(sets[best] - covered)))
        covered |= sets[best]
    assert [gain for _, gain in greedy_cover(sets, 40)] == [gain for _, gain in plain]
