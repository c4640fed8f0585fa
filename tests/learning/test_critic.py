"""The critic: how similar a page is to relevant ones."""

from math import sqrt

import pytest

from crawler.learning.critic import MAX_PAGES, Critic, TextVector, vector_of

BIRTHS = "births by region and month"
PRICES = "consumer prices of food in may"


def test_short_sentences_are_left_out() -> None:
    assert len(vector_of("Home. About us. Contact the office now!\nRead more").ngrams) == 0
    assert len(vector_of(BIRTHS).ngrams) == 5 + 4 + 3
    assert len(vector_of(f"{BIRTHS}. Home. {BIRTHS}!\n{PRICES}").ngrams) == 12 + 6 + 5 + 4


def test_cosine_counts_1_2_and_3_grams() -> None:
    mine, same = vector_of(BIRTHS), vector_of(BIRTHS.upper() + "!\n")
    assert mine.cosine(same) == pytest.approx(1)
    assert mine.cosine(vector_of(PRICES)) == 0
    # In common: four words, "births by", "by region", "region and", and two 3-grams of 12 each.
    other = vector_of("births by region and year")
    assert mine.cosine(other) == pytest.approx(9 / 12)
    # A word that stands twice weighs twice: (2 + 11) against the lengths of both.
    twice = TextVector(mine.ngrams, mine.weights * sqrt(12) + [1, *([0] * 11)])
    length = sqrt(4 + 11)
    assert mine.cosine(TextVector(twice.ngrams, twice.weights / length)) == pytest.approx(
        13 / (sqrt(12) * length)
    )


def test_score_is_the_mean_of_the_similarities() -> None:
    critic = Critic(threshold=0)
    page = vector_of(BIRTHS)
    assert critic.score(page) == 0
    for text in (BIRTHS, PRICES, "births by region and year"):
        critic.add(vector_of(text))
    assert critic.score(page) == pytest.approx((1 + 0 + 9 / 12) / 3)


def test_pages_that_have_little_to_do_with_the_others_are_removed() -> None:
    critic = Critic(threshold=0.2)
    for text in (BIRTHS, "births by region and year", PRICES):
        critic.add(vector_of(text))
    assert critic.prune()
    assert critic.score(vector_of(PRICES)) == 0
    assert len(critic.pages) == 2
    assert not critic.prune()


def test_lone_page_stays() -> None:
    critic = Critic(threshold=0.9)
    critic.add(vector_of(BIRTHS))
    assert not critic.prune()
    assert critic.score(vector_of(BIRTHS)) == pytest.approx(1)


def test_number_of_pages_is_bounded() -> None:
    critic = Critic(threshold=0)
    for number in range(MAX_PAGES + 5):
        critic.add(vector_of(f"{BIRTHS} number {number}"))
    assert len(critic.pages) == MAX_PAGES


def test_vector_comes_back_from_bytes() -> None:
    vector = vector_of(BIRTHS)
    assert TextVector.load(vector.save()).cosine(vector) == pytest.approx(1)
