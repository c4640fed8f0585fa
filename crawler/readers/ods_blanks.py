"""OpenDocument spreadsheets that were written for people: line ends and blanks between the tags."""

import io
import re
import zipfile
from typing import BinaryIO

from crawler.readers.content import Trouble
from crawler.readers.unreadable import Unreadable
from crawler.readers.zip_files import open_zip

_CONTENT = "content.xml"
_MAX_CONTENT = 300 * 1000**2
_BLANKS = re.compile(rb"(?<=>)\s+(?=</?(?:table|office):)")


def without_blanks_between_cells(stream: BinaryIO) -> io.BytesIO:
    """The same spreadsheet with nothing between the tags of its tables."""
    stream.seek(0)
    target = io.BytesIO()
    with open_zip(stream) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as copy:
        for info in source.infolist():
            if info.filename == _CONTENT and info.file_size > _MAX_CONTENT:
                raise Unreadable(Trouble.TOO_LARGE, "its content is larger than may be rewritten")
            if info.filename not in (_CONTENT, "mimetype", "META-INF/manifest.xml"):
                continue
            data = source.read(info)
            if info.filename == _CONTENT:
                data = _BLANKS.sub(b"", data)
            copy.writestr(info.filename, data)
    target.seek(0)
    return target
