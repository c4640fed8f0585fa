"""Records of XML that nobody told us about, and XML that is made to do harm."""

import io

import pytest

from crawler.readers.bounds import Bounds
from crawler.readers.content import Content, Trouble
from crawler.readers.kinds import Kind
from crawler.readers.reading import read_content

LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
BILLION_LAUGHS = f'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY l0 "ha">{LAUGHS}]><l>&l9;</l>'
QUADRATIC = f'<!DOCTYPE l [<!ENTITY a "{"a" * 50_000}">]><l>{"&a;" * 1000}</l>'


def content_of(data: str | bytes, bounds: Bounds | None = None) -> Content:
    data = data if isinstance(data, bytes) else data.encode()
    return read_content(io.BytesIO(data), bounds=bounds or Bounds())


def columns_of(text: str | bytes) -> dict[str, list[object]]:
    content = content_of(text)
    assert (content.kind, content.trouble) == (Kind.XML, None)
    frame = content.tables[0].frame
    return {str(name): frame[name].tolist() for name in frame.columns}


@pytest.mark.parametrize(
    "text",
    [
        "<r><row><a>1</a><b>x</b></row><row><a>2</a><b>y</b></row></r>",
        '<r><row a="1" b="x"/><row a="2" b="y"/></r>',
        "<r><info><t>T</t></info><d><row><a>1</a><b>x</b></row><row><a>2</a><b>y</b></row></d></r>",
        '<n:r xmlns:n="urn:x"><n:row><n:a>1</n:a><n:b>x</n:b></n:row>'
        "<n:row><n:a>2</n:a><n:b>y</n:b></n:row></n:r>",
    ],
)
def test_repeated_elements_are_records(text):
    assert columns_of(text) == {"a": [1, 2], "b": ["x", "y"]}


def test_records_know_what_the_elements_around_them_say():
    text = '<r><c n="FR"><y t="1" v="2"/><y t="2" v="3"/></c><c n="DE"><y t="1" v="5"/></c></r>'
    assert columns_of(text) == {"n": ["FR", "FR", "DE"], "t": [1, 2, 1], "v": [2, 3, 5]}


def test_fields_told_apart_by_an_attribute_are_columns():
    one = '<record><field name="Country">A</field><field name="Value">1</field></record>'
    found = columns_of(f"<data>{one}{one}</data>")
    assert found == {"field.Country": ["A", "A"], "field.Value": [1, 1]}


def test_parts_of_a_record_are_columns_as_well():
    one = "<place><name><en>A</en></name><pop>1</pop></place>"
    assert columns_of(f"<data>{one}{one}</data>") == {"pop": [1, 1], "name.en": ["A", "A"]}


@pytest.mark.parametrize(
    "encoding", ["utf-16", "iso-8859-1", "windows-1251", "Shift_JIS", "EUC-JP"]
)
def test_declared_encodings_are_read(encoding):
    word = {"iso-8859-1": "Île", "windows-1251": "Мир"}.get(encoding, "東京")
    row = f"<row><a>{word}</a><b>1</b></row>"
    text = f'<?xml version="1.0" encoding="{encoding}"?><r>{row}{row}</r>'
    assert columns_of(text.encode(encoding))["a"] == [word, word]


@pytest.mark.parametrize(
    "text", ["<r/>", "<r><a>1</a></r>", "<a><b>1</b><b>2</b></a>", "<r>text</r>"]
)
def test_xml_without_records_is_no_table(text):
    content = content_of(f"<?xml version='1.0'?>{text}")
    assert (content.kind, content.tables, content.trouble) == (Kind.XML, (), None)


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        (BILLION_LAUGHS, Trouble.BOMB),
        (QUADRATIC, Trouble.BOMB),
        ("<r>" + "<e>" * 300 + "</e>" * 300 + "</r>", Trouble.TOO_DEEP),
        ("<r><row><a>1</a>", Trouble.TRUNCATED),
        ("<r><row><a>1</a></wrong></r>", Trouble.CORRUPT),
    ],
)
def test_harmful_and_broken_xml_is_refused(text, trouble):
    content = content_of(text)
    assert (content.kind, content.trouble, content.tables) == (Kind.XML, trouble, ())


def test_files_of_ours_are_not_read_for_others(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("secret")
    row = "<row><a>&x;</a><b>1</b></row>"
    text = f'<!DOCTYPE r [<!ENTITY x SYSTEM "{secret.as_uri()}">]><r>{row}{row}</r>'
    content = content_of(text)
    assert (content.trouble, content.tables) == (Trouble.UNSUPPORTED, ())


def test_harmless_entities_are_read():
    row = "<row><a>&who;</a><b>1</b></row>"
    text = f'<!DOCTYPE r [<!ENTITY who "office">]><r>{row}{row}</r>'
    assert columns_of(text)["a"] == ["office", "office"]


def test_records_beyond_the_bounds_are_counted():
    text = "<r>" + "<row><a>1</a><b>2</b></row>" * 500 + "</r>"
    table = content_of(text, Bounds(rows=10)).tables[0]
    assert (len(table.frame), table.rows, table.cut) == (10, 500, True)
    assert len(content_of(text, Bounds(cells=50)).tables[0].frame) <= 25


def test_workbook_of_excel_2003_is_read_by_sheet():
    def row(*cells: str) -> str:
        return f"<Row>{''.join(cells)}</Row>"

    def cell(text: str, kind: str = "String", index: str = "") -> str:
        return f'<Cell{index}><Data ss:Type="{kind}">{text}</Data></Cell>'

    rows = row(cell("Population"))
    rows += row(cell("Region"), cell("2019"), cell("2020"))
    rows += row(cell("A"), cell("1.5", "Number"), cell("2", "Number"))
    rows += row(cell("B"), cell("4", "Number", ' ss:Index="3"'))
    namespace = "urn:schemas-microsoft-com:office:spreadsheet"
    sheet = f'<Worksheet ss:Name="S1"><Table>{rows}</Table></Worksheet>'
    spaces = f'xmlns="{namespace}" xmlns:ss="{namespace}"'
    table = content_of(f"<Workbook {spaces}>{sheet}</Workbook>").tables[0]
    assert table.name == "S1"
    assert list(table.frame.columns) == ["Region", "2019", "2020"]
    assert table.frame["2020"].tolist() == [2, 4]
