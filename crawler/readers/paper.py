"""Documents for people (Word, OpenDocument, rich text): their text, to tell what language it is."""

import re
import zipfile
from collections.abc import Iterator
from typing import BinaryIO

from crawler.readers.bounds import DEFAULT_BOUNDS, Bounds
from crawler.readers.content import Content, Paper, Trouble
from crawler.readers.kinds import Kind
from crawler.readers.packing import Meter, bytes_at, size_of
from crawler.readers.unreadable import Unreadable, said
from crawler.readers.workbook_checks import is_encrypted_ole
from crawler.readers.zip_files import open_zip, refuse_bombs

SAMPLE = 4000
_MAX_TEXT = 4 * 1000**2
_MAX_RICH_TEXT = 1000**2
_TEXT_PARTS = re.compile(r"word/document\d?\.xml|content\.xml|ppt/slides/slide\d{1,4}\.xml")
_MAX_PARTS = 100
_OFFICE_TEXT = ("}t", "}p", "}h", "}span", "}a")
_GROUPS_TO_SKIP = re.compile(
    r"\{\\(?:\*|fonttbl|colortbl|stylesheet|info|pict)[^{}]*(?:\{[^{}]*\}[^{}]*)*\}"
)
_CONTROL = re.compile(r"\\(?:'[0-9a-fA-F]{2}|u-?\d+ ?\??|[a-zA-Z]+-?\d* ?|[^a-zA-Z])|[{}]")


def read_paper(stream: BinaryIO, bounds: Bounds = DEFAULT_BOUNDS) -> Content:
    """The text of a document as far as it can be read; documents before 2007 are not opened."""
    head = bytes_at(stream, 0, 8)
    if head.startswith(b"PK"):
        return _content(_text_of_zip(stream, bounds))
    if head.startswith(b"{\\rtf"):
        return _content(_text_of_rtf(stream))
    if is_encrypted_ole(stream):
        raise Unreadable(Trouble.ENCRYPTED, "it is protected with a password")
    return Content(Kind.DOCUMENT, paper=Paper(), detail="a document of before 2007")


def _content(text: str) -> Content:
    clean = " ".join(text.split())
    return Content(Kind.DOCUMENT, paper=Paper(characters=len(clean), sample=clean[:SAMPLE]))


def _text_of_zip(stream: BinaryIO, bounds: Bounds) -> str:
    archive = open_zip(stream)
    infos = archive.infolist()
    refuse_bombs(infos, Meter(size_of(stream), bounds))
    parts = [info for info in infos if _TEXT_PARTS.fullmatch(info.filename)][:_MAX_PARTS]
    if any(info.flag_bits & 1 for info in parts):
        raise Unreadable(Trouble.ENCRYPTED, "it is protected with a password")
    found: list[str] = []
    size = 0
    for info in parts:
        for text in _texts(archive, info):
            found.append(text)
            size += len(text)
            if size > _MAX_TEXT:
                return " ".join(found)
    return " ".join(found)


def _texts(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Iterator[str]:
    from lxml import etree

    try:
        with archive.open(info) as part:
            for _, element in etree.iterparse(
                part, resolve_entities=False, no_network=True, load_dtd=False, recover=True
            ):
                tag = element.tag
                if isinstance(tag, str) and tag.endswith(_OFFICE_TEXT):
                    yield " ".join(text for text in (element.text, element.tail) if text)
                element.clear(keep_tail=False)
    except MemoryError:
        raise
    except Exception as error:  # zipfile's own, those of zlib and of lxml
        raise Unreadable(Trouble.CORRUPT, said(error)) from error


def _text_of_rtf(stream: BinaryIO) -> str:
    text = stream.read(_MAX_RICH_TEXT).decode("cp1252", "replace")
    return _CONTROL.sub(_plain, _GROUPS_TO_SKIP.sub(" ", text))


def _plain(control: "re.Match[str]") -> str:
    """Characters that are written as numbers, and ends of paragraphs."""
    word = control.group()
    if word.startswith("\\'"):
        return bytes([int(word[2:], 16)]).decode("cp1252", "replace")
    if word.startswith("\\u") and word[2:3] in "-0123456789":
        number = int(word[2:].rstrip(" ?")) % 65_536
        return "" if 0xD800 <= number < 0xE000 else chr(number)
    return " " if word.startswith(("\\par", "\\tab", "\\line", "\\cell", "\\row")) else ""
