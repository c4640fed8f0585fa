"""Quotes that were never closed swallow nothing."""

import io

import pytest

from crawler.readers import quotes
from crawler.readers.quotes import MAX_LINES_OF_A_VALUE, STAND_IN, set_stray_quotes_aside
from crawler.readers.reading import read_content

ROWS = [f"region {number},{number}" for number in range(3 * MAX_LINES_OF_A_VALUE)]


def table_of(text: str):
    content = read_content(io.BytesIO(text.encode()), name="a.csv")
    assert content.trouble is None, content.detail
    return content.tables[0]


@pytest.mark.parametrize(
    ("opening", "closing"),
    [('"Sud,2', '"Ost,3'), ('5,"6', 'Ost",3'), ('"Sud,2', 'Ost"",3"')],
)
def test_lines_between_two_quotes_that_were_never_closed_are_rows(
    opening: str, closing: str
) -> None:
    lines = ["region,births", *ROWS, opening, *ROWS, closing, *ROWS]
    table = table_of("\n".join(lines) + "\n")
    assert table.rows == 3 * len(ROWS) + 2


def test_one_quote_that_was_never_closed_costs_its_own_row() -> None:
    lines = ["region,births", *ROWS, '"Sud,2', *ROWS]
    assert table_of("\n".join(lines) + "\n").rows == 2 * len(ROWS) + 1


@pytest.mark.parametrize("piece", [7, 64, 1024**2])
def test_values_of_some_lines_stay_whole(monkeypatch: pytest.MonkeyPatch, piece: int) -> None:
    monkeypatch.setattr(quotes, "_PIECE", piece)
    monkeypatch.setattr(quotes, "MAX_LINES_OF_A_VALUE", 3)
    kept = b'a,b\n"x\n,y\n,z",1\n"u\nv",2\n'
    assert set_stray_quotes_aside(kept, ",") == kept
    swallowed = b'"p,1\n' + b"c,d\n" * 5 + b'q",2\n'
    stand_in = STAND_IN.encode()
    expected = kept + swallowed.replace(b'"', stand_in) + kept
    assert set_stray_quotes_aside(kept + swallowed + kept, ",") == expected


def test_a_long_text_without_separators_stays_one_value() -> None:
    text = b'a,b\n1,"' + b"a line of prose\n" * 2 * MAX_LINES_OF_A_VALUE + b'"\n'
    assert set_stray_quotes_aside(text, ",") == text
