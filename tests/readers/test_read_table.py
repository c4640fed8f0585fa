"""Files as statistics offices publish them, read into DataFrames; and files that are no tables."""

import gzip
import io
import json
import lzma

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.errors import NotATable
from crawler.lab.sites.files.csv_files import (
    archive,
    french_csv,
    gzipped_csv,
    plain_csv,
    zipped_csv,
)
from crawler.lab.sites.files.figures import Cube
from crawler.lab.sites.files.json_files import json_records, json_stat
from crawler.lab.sites.files.office_files import ods, xlsx
from crawler.lab.sites.files.parquet_files import parquet
from crawler.lab.sites.files.sdmx_files import sdmx
from crawler.readers.reading import read_table

CUBE = Cube(
    code="POP1",
    title="Population",
    language="fr",
    periods=("2023", "2024"),
    regions=(("01", "Île"), ("02", "Côte")),
    values=((1.5, 2.25), (3.0, 4.75)),
    decimals=2,
)


def read(data: bytes, **options: object) -> pd.DataFrame:
    return read_table(io.BytesIO(data), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "data",
    [
        plain_csv(CUBE),
        zipped_csv(CUBE),
        gzipped_csv(CUBE),
        lzma.compress(plain_csv(CUBE)),
        archive({"a.csv.gz": gzipped_csv(CUBE)}),
        plain_csv(CUBE).decode().encode("utf-16"),
        b"\xef\xbb\xbf" + plain_csv(CUBE),
    ],
    ids=["csv", "zip", "gz", "xz", "gz in zip", "utf-16", "bom"],
)
def test_csv_is_read_however_it_is_packed(data):
    frame = read(data)
    assert list(frame.columns) == ["Période", "Région", "Code", "Valeur"]
    assert frame["Valeur"].tolist() == [1.5, 2.25, 3.0, 4.75]
    assert frame["Région"].tolist() == ["Île", "Côte", "Île", "Côte"]


def test_codes_with_a_zero_in_front_stay_codes():
    assert read(plain_csv(CUBE))["Code"].tolist() == ["01", "02", "01", "02"]


def test_french_csv_is_read_with_its_decimal_commas_and_accents():
    frame = read(french_csv(CUBE))
    assert list(frame.columns) == ["Période", "Île", "Côte"]
    assert frame["Côte"].tolist() == [2.25, 4.75]


@pytest.mark.parametrize("data", [xlsx(CUBE), ods(CUBE)], ids=["xlsx", "ods"])
def test_workbook_is_read_from_its_header_on(data):
    frame = read(data)
    assert list(frame.columns) == ["Période", "Île", "Côte"]
    assert frame["Île"].tolist() == [1.5, 3.0]
    assert read(data, rows=1)["Île"].tolist() == [1.5]
    with pytest.raises(NotATable, match="has no sheet 'Other'"):
        read(data, sheet="Other")


def test_parquet_is_read():
    frame = read(parquet(CUBE))
    assert len(frame) == 4
    assert len(read(parquet(CUBE), rows=3)) == 3


def test_sdmx_is_read_as_observations():
    frame = read(sdmx(CUBE))
    assert frame.to_dict("records")[1] == {
        "REGION": "01",
        "TIME_PERIOD": "2024",
        "OBS_VALUE": 3.0,
    }
    assert len(frame) == 4
    assert len(read(sdmx(CUBE), rows=2)) == 2


def test_structure_specific_sdmx_is_read_too():
    data = b"""<?xml version="1.0"?>
    <m:StructureSpecificData xmlns:m="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message">
      <m:DataSet><Series FREQ="A" GEO="FR"><Obs TIME_PERIOD="2023" OBS_VALUE="1"/>
      <Obs TIME_PERIOD="2024" OBS_VALUE="NaN" OBS_STATUS="M"/></Series>
      <Series FREQ="A" GEO="DE"><Obs TIME_PERIOD="2023" OBS_VALUE="3"/></Series></m:DataSet>
    </m:StructureSpecificData>"""
    frame = read(data)
    assert frame["GEO"].tolist() == ["FR", "FR", "DE"]
    assert frame["OBS_VALUE"].fillna(-1).tolist() == [1.0, -1.0, 3.0]


@pytest.mark.parametrize(
    "document",
    [
        [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}],
        {"meta": 1, "data": [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]},
        [["a", "b"], [1, "x"], [2, "y"]],
        {
            "type": "FeatureCollection",
            "features": [{"properties": {"a": 1, "b": "x"}}, {"properties": {"a": 2, "b": "y"}}],
        },
    ],
    ids=["list", "within", "rows", "geojson"],
)
def test_records_of_json_are_read(document):
    expected = [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]
    assert read(json.dumps(document).encode()).to_dict("records") == expected


def test_json_lines_are_read():
    assert read(b'{"a": 1}\n{"a": 2}\n')["a"].tolist() == [1, 2]


def test_records_of_the_demo_are_read():
    assert len(read(json_records(CUBE))) == 4


def test_json_stat_is_read_as_one_row_per_cell():
    frame = read(json_stat(CUBE))
    assert frame["region"].tolist() == ["01", "02", "01", "02"]
    assert frame["value"].tolist() == [1.5, 2.25, 3.0, 4.75]
    assert len(read(json_stat(CUBE), rows=3)) == 3


def test_json_stat_with_few_values_is_read():
    dimension = {
        "id": ["sex", "year"],
        "sex": {"category": {"index": {"F": 1, "M": 0}}},
        "year": {"category": {"label": {"2024": "2024"}}},
    }
    data = json.dumps({"dataset": {"dimension": dimension, "value": {"1": 7}}}).encode()
    assert read(data)["sex"].tolist() == ["M", "F"]
    assert read(data)["value"].fillna(0).tolist() == [0, 7]


def test_json_stat_cube_of_any_size_is_refused():
    category = {"category": {"index": [str(number) for number in range(1000)]}}
    cube = {"id": list("abc"), "dimension": dict.fromkeys("abc", category), "value": []}
    with pytest.raises(NotATable, match="1,000,000,000 cells"):
        read(json.dumps(cube).encode())


@pytest.mark.parametrize(
    ("text", "columns", "values"),
    [
        ("Source: Office\n\na;b\n1;1.234,5\n2;2.000,0\n", ["a", "b"], [1234.5, 2000.0]),
        ("a\tb\n1\t2\n3\t4\n", ["a", "b"], [2, 4]),
        ("a|b\nx|1\ny|2\n", ["a", "b"], [1, 2]),
        ('a,b\nx,"1,234"\ny,"5,678,901"\n', ["a", "b"], [1234, 5678901]),
        ("a;b\nx;1-3a\ny;3-4b\n", ["a", "b"], ["1-3a", "3-4b"]),
        ('"a, long";b\n"x;y";1\n', ["a, long", "b"], [1]),
    ],
    ids=["title above", "tabs", "bars", "grouped", "codes", "quoted"],
)
def test_dialect_is_found_in_the_text(text, columns, values):
    frame = read(text.encode())
    assert list(frame.columns) == columns
    assert frame["b"].tolist() == values


def test_cyrillic_without_a_declared_encoding_is_read():
    text = "Регион;Население\n" + "Московская область;8500\nКалининградская область;1000\n" * 20
    assert read(text.encode("cp1251")).columns.tolist() == ["Регион", "Население"]


def test_lines_with_too_many_values_are_rows_with_one_more_column():
    frame = read(b"a,b\n1,2\n3,4\n5,6,7\n8,9\n")
    assert frame["a"].tolist() == [1, 3, 5, 8]
    assert frame["column 3"].dropna().tolist() == [7]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"%PDF-1.7 ...", "cannot be read"),
        (b"404 Not Found", "a message of the server"),
        (b"A sentence, and no table. It ends here.", "a document of text"),
        (b"<!DOCTYPE html><html><p>404</p></html>", "an HTML page"),
        (b"<?xml version='1.0'?><a/>", "an XML"),
        (b"", "an empty file"),
        (b"\x00\x01\x02\x03" * 10, "a binary file"),
        (b"PK\x03\x04 broken", "cannot be read"),
        (b"PAR1 broken PAR1", "cannot be read"),
        (b"\x1f\x8b broken", "cannot be read"),
        (b"\xd0\xcf\x11\xe0 broken", "cannot be read"),
        (b'{"a": {"b": 1}}', "no list of records"),
        (b"[1, 2, 3]", "no list of records"),
        (b"[" * 100_000, "cannot be read|nested too deeply"),
        (archive({}), "an archive of 0 files"),
    ],
)
def test_what_is_no_table_is_named(data, told):
    with pytest.raises(NotATable, match=told):
        read(data)


def test_best_table_of_an_archive_comes_first_and_each_can_be_chosen():
    data = archive({"meta.csv": b"code,name\nA,x y\nB,z\n", "data.csv": b"a,b\n1,2\n3,4\n"})
    assert read(data)["a"].tolist() == [1, 3]
    assert read(data, table="meta.csv")["code"].tolist() == ["A", "B"]
    with pytest.raises(NotATable, match=r"no table 'other', but data\.csv, meta\.csv"):
        read(data, table="other")


def test_members_of_one_shape_are_read_together():
    data = archive({f"{year}.csv": b"a,b\nx,1\ny,2\n" for year in (2021, 2022)})
    frame = read(data, table="all")
    assert frame["part"].tolist() == ["2021.csv", "2021.csv", "2022.csv", "2022.csv"]
    assert frame["b"].tolist() == [1, 2, 1, 2]


def test_raw_values_are_as_written():
    frame = read(b"day,births\n13/02/2023,12 p\n14/02/2023,..\n15/02/2023,7\n", raw=True)
    assert frame["day"].tolist()[0] == "13/02/2023"
    assert frame["births"].tolist() == ["12 p", "..", "7"]


def test_member_of_an_archive_can_be_chosen():
    data = archive({"a.csv": b"a,b\n1,2\n", "b.csv": b"c,d\n3,4\n"})
    assert read(data, member="b.csv")["c"].tolist() == [3]
    with pytest.raises(NotATable, match=r"holds no 'c\.csv'"):
        read(data, member="c.csv")


def test_archives_are_opened_only_so_deep():
    data = plain_csv(CUBE)
    for _ in range(3):
        data = gzip.compress(data)
    with pytest.raises(NotATable, match="archive within"):
        read(data)


def test_entities_of_xml_are_not_opened(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("secret")
    data = (
        f'<!DOCTYPE a [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
        '<m:D xmlns:m="http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message">'
        "<Obs><Time>&x;</Time></Obs></m:D>"
    ).encode()
    with pytest.raises(NotATable, match="wants to read another file"):
        read(data)


def outcome(data: bytes) -> str:
    try:
        return type(read(data)).__name__
    except NotATable as error:
        return error.message


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=300))
@pytest.mark.filterwarnings("ignore::pandas.errors.ParserWarning")
def test_any_bytes_give_a_table_or_a_reason(data):
    assert outcome(data)


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet='ab1,;\t"\n\r. é0', max_size=120))
@pytest.mark.filterwarnings("ignore::pandas.errors.ParserWarning")
def test_any_text_gives_a_table_or_a_reason(text):
    assert outcome(text.encode())
