"""Hostile OpenDocument sheets: repetitions, spans, depth, entities."""

from tests.hostile.specimen import (
    BOMB,
    BROKEN,
    CORRUPT,
    DOCUMENT,
    SUSPECT,
    TOO_LARGE,
    VALID,
    of_kind,
)
from tests.validation.corpus.open_documents import changed

ods = of_kind("ods")
EXTENT = f"{TOO_LARGE}|{BOMB}"
END = b"</table:table>"


def rows(more: bytes) -> bytes:
    return changed(lambda body: body.replace(END, more + END, 1))


def cell(attributes: bytes = b"", text: bytes = b"1") -> bytes:
    return (
        b'<table:table-cell %b office:value-type="float" office:value="1"><text:p>%b</text:p>'
        b"</table:table-cell>" % (attributes, text)
    )


def row(cells: bytes, attributes: bytes = b"") -> bytes:
    return b"<table:table-row %b>%b</table:table-row>" % (attributes, cells)


ACROSS, DOWN = b'table:number-columns-repeated="%b"', b'table:number-rows-repeated="%b"'
MILLION = b"1000000"

SPECIMENS = (
    ods(
        "cells-a-million-across-and-down",
        lambda: rows(row(cell(ACROSS % MILLION), DOWN % MILLION)),
        BROKEN,
        TOO_LARGE,
    ),
    ods(
        "cells-across-after-the-type",
        lambda: rows(
            row(cell(b"").replace(b'value="1"', b'value="1" ' + ACROSS % MILLION), DOWN % MILLION)
        ),
        BROKEN,
        TOO_LARGE,
    ),
    ods(
        "cells-across-with-blanks",
        lambda: rows(row(cell(b'table:number-columns-repeated = "1000000"'), DOWN % MILLION)),
        BROKEN,
        TOO_LARGE,
    ),
    ods(
        "cells-across-in-apostrophes",
        lambda: rows(
            row(
                cell(b"table:number-columns-repeated='1000000'"),
                b"table:number-rows-repeated='1000000'",
            )
        ),
        BROKEN,
        TOO_LARGE,
    ),
    ods(
        "cells-across-behind-long-attributes",
        lambda: rows(
            row(cell(b'table:x="%b" ' % (b"a" * 5000) + ACROSS % MILLION), DOWN % MILLION)
        ),
        BROKEN,
        TOO_LARGE,
    ),
    ods(
        "cells-across-with-a-prefix",
        lambda: changed(
            lambda body: body.replace(
                b"xmlns:table=",
                b'xmlns:t="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:table=',
                1,
            ).replace(
                END,
                (row(cell(ACROSS % MILLION), DOWN % MILLION)).replace(b"table:", b"t:") + END,
                1,
            )
        ),
        BROKEN,
        TOO_LARGE,
    ),
    ods(
        "rows-ten-to-the-eighteenth",
        lambda: rows(row(cell(), DOWN % b"1000000000000000000")),
        BROKEN,
        TOO_LARGE,
    ),
    ods(
        "rows-more-than-a-number-holds",
        lambda: rows(row(cell(), DOWN % (b"9" * 5000))),
        BROKEN,
        TOO_LARGE,
    ),
    ods("rows-negative", lambda: rows(row(cell(), DOWN % b"-5")), BROKEN, CORRUPT),
    ods("empty-rows-a-million", lambda: rows(row(b"<table:table-cell/>", DOWN % MILLION)), VALID),
    ods(
        "empty-cells-in-all-rows",
        lambda: rows(row(b"<table:table-cell %b/>" % (ACROSS % b"16384"), DOWN % b"1048576")),
        VALID,
    ),
    ods(
        "value-behind-empty-cells",
        lambda: rows(
            row(b"<table:table-cell %b/>" % (ACROSS % b"16383") + cell(), DOWN % b"1000000")
        ),
        BROKEN,
        f"{TOO_LARGE}|{CORRUPT}",
    ),
    ods(
        "span-of-all",
        lambda: rows(
            row(cell(b'table:number-columns-spanned="16384" table:number-rows-spanned="1048576"'))
        ),
        SUSPECT,
        "first-year",
    ),
    ods(
        "spans-ten-thousand",
        lambda: rows(
            row(cell(b'table:number-columns-spanned="16384" table:number-rows-spanned="1048576"'))
            * 10_000
        ),
        VALID,
    ),
    ods(
        "text-of-three-megabytes",
        lambda: rows(row(cell(b"", b"ab " * 1_000_000))),
        SUSPECT,
        "first-year",
    ),
    ods(
        "spaces-a-billion",
        lambda: rows(row(cell(b"", b'<text:s text:c="1000000000"/>'))),
        SUSPECT,
        "first-year",
    ),
    ods(
        "laughs",
        lambda: changed(
            lambda body: body.replace(
                b"<office:document-content",
                b'<!DOCTYPE x [<!ENTITY a "b">]><office:document-content',
                1,
            )
        ),
        BROKEN,
        BOMB,
    ),
    ods(
        "depth-100000",
        lambda: rows(b"<table:table-row-group>" * 100_000),
        VALID,
    ),
    ods(
        "thousand-tables",
        lambda: changed(
            lambda body: body.replace(
                END, END + (b'<table:table table:name="t">' + row(cell()) + END) * 1000, 1
            )
        ),
        VALID,
    ),
    ods("content-of-nothing", lambda: changed(lambda _: b""), DOCUMENT, "no-table"),
    ods("half", lambda: changed(lambda body: body[: len(body) // 2]), BROKEN, CORRUPT),
    ods(
        "table-name-of-a-megabyte",
        lambda: changed(
            lambda body: body.replace(
                b'table:name="Births"', b'table:name="' + b"n" * 1_000_000 + b'"', 1
            )
        ),
        VALID,
    ),
)
