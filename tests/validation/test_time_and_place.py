"""Columns of times and places are known by their names in several languages, or by their values."""

import pytest

from crawler.validation.geography import is_geography
from crawler.validation.time_columns import TimeName, mentions_time, time_name


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Year", TimeName.YEAR),
        ("refYear", TimeName.YEAR),
        ("Année", TimeName.YEAR),
        ("Année scolaire", TimeName.YEAR),
        ("Jahr", TimeName.YEAR),
        ("Año", TimeName.YEAR),
        ("年", TimeName.YEAR),
        ("TIME_PERIOD", TimeName.PERIOD),
        ("Perioden", TimeName.PERIOD),
        ("Date de référence", TimeName.DATE),
        ("Datum", TimeName.DATE),
        ("month", TimeName.PART),
        ("Quartal", TimeName.PART),
        ("Births in the year", None),
        ("data", None),
        ("Age", None),
        ("", None),
        ("2020", None),
    ],
)
def test_a_whole_name_promises_a_time(name: str, expected: TimeName | None) -> None:
    assert time_name(name) is expected


def test_a_name_may_mention_a_time_among_other_words() -> None:
    assert mentions_time("Year of birth of the mother")
    assert not mentions_time("Births")


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("country", ["x"]),
        ("Pays", ["x"]),
        ("Bundesland", ["x"]),
        ("REF_AREA", ["x"]),
        ("都道府県", ["x"]),
        ("unit", ["FR", "DE", "IT", "ES"]),
        ("code", ["FRA", "DEU", "ITA"]),
        ("code", ["FR101", "FR102", "DE11", "ITC4"]),
        ("", ["France", "Espagne", "Allemagne", "Ensemble"]),
        ("", ["United Kingdom", "South Africa", "Peru"]),
    ],
)
def test_a_column_of_places_is_known(name: str, values: list[str]) -> None:
    assert is_geography(name, values, numeric=False)


@pytest.mark.parametrize(
    ("name", "values"),
    [("sex", ["M", "F", "T"]), ("flag", ["NO"]), ("unit", ["PC", "THS", "EUR"]), ("", [])],
)
def test_other_codes_are_no_places(name: str, values: list[str]) -> None:
    assert not is_geography(name, values, numeric=False)


def test_a_number_is_a_place_only_when_its_name_says_no_more() -> None:
    assert is_geography("commune code", ["75056"], numeric=True)
    assert not is_geography("area km2", ["75056"], numeric=True)
