"""Hostile PDF: loops, forms within forms, bombs in streams, lines without number."""

import zlib

from tests.hostile.specimen import BROKEN, CORRUPT, DOCUMENT, MEMORY, of_kind
from tests.validation.corpus import pdf_files
from tests.validation.corpus.deflated import zeros
from tests.validation.corpus.pdf_files import _document

pdf = of_kind("pdf")
CATALOG = b"<< /Type /Catalog /Pages 2 0 R >>"
PAGES = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
NO_TABLE = "no-table|scanned"


def stream(content: bytes, more: bytes = b"") -> bytes:
    return b"<< /Length %d %b >>\nstream\n%b\nendstream" % (len(content), more, content)


def packed(content: bytes, more: bytes = b"", times: int = 1) -> bytes:
    for _ in range(times):
        content = zlib.compress(content, 9)
    filters = b"/Filter [" + b"/FlateDecode " * times + b"]"
    return stream(content, filters + b" " + more)


def blanks(megabytes: int) -> bytes:
    """Content that unpacks to blanks."""
    content = zeros(megabytes, b" " * 1_000_000)
    body = b"\x78\xda" + content.raw + content.adler.to_bytes(4, "big")
    return stream(body, b"/Filter /FlateDecode")


def page(content: bytes, *others: bytes, resources: bytes = b"", more: bytes = b"") -> bytes:
    """One page with this content; the others are objects from 5 on."""
    return _document(
        CATALOG,
        PAGES,
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R "
        b"/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> "
        b"%b >> %b >>" % (resources, more),
        content,
        *others,
    )


FORM = b"/Type /XObject /Subtype /Form /BBox [0 0 595 842] "


def form_in_itself(times: int) -> bytes:
    """A form that draws itself several times: each level multiplies what is drawn."""
    drawn = b"/X Do " * times + b"0 0 m 9 9 l S "
    own = b"/Resources << /XObject << /X 5 0 R >> >>"
    return page(
        stream(b"/X Do " * times), stream(drawn, FORM + own), resources=b"/XObject << /X 5 0 R >>"
    )


def forms_in_a_circle() -> bytes:
    first = stream(b"/X Do /X Do /X Do", FORM + b"/Resources << /XObject << /X 6 0 R >> >>")
    second = stream(b"/X Do /X Do /X Do", FORM + b"/Resources << /XObject << /X 5 0 R >> >>")
    return page(stream(b"/X Do"), first, second, resources=b"/XObject << /X 5 0 R >>")


def forms_doubling(levels: int) -> bytes:
    """Each form draws the next one ten times."""
    forms = [
        stream(b"/X Do " * 10, FORM + b"/Resources << /XObject << /X %d 0 R >> >>" % (6 + n))
        for n in range(levels)
    ]
    forms.append(stream(b"0 0 m 9 9 l S BT /F1 9 Tf (1) Tj ET", FORM))
    return page(stream(b"/X Do"), *forms, resources=b"/XObject << /X 5 0 R >>")


def text(count: int) -> bytes:
    return b"BT /F1 9 Tf " + b"1 0 0 1 9 9 Tm (1 2 3) Tj " * count + b"ET"


def lines(count: int) -> bytes:
    each = (
        b"%d 0 m %d 842 l S 0 %d m 595 %d l S" % (n % 595, n % 595, n % 842, n % 842)
        for n in range(count)
    )
    return b"\n".join(each)


def kids_in_a_circle() -> bytes:
    return _document(
        CATALOG,
        b"<< /Type /Pages /Kids [3 0 R 3 0 R 3 0 R] /Count 9 >>",
        b"<< /Type /Pages /Parent 2 0 R /Kids [2 0 R 2 0 R 2 0 R] /Count 9 >>",
    )


def pages(count: int) -> bytes:
    kids = b"".join(b"%d 0 R " % (n + 3) for n in range(count))
    each = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>"
    return _document(
        CATALOG, b"<< /Type /Pages /Kids [%b] /Count %d >>" % (kids, count), *[each] * count
    )


def pointing(at: bytes) -> bytes:
    body = page(stream(b""))
    start = body.rindex(b"startxref\n") + len(b"startxref\n")
    return body[:start] + at + b"\n%%EOF\n"


def previous_is_itself() -> bytes:
    body = page(stream(b""))
    at = body.rindex(b"\nxref") + 1
    return body.replace(b"trailer\n<<", b"trailer\n<< /Prev %d" % at)


SPECIMENS = (
    pdf("form-in-itself", lambda: form_in_itself(2), BROKEN, MEMORY),
    pdf("form-in-itself-six-times", lambda: form_in_itself(6), BROKEN, MEMORY),
    pdf("form-in-itself-hundred-times", lambda: form_in_itself(100), BROKEN, MEMORY),
    pdf("forms-in-a-circle", forms_in_a_circle, BROKEN, MEMORY),
    pdf(
        "forms-ten-to-the-seventh",
        lambda: forms_doubling(7),
        BROKEN,
        MEMORY,
    ),
    pdf(
        "content-of-100-megabytes",
        lambda: page(blanks(100)),
        DOCUMENT,
        "no-table",
    ),
    pdf(
        "content-packed-five-times",
        lambda: page(packed(b" " * 30_000_000, times=5)),
        DOCUMENT,
        "no-table",
    ),
    pdf("pages-in-themselves", pdf_files.endless_pages, BROKEN, CORRUPT),
    pdf("pages-in-a-circle", kids_in_a_circle, BROKEN, CORRUPT),
    pdf("ten-thousand-pages", lambda: pages(10_000), DOCUMENT, "no-table"),
    pdf(
        "page-of-a-kilometre",
        lambda: page(stream(text(50))).replace(b"[0 0 595 842]", b"[0 0 9999999 9999999]"),
        DOCUMENT,
        "no-table",
    ),
    pdf(
        "page-of-no-size",
        lambda: page(stream(text(50))).replace(b"[0 0 595 842]", b"[0 0 0 0]      "),
        DOCUMENT,
        "no-table",
    ),
    pdf(
        "page-inside-out",
        lambda: page(stream(text(50))).replace(b"[0 0 595 842]", b"[595 842 -9 -9]"),
        DOCUMENT,
        "no-table",
    ),
    pdf(
        "letters-a-million",
        lambda: page(packed(text(60_000))),
        DOCUMENT,
        "no-table",
    ),
    pdf(
        "lines-twenty-thousand",
        lambda: page(packed(lines(10_000))),
        DOCUMENT,
        "no-table",
    ),
    pdf(
        "states-hundred-thousand-deep", lambda: page(packed(b"q " * 100_000)), DOCUMENT, "no-table"
    ),
    pdf(
        "lists-hundred-thousand-deep",
        lambda: page(stream(b"[" * 100_000)),
        DOCUMENT,
        "no-table",
    ),
    pdf(
        "dictionaries-ten-thousand-deep",
        lambda: page(stream(b""), b"<< /A " * 10_000 + b"1" + b" >>" * 10_000),
        DOCUMENT,
        "no-table",
    ),
    pdf(
        "length-of-a-gigabyte",
        lambda: page(stream(b"").replace(b"/Length 0", b"/Length 999999999")),
        DOCUMENT,
        "no-table",
    ),
    pdf(
        "length-is-itself",
        lambda: page(stream(b"").replace(b"/Length 0", b"/Length 4 0 R")),
        DOCUMENT,
        "no-table",
    ),
    pdf(
        "table-of-objects-behind-the-end",
        lambda: pointing(b"99999999999"),
        DOCUMENT,
        "no-table",
    ),
    pdf(
        "table-of-objects-before-itself",
        previous_is_itself,
        DOCUMENT,
        "no-table",
    ),
    pdf(
        "image-of-ten-gigapixels",
        lambda: page(
            stream(b"/I Do"),
            stream(
                b"\0",
                b"/Type /XObject /Subtype /Image /Width 100000 /Height 100000 "
                b"/BitsPerComponent 8 /ColorSpace /DeviceRGB",
            ),
            resources=b"/XObject << /I 5 0 R >>",
        ),
        DOCUMENT,
        "no-table",
    ),
    pdf(
        "filter-of-no-name",
        lambda: page(stream(b"x", b"/Filter /Nothing")),
        DOCUMENT,
        "no-table",
    ),
    pdf(
        "annotations-hundred-thousand",
        lambda: page(stream(b""), more=b"/Annots [" + b"5 0 R " * 100_000 + b"]"),
        DOCUMENT,
        "no-table",
    ),
)
