"""SDMX-ML messages of all versions, as one row per observation."""

import io

import pytest

from crawler.readers.bounds import Bounds
from crawler.readers.content import Content, Trouble
from crawler.readers.kinds import Kind
from crawler.readers.reading import read_content
from crawler.readers.sdmx_ml import MAX_CONCEPTS

V2_1 = "http://www.sdmx.org/resources/sdmxml/schemas/v2_1"
V2_0 = "http://www.SDMX.org/resources/SDMXML/schemas/v2_0"
XSI = "http://www.w3.org/2001/XMLSchema-instance"

GENERIC = f"""<?xml version="1.0"?>
<m:GenericData xmlns:m="{V2_1}/message" xmlns:g="{V2_1}/data/generic"><m:DataSet>
  <g:Group type="Sibling"><g:GroupKey><g:Value id="FREQ" value="WRONG"/></g:GroupKey></g:Group>
  <g:Series>
    <g:SeriesKey><g:Value id="FREQ" value="A"/><g:Value id="GEO" value="01"/></g:SeriesKey>
    <g:Attributes><g:Value id="UNIT" value="EUR"/></g:Attributes>
    <g:Obs><g:ObsDimension value="2020"/><g:ObsValue value="1.5"/></g:Obs>
    <g:Obs><g:ObsDimension value="2021"/><g:ObsValue value="NaN"/>
      <g:Attributes><g:Value id="STATUS" value="p"/></g:Attributes></g:Obs>
  </g:Series>
  <g:Series>
    <g:SeriesKey><g:Value id="FREQ" value="A"/><g:Value id="GEO" value="02"/></g:SeriesKey>
    <g:Obs><g:ObsDimension value="2020"/><g:ObsValue value="3"/></g:Obs>
  </g:Series>
</m:DataSet></m:GenericData>"""
FLAT = f"""<m:GenericData xmlns:m="{V2_1}/message" xmlns:g="{V2_1}/data/generic"><m:DataSet>
  <g:Obs><g:ObsKey><g:Value id="GEO" value="FR"/><g:Value id="TIME_PERIOD" value="2020"/></g:ObsKey>
    <g:ObsValue value="7"/></g:Obs>
</m:DataSet></m:GenericData>"""
VERSION_2_0 = f"""<GenericData xmlns="{V2_0}/message" xmlns:g="{V2_0}/generic"><DataSet>
  <g:Series><g:SeriesKey><g:Value concept="GEO" value="FR"/></g:SeriesKey>
    <g:Obs><g:Time> 2020 </g:Time><g:ObsValue value="7"/></g:Obs></g:Series>
</DataSet></GenericData>"""
SPECIFIC = f"""<m:StructureSpecificData xmlns:m="{V2_1}/message" xmlns:x="{XSI}">
  <m:DataSet x:type="ns1:DataSetType">
    <Series FREQ="A" GEO="FR"><Obs TIME_PERIOD="2020" OBS_VALUE="1"/>
      <Obs TIME_PERIOD="2021" OBS_VALUE="2" OBS_STATUS="p"/></Series>
    <Series FREQ="A" GEO="DE"><Obs TIME_PERIOD="2020" OBS_VALUE="3"/></Series>
  </m:DataSet></m:StructureSpecificData>"""


def content_of(text: str, bounds: Bounds | None = None) -> Content:
    return read_content(io.BytesIO(text.encode()), bounds=bounds or Bounds())


def records(text: str) -> list[dict[str, object]]:
    frame = content_of(text).tables[0].frame
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return [{str(key): value for key, value in row.items() if value is not None} for row in rows]


def test_generic_message_gives_series_and_observations():
    assert records(GENERIC) == [
        {"FREQ": "A", "GEO": "01", "UNIT": "EUR", "TIME_PERIOD": "2020", "OBS_VALUE": 1.5},
        {"FREQ": "A", "GEO": "01", "UNIT": "EUR", "TIME_PERIOD": "2021", "STATUS": "p"},
        {"FREQ": "A", "GEO": "02", "TIME_PERIOD": "2020", "OBS_VALUE": 3.0},
    ]


@pytest.mark.parametrize("text", [FLAT, VERSION_2_0], ids=["flat", "version 2.0"])
def test_other_generic_messages_are_read(text):
    assert records(text) == [{"GEO": "FR", "TIME_PERIOD": "2020", "OBS_VALUE": 7}]


def test_structure_specific_message_is_read():
    content = content_of(SPECIFIC)
    frame = content.tables[0].frame
    assert content.kind is Kind.SDMX_ML
    assert list(frame.columns) == ["FREQ", "GEO", "TIME_PERIOD", "OBS_VALUE", "OBS_STATUS"]
    assert frame["GEO"].tolist() == ["FR", "FR", "DE"]
    assert frame["OBS_VALUE"].tolist() == [1, 2, 3]


def test_observations_beyond_the_bounds_are_counted():
    table = content_of(SPECIFIC, Bounds(rows=2)).tables[0]
    assert (len(table.frame), table.rows, table.cut) == (2, 3, True)


def test_message_of_structures_holds_no_table():
    text = f'<m:Structure xmlns:m="{V2_1}/message"><m:Structures><c/></m:Structures></m:Structure>'
    content = content_of(text)
    assert (content.kind, content.tables, content.trouble) == (Kind.SDMX_ML, (), None)


def test_message_that_ends_too_early_is_told():
    content = content_of(SPECIFIC[:-60])
    assert (content.kind, content.trouble) == (Kind.SDMX_ML, Trouble.TRUNCATED)


def test_bomb_in_a_message_is_refused():
    entities = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'
    content = content_of(entities + SPECIFIC.replace('"FR"', '"&b;"'))
    assert (content.kind, content.trouble) == (Kind.SDMX_ML, Trouble.BOMB)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["observations", "series", "one observation"])
def test_names_without_end_are_cut_and_the_values_stay(form: str) -> None:
    """Every column costs its time later on, and no structure has thousands of concepts."""
    names = [f"A{number}" for number in range(3 * MAX_CONCEPTS)]
    observation = '<Obs TIME_PERIOD="2020" OBS_VALUE="7"{}/>'
    if form == "observations":
        data = "".join(observation.format(f' {name}="1"') for name in names)
    elif form == "series":
        data = "".join(f'<Series {name}="1">{observation.format("")}</Series>' for name in names)
    else:
        data = observation.format("".join(f' {name}="1"' for name in names))
    head = f'<m:StructureSpecificData xmlns:m="{V2_1}/message"><m:DataSet>'
    content = content_of(f"{head}{data}</m:DataSet></m:StructureSpecificData>")
    (table,) = content.tables
    assert table.cut
    assert table.frame.shape[1] == MAX_CONCEPTS
    assert set(table.frame["OBS_VALUE"]) == {7}
    assert table.rows == (1 if form == "one observation" else len(names))
