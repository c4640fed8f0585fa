"""How the first cells of Excel sheets are styled: number format, font, borders and fill in one.

The library that reads the cells leaves styles out. Which style a cell has is a number; what it
means is not asked: rows of values are styled like the rows below them, and headers are not.
"""

import posixpath
import re
import zipfile
from typing import BinaryIO
from xml.sax.saxutils import unescape

from crawler.readers.grid import Styles
from crawler.readers.sheet_extent import column_number
from crawler.readers.unreadable import Unreadable
from crawler.readers.zip_files import open_zip

_WORKBOOK, _RELATIONS = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
_STYLES = "xl/styles.xml"
_GENERAL = ("0", "49")
"""No format, and text."""
_MAX_SHEETS = 20
_MAX_LIST = 512 * 1024
_MAX_HEAD = 128 * 1024
"""Of each sheet: a header stands at its top."""
_SHEET = re.compile(r"<(?:\w+:)?sheet\b[^>]*>")
_RELATION = re.compile(r"<(?:\w+:)?Relationship\b[^>]*>")
_ATTRIBUTE = re.compile(r"""([\w:]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_XF = re.compile(r"<(?:\w+:)?xf\b[^>]*>")
_FORMAT = re.compile(r"""numFmtId\s*=\s*["'](\d+)""")
_CELL = re.compile(rb'<(?:\w+:)?c r="([A-Z]{1,3})(\d{1,7})"(?: s="(\d{1,5})")?')


def styles_of_xlsx(stream: BinaryIO) -> dict[str, Styles]:
    """The styles of the first rows of each sheet, by its name; none where they cannot be read."""
    stream.seek(0)
    try:
        with open_zip(stream) as archive:
            parts = _parts(archive)
            general = _general(archive)
            return {
                name: Styles(_rows(_start(archive, part, _MAX_HEAD)), general)
                for name, part in parts.items()
            }
    except (Unreadable, KeyError, zipfile.BadZipFile, OSError, ValueError):
        # The cells say what is wrong with the file; how they look is only a help.
        return {}


def _parts(archive: zipfile.ZipFile) -> dict[str, str]:
    """The part of the archive that holds each sheet."""
    targets = {
        own.get("Id", ""): posixpath.normpath(posixpath.join("xl", own.get("Target", "")))
        for own in _elements(archive, _RELATIONS, _RELATION)
    }
    parts: dict[str, str] = {}
    for own in _elements(archive, _WORKBOOK, _SHEET)[:_MAX_SHEETS]:
        relation = next((value for key, value in own.items() if key.endswith(":id")), "")
        if relation in targets:
            parts[own.get("name", "")] = targets[relation].lstrip("/")
    return parts


def _elements(
    archive: zipfile.ZipFile, part: str, pattern: re.Pattern[str]
) -> list[dict[str, str]]:
    text = _start(archive, part, _MAX_LIST).decode("utf-8", "replace")
    return [
        {
            name: unescape(quoted or single, {"&quot;": '"', "&apos;": "'"})
            for name, quoted, single in _ATTRIBUTE.findall(element)
        }
        for element in pattern.findall(text)
    ]


def _start(archive: zipfile.ZipFile, part: str, size: int) -> bytes:
    with archive.open(part) as stream:
        return stream.read(size)


def _general(archive: zipfile.ZipFile) -> frozenset[int]:
    """The styles of cells that give numbers no format of their own."""
    text = _start(archive, _STYLES, _MAX_LIST).decode("utf-8", "replace")
    cells = text.partition("cellXfs")[2].partition("cellXfs>")[0]
    formats = [found[1] if (found := _FORMAT.search(one)) else "0" for one in _XF.findall(cells)]
    return frozenset(style for style, number in enumerate(formats) if number in _GENERAL)


def _rows(head: bytes) -> dict[int, dict[int, int]]:
    rows: dict[int, dict[int, int]] = {}
    for letters, number, style in _CELL.findall(head):
        rows.setdefault(int(number) - 1, {})[column_number(letters) - 1] = int(style or 0)
    return rows
