"""Text from elsewhere is one short printable line before it stands in a sentence."""

from hypothesis import given
from hypothesis import strategies as st

from crawler.validation.plain import listed, plain


@given(st.text(max_size=400), st.integers(min_value=1, max_value=100))
def test_any_text_becomes_one_printable_line(text: str, limit: int) -> None:
    found = plain(text, limit)

    assert len(found) <= limit
    assert found.isprintable()
    assert found == found.strip()


def test_words_stay_and_what_is_cut_is_marked() -> None:
    assert plain(" Births\n in\t1990\u202e ") == "Births in 1990"
    assert plain("x" * 90) == "x" * 79 + "…"


def test_long_lists_say_how_many_more_there_are() -> None:
    assert listed(["a", "", "b"]) == "a, (no name), b"
    assert listed([str(number) for number in range(20)], most=2) == "0, 1 and 18 more"
