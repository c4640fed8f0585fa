"""What files are called, and which are the same data."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.catalog.write.titles import MAX_TITLE, dataset_key, name_in_url, title_of, url_key

PAGE = "https://stats.example.org/population.html"
SUBJECT = st.lists(
    st.sampled_from(["Births", "Décès", "région", "2024", "employment", "Haushalte", "価格"]),
    min_size=1,
    max_size=5,
    unique=True,
).filter(lambda words: words != ["2024"])
MARK = st.sampled_from(
    ["(CSV, 12 KB)", "[xlsx]", "(PDF - 1.2 MB)", "- Excel", "csv 12 Ko", "(XLSX; 45,3 ko)", "| ods"]
)
VERB = st.sampled_from(["Download", "Télécharger :", "Download the", "Descargar", "Download CSV:"])


@pytest.mark.parametrize(
    ("anchor", "file_name", "page_title", "expected"),
    [
        ("Births 2023 (CSV, 12 KB)", "b.csv", "Population", "Births 2023"),
        ("Population data - Excel 1.2 MB", "", "", "Population data"),
        ("Download the births table in CSV format", "", "", "births table"),
        ("Naissances 2023 .xlsx 45 Ko", "", "", "Naissances 2023"),
        ("Download CSV: Births", "", "", "Births"),
        ("Income by region (2019-2020) [pdf]", "", "", "Income by region (2019-2020)"),
        ("出生数 (CSV)", "", "人口", "出生数"),
        ("Excel skills survey", "", "", "Excel skills survey"),
        ("Members of the EU 27 (csv)", "", "", "Members of the EU 27"),
        ("Table 1b", "", "Labour", "Labour – Table 1b"),
        ("Download", "x.csv", "Births | Statistics Office", "Births"),
        ("Download", "deaths.csv", "Population | Statistics Office", "Population – deaths"),
        ("CSV", "births-2023.csv", "Births in 2023", "Births in 2023"),
        ("CSV", "births-2024.csv", "Births", "Births – 2024"),
        ("2024", "a.csv", "Births", "Births – 2024"),
        ("Table 12", "t12.csv", "Labour force", "Labour force – Table 12"),
        ("Télécharger le fichier (XLSX)", "naissances_fr.xlsx", "Naissances", "Naissances"),
        ("xlsx", "population_by_age_en.xlsx", "", "population by age"),
        ("", "0f3a99d1c2.csv", "", "0f3a99d1c2.csv"),
        ("click here", "9f8e7d6c5b4a.zip", "Prices", "Prices"),
    ],
)
def test_title_tells_what_the_file_is(
    anchor: str, file_name: str, page_title: str, expected: str
) -> None:
    assert title_of(anchor, file_name, page_title, "https://a.example/") == expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://a.example/files/population_by_age.csv?x=1", "population by age"),
        ("https://a.example/", "https://a.example/"),
        ("https://[broken/", "https://[broken/"),
        ("", "?"),
    ],
)
def test_title_comes_from_the_url_when_nothing_else_tells_it(url: str, expected: str) -> None:
    assert title_of("", "", "", url) == expected


@given(SUBJECT, MARK, VERB)
def test_words_about_format_and_size_do_not_matter(words: list[str], mark: str, verb: str) -> None:
    subject = " ".join(words)
    assert title_of(f"{subject} {mark}", "", "", "") == subject
    assert title_of(f"{verb} {subject} {mark}", "", "", "") == subject


@given(st.text(), st.text(), st.text(), st.text())
def test_title_of_anything_can_be_stored_and_shown(
    anchor: str, file_name: str, page_title: str, url: str
) -> None:
    title = title_of(anchor, file_name, page_title, url)
    assert 0 < len(title) <= MAX_TITLE
    assert title == " ".join(title.split())
    assert not re.search("[\x00-\x1f\ud800-\udfff]", title)
    title.encode()


@given(st.text(alphabet=st.characters(codec=None), max_size=50))
def test_key_of_anything_is_32_digits(text: str) -> None:
    for key in (dataset_key("s", text, text), url_key(text)):
        assert re.fullmatch("[0-9a-f]{32}", key)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Births by Région", "births BY region"), ("Births, 2023", "Births 2023"), ("é", "e\u0301")],
)
def test_key_ignores_case_accents_and_marks(one: str, other: str) -> None:
    assert dataset_key("s", PAGE, one) == dataset_key("s", f"{PAGE}#top", other)


@pytest.mark.parametrize(
    "other",
    [("t", PAGE, "Births 2023"), ("s", PAGE + "l", "Births 2023"), ("s", PAGE, "Births 2024")],
)
def test_other_site_page_or_title_is_other_data(other: tuple[str, str, str]) -> None:
    assert dataset_key("s", PAGE, "Births 2023") != dataset_key(*other)


@given(st.sampled_from(["csv", "xlsx", "ods", "json"]), st.sampled_from(["", "_en", "-fr", "_de"]))
def test_formats_and_languages_of_one_file_are_one_dataset(extension: str, language: str) -> None:
    name = f"births_by_region{language}.{extension}"
    assert title_of(extension.upper(), name, "Population", "") == "Population – births region"


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://a.example/x/d%C3%A9c%C3%A8s.csv?v=2#a", "décès.csv"),
        ("https://a.example/x/", "x"),
        ("https://a.example", ""),
        ("https://[a/b.csv", ""),
    ],
)
def test_name_in_url_is_the_last_part_of_its_path(url: str, name: str) -> None:
    assert name_in_url(url) == name
