"""Other XML: records, documents, and the attacks that XML is known for."""

from pathlib import Path

from crawler.readers.kinds import Kind
from crawler.validation.outcome import Judgement
from tests.validation.corpus import codes
from tests.validation.corpus.figures import HEADER, ROWS, TYPES, births
from tests.validation.corpus.specimen import Expected, Specimen, text_of

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'


def records(declaration: str = DECLARATION) -> str:
    """An element per row, one inside it per value."""
    rows = "".join(
        "<row>"
        + "".join(f"<{name}>{cell}</{name}>" for name, cell in zip(HEADER, row, strict=True))
        + "</row>\n"
        for row in ROWS
    )
    return f"{declaration}<births><title>Births by country</title><rows>{rows}</rows></births>\n"


def attributes() -> str:
    """An element per row, its values as attributes."""
    rows = "".join(
        f'<obs Year="{year}" Country="{country}" Births="{number}" Rate="{rate}"/>\n'
        for year, country, number, rate in ROWS
    )
    return f"{DECLARATION}<births>{rows}</births>\n"


def billion_laughs() -> str:
    """Ten entities, each ten times the one before."""
    entities = '<!ENTITY e0 "ha">' + "".join(
        f'<!ENTITY e{level} "{f"&e{level - 1};" * 10}">' for level in range(1, 10)
    )
    return f"{DECLARATION}<!DOCTYPE births [{entities}]>\n<births>&e9;</births>"


def quadratic() -> str:
    """One long entity, many times."""
    return (
        f'{DECLARATION}<!DOCTYPE births [<!ENTITY a "{"x" * 50_000}">]>\n'
        f"<births>{'<v>&a;&a;&a;&a;&a;</v>' * 10_000}</births>"
    )


def external_entity() -> str:
    """An entity that names a file of this machine; its text must never come out."""
    secret = Path("/etc/passwd").as_uri()
    rows = "".join(
        f"<row><Year>{year}</Year><Country>&who;</Country><Births>{number}</Births></row>"
        for year, _, number, _ in ROWS
    )
    return (
        f'{DECLARATION}<!DOCTYPE births [<!ENTITY who SYSTEM "{secret}">]>\n<births>{rows}</births>'
    )


def parameter_entity() -> str:
    """A document type that wants another file from the network."""
    return (
        f"{DECLARATION}<!DOCTYPE births ["
        '<!ENTITY % more SYSTEM "http://127.0.0.1:9/x.dtd"> %more;]>' + records("")
    )


def deep() -> str:
    """100,000 elements, each inside the one before."""
    return DECLARATION + "<a>" * 100_000 + "1" + "</a>" * 100_000


LETTER = (
    DECLARATION
    + "<letter><from>The office</from><to>The ministry</to><body>The figures of the census will be "
    "published in March.</body></letter>"
)


def bad(name: str, text: str, reason: str) -> Specimen:
    """XML that is refused."""
    return Specimen(
        name,
        text_of(text),
        Kind.XML,
        Judgement.BROKEN,
        file_name="births.xml",
        declared="application/xml",
        reasons=(reason,),
        tables=(),
    )


def good(name: str, text: str, encoding: str = "utf-8", table: Expected | None = None) -> Specimen:
    """XML with a table."""
    return Specimen(
        name,
        text_of(text, encoding),
        Kind.XML,
        Judgement.VALID,
        file_name="births.xml",
        declared="application/xml",
        tables=(table or births(),),
    )


SPECIMENS = (
    good("xml-records", records()),
    good("xml-attributes", attributes()),
    good(
        "xml-latin-1",
        records('<?xml version="1.0" encoding="ISO-8859-1"?>\n').replace("Spain", "Côte d'Ivoire"),
        "latin-1",
    ),
    good(
        "xml-utf-16",
        records('<?xml version="1.0" encoding="UTF-16"?>\n'),
        "utf-16",
        Expected(rows=30, names=HEADER, types=TYPES),
    ),
    good("xml-parameter-entity", parameter_entity()),
    Specimen(
        "xml-letter",
        text_of(LETTER),
        Kind.XML,
        Judgement.DOCUMENT,
        file_name="letter.xml",
        declared="text/xml",
        tables=(),
    ),
    bad("xml-truncated", records()[:-400], codes.TRUNCATED),
    bad("xml-wrong-tags", records().replace("</Rate>", "</Rata>", 5), codes.CORRUPT),
    bad("xml-billion-laughs", billion_laughs(), codes.BOMB),
    bad("xml-quadratic", quadratic(), codes.BOMB),
    bad("xml-deep", deep(), codes.TOO_DEEP),
    Specimen(
        "xml-external-entity",
        text_of(external_entity()),
        Kind.XML,
        Judgement.BROKEN,
        file_name="births.xml",
        declared="application/xml",
        reasons=(f"{codes.BOMB}|{codes.UNSUPPORTED}|{codes.CORRUPT}",),
        tables=(),
    ),
)
