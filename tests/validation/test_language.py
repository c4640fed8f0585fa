"""The language of a file is told by its script or its small words, or not at all."""

import pytest

from crawler.validation.language import LANGUAGES, language_of


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("en", ["Region", "Year", "Value"]),
        ("fr", ["Pays", "Année", "Valeur"]),
        ("de", ["Jahr", "Güterart", "Preis in €", "Veränderung – Vorjahr"]),
        ("es", ["Año", "Valor", "Región"]),
        ("it", ["Regione", "Anno", "Valore"]),
        ("pt", ["Ano", "Valor", "Região"]),
        ("nl", ["Perioden", "Regio's", "Bevolking"]),
        ("sv", ["Befolkning efter kommun och kön", "Antal"]),
        ("da", ["Befolkning efter køn og alder", "Antal"]),
        ("pl", ["Ludność według płci", "Rok"]),
        ("cs", ["Obyvatelstvo podle pohlaví", "Rok", "Počet"]),
        ("fi", ["Väestö iän ja sukupuolen mukaan", "Vuosi"]),
        ("hu", ["A népesség száma nem és kor szerint", "Év"]),
        ("ro", ["Populație pe sexe și vârstă", "An"]),
        ("ja", ["都道府県", "人口"]),
        ("ja", ["にんこう"]),
        ("zh", ["地区", "人口"]),
        ("ko", ["인구", "연도"]),
        ("ru", ["Год", "Население"]),
        ("uk", ["Рік", "Населення", "Кількість"]),
        ("el", ["Έτος", "Πληθυσμός"]),
        ("ar", ["السنة", "السكان"]),
        ("he", ["שנה", "אוכלוסייה"]),
        ("th", ["ปี", "ประชากร"]),
    ],
)
def test_a_header_tells_its_language(language: str, texts: list[str]) -> None:
    assert language_of(texts) == language
    assert language in LANGUAGES


@pytest.mark.parametrize(
    "texts", [[], ["geo", "time", "obs"], ["FREQ", "GEO", "OBS_VALUE"], ["1", "2"], ["la de en"]]
)
def test_too_little_tells_nothing(texts: list[str]) -> None:
    assert language_of(texts) == ""


def test_a_huge_text_is_judged_by_its_beginning() -> None:
    assert language_of(["the population of the country ", "x" * 10_000_000]) == "en"
