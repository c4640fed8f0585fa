"""Delimited text in the encodings that statistics offices use."""

import codecs

from crawler.readers.kinds import Kind
from crawler.validation.outcome import ColumnRole, ColumnType, Judgement
from tests.validation.corpus.figures import (
    births,
    csv_text,
    french_text,
    naissances,
)
from tests.validation.corpus.specimen import Expected, Specimen, text_of

JAPANESE = "\r\n".join(
    [
        "年,都道府県,人口,出生率",
        *(
            f"{year},{name},{people + year},{rate}"
            for year in range(2015, 2021)
            for name, people, rate in (
                ("北海道", 5_381_000, 1.31),
                ("東京都", 13_515_000, 1.24),
                ("大阪府", 8_839_000, 1.39),
                ("沖縄県", 1_433_000, 1.96),
            )
        ),
        "",
    ]
)
RUSSIAN = "\r\n".join(
    [
        "Год;Регион;Население;Рождаемость",
        *(
            f"{year};{name};{people + year};{rate}".replace(".", ",")
            for year in range(2015, 2021)
            for name, people, rate in (
                ("Москва", 12_197_000, 11.6),
                ("Санкт-Петербург", 5_191_000, 13.6),
                ("Новосибирская область", 2_746_000, 14.2),
                ("Приморский край", 1_933_000, 12.7),
            )
        ),
        "",
    ]
)
POLISH = "\r\n".join(
    [
        "Rok;Województwo;Ludność;Wskaźnik",
        *(
            f"{year};{name};{people + year};{rate}".replace(".", ",")
            for year in range(2015, 2021)
            for name, people, rate in (
                ("Łódzkie", 2_493_000, 9.1),
                ("Śląskie", 4_570_000, 9.3),
                ("Małopolskie", 3_372_000, 10.7),
                ("Świętokrzyskie", 1_257_000, 8.4),
            )
        ),
        "",
    ]
)
CHINESE = "\r\n".join(
    [
        "年份,地区,人口,出生率",
        *(
            f"{year},{name},{people + year},{rate}"
            for year in range(2015, 2021)
            for name, people, rate in (
                ("北京市", 21_705_000, 7.96),
                ("上海市", 24_153_000, 7.52),
                ("广东省", 108_490_000, 11.12),
                ("四川省", 82_040_000, 10.3),
            )
        ),
        "",
    ]
)
GERMAN_PRICES = "\r\n".join(
    [
        "Jahr;Güterart;Preis in €;Veränderung – Vorjahr",
        *(
            f"{year};{name};{price + (year - 2015) * 0.25:.2f};{(year - 2014) / 10}".replace(
                ".", ","
            )
            for year in range(2015, 2021)
            for name, price in (("„Brötchen“", 0.35), ("Käse", 8.9), ("Öl…", 1.29), ("Müsli", 2.5))
        ),
        "",
    ]
)


def of(
    encoding: str, *, header: tuple[str, ...], delimiter: str = ",", decimal: str = "."
) -> Expected:
    """A table of 24 rows: a year, a place, people, a rate."""
    return Expected(
        rows=24,
        width=4,
        names=header,
        types=dict(
            zip(
                header,
                (ColumnType.INTEGER, ColumnType.TEXT, ColumnType.INTEGER, ColumnType.NUMBER),
                strict=True,
            )
        ),
        roles={header[0]: ColumnRole.TIME},
        encoding=encoding,
        delimiter=delimiter,
        decimal=decimal,
    )


def written(
    name: str, text: str, encoding: str, table: Expected, *, mark: bytes = b"", language: str
) -> Specimen:
    """A valid file of one table in an encoding."""
    return Specimen(
        name,
        lambda: mark + text.encode(encoding),
        Kind.DELIMITED,
        Judgement.VALID,
        file_name=f"{name}.csv",
        declared="text/csv",
        tables=(table,),
        language=language,
    )


_JA = ("年", "都道府県", "人口", "出生率")
_ZH = ("年份", "地区", "人口", "出生率")
_RU = ("Год", "Регион", "Население", "Рождаемость")
_PL = ("Rok", "Województwo", "Ludność", "Wskaźnik")

SPECIMENS = (
    written("utf-8", csv_text(), "utf-8", births(encoding="utf-8", delimiter=","), language="en"),
    written(
        "utf-8-mark",
        french_text(),
        "utf-8",
        naissances(encoding="utf-8-sig"),
        mark=codecs.BOM_UTF8,
        language="fr",
    ),
    written("latin-1", french_text(), "latin-1", naissances(encoding="latin-1"), language="fr"),
    Specimen(
        "windows-1252",
        text_of(GERMAN_PRICES, "cp1252"),
        Kind.DELIMITED,
        Judgement.VALID,
        file_name="preise.csv",
        tables=(
            Expected(
                rows=24,
                names=("Jahr", "Güterart", "Preis in €", "Veränderung – Vorjahr"),
                types={"Preis in €": ColumnType.NUMBER},
                encoding="cp1252",
                delimiter=";",
                decimal=",",
            ),
        ),
        language="de",
    ),
    written(
        "utf-16-little-mark",
        french_text(),
        "utf-16-le",
        naissances(encoding="utf-16"),
        mark=codecs.BOM_UTF16_LE,
        language="fr",
    ),
    written(
        "utf-16-big-mark",
        french_text(),
        "utf-16-be",
        naissances(encoding="utf-16"),
        mark=codecs.BOM_UTF16_BE,
        language="fr",
    ),
    written(
        "utf-16-little", csv_text("\t"), "utf-16-le", births(encoding="utf-16-le"), language="en"
    ),
    written("utf-16-big", csv_text(), "utf-16-be", births(encoding="utf-16-be"), language="en"),
    written(
        "utf-32-mark",
        csv_text(),
        "utf-32-le",
        births(encoding="utf-32"),
        mark=codecs.BOM_UTF32_LE,
        language="en",
    ),
    written("shift-jis", JAPANESE, "cp932", of("cp932", header=_JA), language="ja"),
    written("euc-jp", JAPANESE, "euc_jp", of("euc_jp", header=_JA), language="ja"),
    written("utf-8-japanese", JAPANESE, "utf-8", of("utf-8", header=_JA), language="ja"),
    written("gb18030", CHINESE, "gb18030", of("gb18030", header=_ZH), language="zh"),
    written(
        "windows-1251",
        RUSSIAN,
        "cp1251",
        of("cp1251", header=_RU, delimiter=";", decimal=","),
        language="ru",
    ),
    written(
        "windows-1250",
        POLISH,
        "cp1250",
        of("cp1250", header=_PL, delimiter=";", decimal=","),
        language="pl",
    ),
)


def late_accent() -> bytes:
    """300 KB of ASCII, and the first accent after it."""
    lines = ["Année;Pays;Naissances".encode("latin-1")]
    lines += [b"%d;France;%d" % (1950 + number % 70, number) for number in range(25_000)]
    lines += ["2021;Suède;115000".encode("latin-1"), b""]
    return b"\n".join(lines)


def accent_only_late() -> bytes:
    """The same with an ASCII header: no byte of the first 300 KB tells the encoding."""
    return late_accent().replace("Année".encode("latin-1"), b"Annee", 1)


SPECIMENS += tuple(
    Specimen(
        make.__name__.replace("_", "-"),
        make,
        Kind.DELIMITED,
        Judgement.VALID,
        file_name="naissances.csv",
        tables=(Expected(rows=25_001, width=3, encoding="latin-1", delimiter=";"),),
    )
    for make in (late_accent, accent_only_late)
)
