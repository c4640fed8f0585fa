"""Hostile XML and SDMX: entities, depth, width, attributes, namespaces and references."""

from tests.hostile.specimen import (
    BOMB,
    BROKEN,
    CORRUPT,
    DOCUMENT,
    MEMORY,
    TOO_DEEP,
    TRUNCATED,
    UNSUPPORTED,
    VALID,
    of_kind,
)

xml, sdmx = of_kind("xml"), of_kind("sdmx.xml")
MESSAGE = "http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message"
GENERIC = "http://www.sdmx.org/resources/sdmxml/schemas/v2_1/data/generic"
ROW = "<row><year>{}</year><area>R{:02}</area><value>{}</value></row>"
ROWS = "".join(ROW.format(2000 + n % 20, n % 50, n * 37 % 9973) for n in range(200))


def rows(extra: str = "", declared: str = "") -> bytes:
    return f'<?xml version="1.0"?>{declared}<data>{ROWS}{extra}</data>'.encode(
        "utf-8", "surrogatepass"
    )


def laughs(levels: int, each: int = 10) -> str:
    """Entities that hold the one before many times."""
    made = ['<!ENTITY e0 "ha">']
    made += [f'<!ENTITY e{n} "{f"&e{n - 1};" * each}">' for n in range(1, levels)]
    return f"<!DOCTYPE data [{''.join(made)}]>"


def quadratic() -> bytes:
    """One long entity, named many times."""
    return rows(
        "<row><value>" + "&e;" * 20_000 + "</value></row>",
        f'<!DOCTYPE data [<!ENTITY e "{"a" * 50_000}">]>',
    )


def external(target: str) -> bytes:
    return rows("<row><value>&e;</value></row>", f'<!DOCTYPE data [<!ENTITY e SYSTEM "{target}">]>')


def message(series: str, head: str = "") -> bytes:
    return (
        f'<?xml version="1.0"?>{head}<m:GenericData xmlns:m="{MESSAGE}" xmlns:g="{GENERIC}">'
        f"<m:Header><m:ID>x</m:ID></m:Header><m:DataSet>{series}</m:DataSet></m:GenericData>"
    ).encode()


def one_series(keys: str, observations: str) -> str:
    return f"<g:Series><g:SeriesKey>{keys}</g:SeriesKey>{observations}</g:Series>"


def key(name: str, value: str) -> str:
    return f'<g:Value id="{name}" value="{value}"/>'


def observation(time: str, value: str) -> str:
    return f'<g:Obs><g:ObsDimension value="{time}"/><g:ObsValue value="{value}"/></g:Obs>'


OBSERVATIONS = "".join(observation(str(2000 + n), str(n)) for n in range(20))
GOOD = one_series(key("GEO", "FR"), OBSERVATIONS)


def wide_keys() -> bytes:
    """Every series has dimensions of its own."""
    return message(
        "".join(one_series(key(f"D{n}", "x"), observation("2000", "1")) for n in range(2_000))
    )


def million_names() -> bytes:
    """One series that says a million things of itself."""
    names = "".join(key(f"A{n}", "1") for n in range(1_000_000))
    return message(one_series(names, OBSERVATIONS))


def long_keys() -> bytes:
    """A thousand dimensions with long values, repeated at each observation."""
    keys = "".join(key(f"D{n}", "v" * 400) for n in range(1000))
    return message(one_series(keys, OBSERVATIONS * 500))


EXTRAS = {
    "depth-100000": "<a>" * 100_000 + "</a>" * 100_000,
    "depth-201-in-a-row": "<row>" + "<a>" * 250 + "1" + "</a>" * 250 + "</row>",
}
TOLERATED = {
    "text-of-five-megabytes": f"<row><value>{'a' * 5_000_000}</value></row>",
    "attributes-thousand": "<row " + " ".join(f'a{n}="1"' for n in range(1_000)) + "/>",
    "attribute-of-a-megabyte": f'<row a="{"x" * 1_000_000}"/>',
    "elements-all-different": "".join(f"<row><n{n}>1</n{n}></row>" for n in range(800)),
    "namespaces-ten-thousand": "".join(
        f'<row xmlns:n{n}="u:{n}"><n{n}:v>1</n{n}:v></row>' for n in range(10_000)
    ),
    "comments": "<!--" + "-a" * 500_000 + "-->",
    "cdata": "<row><value><![CDATA[" + "<" * 500_000 + "]]></value></row>",
    "processing-instructions": "<?x y?>" * 100_000,
    "character-references": f"<row><value>{'&#65;' * 200_000}</value></row>",
    "name-of-a-hundred-kilobytes": f"<row><{'n' * 40_000}>1</{'n' * 40_000}></row>",
}

SPECIMENS = (
    xml("billion-laughs", lambda: rows("<row>&e9;</row>", laughs(10)), BROKEN, BOMB),
    xml("laughs-in-an-attribute", lambda: rows('<row a="&e9;"/>', laughs(10)), BROKEN, BOMB),
    xml("laughs-unused", lambda: rows("", laughs(10)), BROKEN, BOMB),
    xml("quadratic-entity", quadratic, BROKEN, BOMB),
    xml(
        "entity-of-itself",
        lambda: rows("<row>&a;</row>", '<!DOCTYPE data [<!ENTITY a "&b;"><!ENTITY b "&a;">]>'),
        BROKEN,
        BOMB,
    ),
    xml(
        "parameter-entities",
        lambda: rows("", '<!DOCTYPE data [<!ENTITY % a "%b;"><!ENTITY % b "%a;"> %a;]>'),
        BROKEN,
        CORRUPT,
    ),
    xml(
        "entity-of-a-local-file",
        lambda: external("file:///etc/passwd"),
        BROKEN,
        UNSUPPORTED,
    ),
    xml(
        "entity-of-a-server",
        lambda: external("http://127.0.0.1:9/"),
        BROKEN,
        UNSUPPORTED,
    ),
    xml(
        "entity-of-a-device",
        lambda: external("file:///dev/zero"),
        BROKEN,
        UNSUPPORTED,
    ),
    xml(
        "external-dtd",
        lambda: rows("", '<!DOCTYPE data SYSTEM "file:///etc/passwd">'),
        VALID,
    ),
    xml(
        "include-of-a-local-file",
        lambda: rows(
            '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd"/>'
        ),
        VALID,
    ),
    *(xml(name, rows(extra), BROKEN, TOO_DEEP) for name, extra in EXTRAS.items()),
    *(
        xml(name, rows(extra), f"{VALID}|suspect", "numeric-share")
        for name, extra in TOLERATED.items()
    ),
    xml("opened-hundred-thousand-times", b"<a>" * 100_000, BROKEN, TOO_DEEP),
    xml("unclosed-comment", rows()[:-7] + b"<!-- " + b"a" * 1_000_000, BROKEN, TRUNCATED),
    xml(
        "says-utf16-is-utf8",
        rows().replace(b'"1.0"', b'"1.0" encoding="utf-16"'),
        BROKEN,
        CORRUPT,
    ),
    xml(
        "encoding-of-no-name",
        rows().replace(b'"1.0"', b'"1.0" encoding="x-none"'),
        BROKEN,
        CORRUPT,
    ),
    xml("surrogate", rows("<row><value>\ud800</value></row>"), BROKEN, CORRUPT),
    xml("null-character", rows("<row><value>&#0;</value></row>"), BROKEN, CORRUPT),
    sdmx("series-all-different", wide_keys, VALID, "numeric-share"),
    sdmx("series-of-long-keys", long_keys, BROKEN, MEMORY),
    sdmx(
        "laughs",
        lambda: message(one_series(key("GEO", "&e9;"), OBSERVATIONS), laughs(10)),
        BROKEN,
        BOMB,
    ),
    sdmx(
        "value-of-5000-digits",
        lambda: message(GOOD + one_series(key("GEO", "DE"), observation("2000", "9" * 5000))),
        VALID,
    ),
    sdmx(
        "series-within-series",
        lambda: message("<g:Series>" * 5000 + "</g:Series>" * 5000),
        BROKEN,
        TOO_DEEP,
    ),
    sdmx(
        "hundred-thousand-empty-series",
        lambda: message("<g:Series/>" * 100_000),
        DOCUMENT,
        "no-table",
    ),
    sdmx(
        "attributes-of-a-megabyte",
        lambda: message(GOOD + one_series(key("GEO", "v" * 1_000_000), OBSERVATIONS)),
        VALID,
    ),
    sdmx("million-names-of-one-series", million_names, VALID, "numeric-share"),
    sdmx("half", lambda: message(GOOD * 200)[:20_000], BROKEN, TRUNCATED),
)
