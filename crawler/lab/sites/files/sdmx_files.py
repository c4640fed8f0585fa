"""SDMX-ML 2.1 generic data: one series per region, one observation per period."""

from xml.sax.saxutils import escape, quoteattr

from crawler.lab.sites.files.figures import Cube

_NS = "http://www.sdmx.org/resources/sdmxml/schemas/v2_1"


def sdmx(cube: Cube) -> bytes:
    """A generic data message."""
    series = "".join(_series(cube, index) for index in range(len(cube.regions)))
    structure = (
        f"<mes:Structure structureID={quoteattr(cube.code)} "
        'dimensionAtObservation="TIME_PERIOD"><com:Structure>'
        f'<Ref agencyID="NVSTAT" id={quoteattr(cube.code)} version="1.0"/>'
        "</com:Structure></mes:Structure>"
    )
    header = (
        f"<mes:Header><mes:ID>{cube.code}</mes:ID><mes:Test>false</mes:Test>"
        '<mes:Prepared>2025-01-01T00:00:00Z</mes:Prepared><mes:Sender id="NVSTAT"/>'
        f"{structure}"
        f'<mes:DataSetAction>Replace</mes:DataSetAction><mes:Source xml:lang="{cube.language}">'
        f"{escape(cube.title)}</mes:Source></mes:Header>"
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<mes:GenericData xmlns:mes="{_NS}/message" xmlns:gen="{_NS}/data/generic" '
        f'xmlns:com="{_NS}/common">{header}'
        f"<mes:DataSet structureRef={quoteattr(cube.code)}>{series}</mes:DataSet>"
        "</mes:GenericData>\n"
    ).encode()


def _series(cube: Cube, index: int) -> str:
    observations = "".join(
        f'<gen:Obs><gen:ObsDimension value="{period}"/>'
        f'<gen:ObsValue value="{cube.text(row[index])}"/></gen:Obs>'
        for period, row in zip(cube.periods, cube.values, strict=True)
    )
    return (
        '<gen:Series><gen:SeriesKey><gen:Value id="REGION" '
        f'value="{cube.regions[index][0]}"/></gen:SeriesKey>{observations}</gen:Series>'
    )
