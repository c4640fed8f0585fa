"""Words as the search compares them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.catalog.search.words import MAX_WORD, MAX_WORDS, normalised, words_asked, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Births, Deaths", ["births", "deaths"]),
        ("Établissements d'été", ["etablissements", "d", "ete"]),
        ("STRAẞE straße", ["strasse"]),
        ("Øresund Łódź", ["oresund", "lodz"]),
        ("births_2024-final.csv", ["births", "2024", "final", "csv"]),
        ("人口統計", ["人", "口", "統", "計"]),
        ("ﬁsh ①", ["fish", "1"]),
        ("", []),
        ("--- !", []),
    ],
)
def test_words_have_no_case_accents_and_marks(text, words):
    assert words_asked(text) == words


def test_parts_of_joined_words_are_words_too():
    assert words_of(["PopulationByRegion2024"], 50) == [
        "2024",
        "by",
        "population",
        "populationbyregion",
        "populationbyregion2024",
        "region2024",
    ]


def test_words_are_bounded_in_length_and_number():
    assert words_asked("x" * 500) == ["x" * MAX_WORD]
    assert len(words_asked(" ".join(f"w{number}" for number in range(100)))) == MAX_WORDS
    assert len(words_of((f"w{number}" for number in range(100)), 20)) == 20


@given(st.text())
def test_words_hold_letters_and_digits_only(text):
    for word in words_asked(text):
        assert word.isalnum()
        assert word
    assert words_asked(text) == words_asked(normalised(text))


@given(st.text(max_size=30))
def test_what_is_asked_as_written_is_among_the_words(text):
    asked = words_asked(text)
    assert set(asked) <= set(words_of([text], 1000))
