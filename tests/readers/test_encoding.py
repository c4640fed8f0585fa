"""Texts in the encodings of statistics offices, which say nothing of it themselves."""

import io

import pytest

from crawler.readers.encoding import encoding_of, sample_of

TEXTS = {
    "fr": (
        "cp1252",
        "Région;Département\nÎle-de-France;Val-d'Oise\nProvence-Côte d'Azur;Var\nLozère;\n",
    ),
    "fr, two accents": ("cp1252", "Periode;Valeur\n2020;1\nLozère;3\nCorrèze;5\n"),
    "de": ("cp1252", "Bundesland;Bevölkerung\nBaden-Württemberg;11000\nThüringen;2100\n"),
    "es": ("cp1252", "Año;Comunidad;Población\n2020;Castilla y León;100\n2020;Cataluña;200\n"),
    "sv": ("cp1252", "Län;Folkmängd\nÖstergötland;460\nJämtland;130\nGävleborg;280\n"),
    "pl": ("cp1250", "Województwo;Ludność\nŚląskie;4500\nŁódzkie;2400\nŚwiętokrzyskie;1200\n"),
    "cs": ("cp1250", "Kraj;Počet obyvatel\nStředočeský;1300\nJihočeský;640\nPlzeňský;580\n"),
    "ru": ("cp1251", "Регион;Население\nМосковская область;8500\nКалининградская область;1000\n"),
    "el": ("cp1253", "Περιφέρεια;Πληθυσμός\nΑττική;3800\nΚρήτη;620\n"),
    "tr": ("cp1254", "İl;Nüfus\nİstanbul;15000\nEskişehir;900\nMuğla;1000\n"),
    "lt": ("cp1257", "Apskritis;Gyventojų skaičius\nŠiaulių;270\nPanevėžio;220\n"),
    "ja": ("shift_jis", "都道府県,人口,年\n北海道,5224,2020\n青森県,1237,2020\n"),
    "ja, extended": ("cp932", "番号,都道府県\n①,北海道\n②,青森県\n③,岩手県\n"),
    "ja, unix": ("euc_jp", "都道府県,人口,年\n北海道,5224,2020\n青森県,1237,2020\n"),
    "zh": ("gb18030", "地区,人口,年份\n北京,2189,2020\n上海,2487,2020\n天津,1387,2020\n"),
    "ko": ("euc_kr", "지역,인구,연도\n서울특별시,9668,2020\n부산광역시,3391,2020\n"),
}


@pytest.mark.parametrize(("encoding", "text"), TEXTS.values(), ids=TEXTS)
def test_encoding_of_an_office_is_found(encoding, text):
    found = encoding_of([text.encode(encoding)])
    assert found is not None
    assert text.encode(encoding).decode(found) == text


@pytest.mark.parametrize("text", [text for _, text in TEXTS.values()], ids=TEXTS)
@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"],
)
def test_unicode_is_found_with_and_without_a_mark(text, encoding):
    found = encoding_of([text.encode(encoding)])
    assert found == encoding


def test_names_of_encodings_are_those_people_know():
    assert encoding_of([TEXTS["ja"][1].encode("shift_jis")]) == "shift_jis"
    assert encoding_of([b"a,b\n1,2\n"]) == "utf-8"
    assert encoding_of(["Code;Libellé\n01;Ain\n".encode("latin-1")]) == "cp1252"


def test_declared_charset_helps_where_it_fits():
    data = "ключ;значение\n".encode("koi8-r")
    assert encoding_of([data], "text/csv; charset=koi8-r") == "koi8-r"
    # A server's default says nothing of the file.
    assert encoding_of([TEXTS["ru"][1].encode("cp1251")], "text/csv; charset=utf-8") == "cp1251"


def test_accents_far_into_the_file_are_seen():
    data = b"a,b\n" * 200_000 + "Lozère,Ardèche\n".encode("cp1252") * 40_000
    assert encoding_of(sample_of(io.BytesIO(data))) == "cp1252"


def test_one_broken_letter_does_not_change_the_encoding():
    data = "Île,Côte\n".encode() * 100 + b"\xe9\n"
    assert encoding_of([data]) == "utf-8"


def test_stray_zero_is_no_reason_to_call_a_text_binary():
    assert encoding_of([b"a,b\n1,2\n" * 1000 + b"\x00"]) == "utf-8"


@pytest.mark.parametrize("data", [bytes(100), bytes(range(256)) * 20, b"\x01\x02\x03\x04" * 9])
def test_what_is_no_text_has_no_encoding(data):
    assert encoding_of([data]) is None
