"""PDF: a text table in Courier, written by hand with a correct cross-reference table."""

from crawler.lab.sites.files.figures import Cube

LINES_PER_PAGE = 58
COLUMNS_SHOWN = 6
"""As many regions as fit on an upright page."""


def pdf(cube: Cube) -> bytes:
    """A report of one table over as many pages as it needs."""
    lines = _lines(cube)
    sheets = [lines[at : at + LINES_PER_PAGE] for at in range(0, len(lines), LINES_PER_PAGE)]
    # Objects 1 to 4 are catalogue, page tree, font and information; each page adds two.
    kids = " ".join(f"{5 + 2 * index} 0 R" for index in range(len(sheets)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(sheets)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>",
        b"<< /Title (" + _escaped(cube.title) + b") /Producer (Office of Statistics) >>",
    ]
    for index, sheet in enumerate(sheets):
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] "
            b"/Resources << /Font << /F1 3 0 R >> >> "
            + f"/Contents {6 + 2 * index} 0 R >>".encode()
        )
        shown = b"".join(b"(" + _escaped(line) + b") '\n" for line in sheet)
        content = b"BT /F1 8 Tf 12 TL 50 790 Td\n" + shown + b"ET"
        head = f"<< /Length {len(content)} >>\nstream\n".encode()
        objects.append(head + content + b"\nendstream")
    return _document(objects)


def _lines(cube: Cube) -> list[str]:
    regions = cube.regions[:COLUMNS_SHOWN]
    heading = f"{cube.labels[0]:<10}" + "".join(f"{name[:13]:>14}" for _, name in regions)
    lines = [f"{cube.code}: {cube.title}", "", heading, "-" * len(heading)]
    for period, row in zip(cube.periods, cube.values, strict=True):
        values = row[:COLUMNS_SHOWN]
        lines.append(f"{period:<10}" + "".join(f"{cube.text(value):>14}" for value in values))
    return lines


def _escaped(text: str) -> bytes:
    for special in "\\()":
        text = text.replace(special, f"\\{special}")
    return text.encode("cp1252", "replace")


def _document(objects: list[bytes]) -> bytes:
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    offsets = []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    out += b"".join(f"{offset:010d} 00000 n \n".encode() for offset in offsets)
    out += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info 4 0 R >>\n".encode()
    out += f"startxref\n{start}\n%%EOF\n".encode()
    return bytes(out)
