"""What tables are about: periods, places and values, within bounds."""

from io import BytesIO

import pytest

from crawler.readers.reading import read_content
from crawler.validation.coverage import MAX_PLACES
from crawler.validation.inspection import InspectionRequest, inspect_content
from crawler.validation.outcome import Coverage, Frequency


def coverage(text: str) -> Coverage:
    content = read_content(BytesIO(text.encode()), name="a.csv", declared="text/csv")
    return inspect_content(content, InspectionRequest(name="a.csv")).coverage


def table(header: str, lines: list[str]) -> str:
    return "\n".join([header, *lines, ""])


def test_long_table_has_its_periods_places_and_values() -> None:
    lines = [
        f"{year},{region},{sex},{10 * year + len(region)}"
        for year in range(2001, 2020)
        for region in ("Corsica", "Brittany")
        for sex in ("women", "men")
    ]
    found = coverage(table("year,region,sex,births", lines))
    assert found == Coverage(
        period_start="2001",
        period_end="2019",
        frequency=Frequency.YEAR,
        places=("Corsica", "Brittany"),
        values=("women", "men"),
    )


def test_wide_table_has_periods_and_places_in_its_header() -> None:
    years = table("region,2015,2016,2017", ["Corsica,1,2,3", "Brittany,4,5,6", "Normandy,7,8,9"])
    found = coverage(years)
    assert (found.period_start, found.period_end) == ("2015", "2017")
    assert found.places == ("Corsica", "Brittany", "Normandy")
    lines = [f"{year},1,2,3" for year in range(1990, 2000)]
    assert coverage(table("year,France,Germany,Spain", lines)).places == (
        "France", "Germany", "Spain",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("first", "last", "frequency"),
    [
        ("2019-01", "2019-06", Frequency.MONTH),
        ("2019-Q1", "2020-Q2", Frequency.QUARTER),
        ("2019/20", "2020/21", Frequency.YEAR),
        ("2019-01-31", "2019-02-03", Frequency.DAY),
    ],
)
def test_frequency_is_that_of_the_periods(first: str, last: str, frequency: Frequency) -> None:
    found = coverage(table("period;value", [f"{first};1,5", f"{last};2,5"]))
    assert found.frequency is frequency


def test_places_and_values_are_bounded() -> None:
    lines = [f"Commune {number},name {number},{number}" for number in range(3000)]
    found = coverage(table("commune,label,value", lines))
    assert len(found.places) == MAX_PLACES
    assert found.values == ()
