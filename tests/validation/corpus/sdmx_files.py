"""SDMX-ML of both generations, SDMX-CSV, and structure messages."""

from crawler.readers.kinds import Kind
from crawler.validation.outcome import ColumnRole, ColumnType, Judgement
from tests.validation.corpus import codes
from tests.validation.corpus.figures import ROWS
from tests.validation.corpus.specimen import Expected, Specimen, bytes_of

V21 = "http://www.sdmx.org/resources/sdmxml/schemas/v2_1"
V20 = "http://www.SDMX.org/resources/SDMXML/schemas/v2_0"
CODE = {"France": "FR", "Germany": "DE", "Spain": "ES", "Italy": "IT", "Poland": "PL"}
XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
HEADER = (
    "<mes:Header><mes:ID>B12</mes:ID><mes:Test>false</mes:Test>"
    "<mes:Prepared>2025-01-01T00:00:00Z</mes:Prepared></mes:Header>"
)
SERIES = {
    code: [(year, births) for year, place, births, _ in ROWS if place == country]
    for country, code in CODE.items()
}


def generic() -> str:
    """Generic data of SDMX 2.1."""
    series = "".join(
        f'<gen:Series><gen:SeriesKey><gen:Value id="FREQ" value="A"/><gen:Value id="GEO" '
        f'value="{code}"/></gen:SeriesKey>'
        + "".join(
            f'<gen:Obs><gen:ObsDimension value="{year}"/><gen:ObsValue value="{value}"/></gen:Obs>'
            for year, value in observations
        )
        + "</gen:Series>"
        for code, observations in SERIES.items()
    )
    return (
        f'{XML}<mes:GenericData xmlns:mes="{V21}/message" xmlns:gen="{V21}/data/generic">'
        f"{HEADER}<mes:DataSet>{series}</mes:DataSet></mes:GenericData>"
    )


def specific() -> str:
    """Structure-specific data of SDMX 2.1, in series."""
    series = "".join(
        f'<Series FREQ="A" GEO="{code}">'
        + "".join(f'<Obs TIME_PERIOD="{year}" OBS_VALUE="{value}"/>' for year, value in observed)
        + "</Series>"
        for code, observed in SERIES.items()
    )
    return (
        f'{XML}<mes:StructureSpecificData xmlns:mes="{V21}/message" xmlns:ns1="urn:sdmx:B12">'
        f"{HEADER}<mes:DataSet>{series}</mes:DataSet></mes:StructureSpecificData>"
    )


def flat() -> str:
    """Structure-specific data of SDMX 2.1 without series."""
    observed = "".join(
        f'<Obs FREQ="A" GEO="{code}" TIME_PERIOD="{year}" OBS_VALUE="{value}"/>'
        for code, observations in SERIES.items()
        for year, value in observations
    )
    return (
        f'{XML}<mes:StructureSpecificData xmlns:mes="{V21}/message">'
        f"{HEADER}<mes:DataSet>{observed}</mes:DataSet></mes:StructureSpecificData>"
    )


def compact() -> str:
    """Compact data of SDMX 2.0."""
    series = "".join(
        f'<d:Series FREQ="A" GEO="{code}">'
        + "".join(f'<d:Obs TIME_PERIOD="{year}" OBS_VALUE="{value}"/>' for year, value in observed)
        + "</d:Series>"
        for code, observed in SERIES.items()
    )
    return (
        f'{XML}<CompactData xmlns="{V20}/message" xmlns:d="urn:estat:B12"><Header><ID>B12</ID>'
        f"</Header><d:DataSet>{series}</d:DataSet></CompactData>"
    )


def old_generic() -> str:
    """Generic data of SDMX 2.0."""
    series = "".join(
        f'<g:Series><g:SeriesKey><g:Value concept="FREQ" value="A"/><g:Value concept="GEO" '
        f'value="{code}"/></g:SeriesKey>'
        + "".join(
            f'<g:Obs><g:Time>{year}</g:Time><g:ObsValue value="{value}"/></g:Obs>'
            for year, value in observations
        )
        + "</g:Series>"
        for code, observations in SERIES.items()
    )
    return (
        f'{XML}<GenericData xmlns="{V20}/message" xmlns:g="{V20}/generic"><Header><ID>B12</ID>'
        f"</Header><DataSet>{series}</DataSet></GenericData>"
    )


def structure() -> str:
    """A message that describes data and holds none."""
    codes_ = "".join(
        f'<str:Code id="{code}"><com:Name>{name}</com:Name></str:Code>'
        for name, code in CODE.items()
    )
    return (
        f'{XML}<mes:Structure xmlns:mes="{V21}/message" xmlns:str="{V21}/structure" '
        f'xmlns:com="{V21}/common">{HEADER}<mes:Structures><str:Codelists><str:Codelist '
        f'id="CL_GEO" agencyID="NV" version="1.0"><com:Name>Countries</com:Name>{codes_}'
        "</str:Codelist></str:Codelists></mes:Structures></mes:Structure>"
    )


def laughing() -> str:
    """A billion laughs before a sound message."""
    entities = '<!ENTITY l0 "ha">' + "".join(
        f'<!ENTITY l{level} "{f"&l{level - 1};" * 10}">' for level in range(1, 10)
    )
    return generic().replace(XML, f"{XML}<!DOCTYPE x [{entities}]>\n").replace("B12", "&l9;", 1)


def csv_1() -> str:
    """SDMX-CSV 1.0: the dataflow in the first column."""
    lines = ["DATAFLOW,FREQ,GEO,TIME_PERIOD,OBS_VALUE"]
    lines += [
        f"NV:B12(1.0),A,{code},{year},{value}"
        for code, observations in SERIES.items()
        for year, value in observations
    ]
    return "\n".join([*lines, ""])


def csv_2() -> str:
    """SDMX-CSV 2.0: the kind of structure, its identifier, the action."""
    lines = ["STRUCTURE,STRUCTURE_ID,ACTION,FREQ,GEO,TIME_PERIOD,OBS_VALUE"]
    lines += [
        f"dataflow,NV:B12(1.0),I,A,{code},{year},{value}"
        for code, observations in SERIES.items()
        for year, value in observations
    ]
    return "\n".join([*lines, ""])


OBSERVED = Expected(
    rows=30,
    types={"OBS_VALUE": ColumnType.INTEGER},
    roles={"TIME_PERIOD": ColumnRole.TIME, "GEO": ColumnRole.GEOGRAPHY},
    least={"OBS_VALUE": "100000"},
)

SPECIMENS = tuple(
    Specimen(
        f"sdmx-{make.__name__.replace('_', '-')}",
        bytes_of(make().encode()),
        Kind.SDMX_ML,
        Judgement.VALID,
        file_name="births.xml",
        declared="application/vnd.sdmx.genericdata+xml;version=2.1",
        tables=(OBSERVED,),
    )
    for make in (generic, specific, flat, compact, old_generic)
)
SPECIMENS += tuple(
    Specimen(
        f"sdmx-{make.__name__.replace('_', '-')}",
        bytes_of(make().encode()),
        Kind.SDMX_CSV,
        Judgement.VALID,
        file_name="births.csv",
        declared="application/vnd.sdmx.data+csv;version=2.0.0",
        tables=(OBSERVED,),
    )
    for make in (csv_1, csv_2)
)
SPECIMENS += (
    Specimen(
        "sdmx-structure",
        bytes_of(structure().encode()),
        Kind.SDMX_ML,
        Judgement.DOCUMENT,
        file_name="structure.xml",
        declared="application/vnd.sdmx.structure+xml",
        tables=(),
    ),
    Specimen(
        "sdmx-truncated",
        bytes_of(generic().encode()[:-900]),
        Kind.SDMX_ML,
        Judgement.BROKEN,
        file_name="births.xml",
        reasons=(codes.TRUNCATED,),
        tables=(),
    ),
    Specimen(
        "sdmx-billion-laughs",
        bytes_of(laughing().encode()),
        Kind.SDMX_ML,
        Judgement.BROKEN,
        file_name="births.xml",
        reasons=(codes.BOMB,),
        tables=(),
    ),
)
