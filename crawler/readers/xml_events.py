"""XML as a stream of events, without entities, bounded in depth."""

import codecs
import re
from collections.abc import Callable
from typing import BinaryIO, NoReturn
from xml.parsers import expat

from crawler.pages import encoding as page_encoding
from crawler.readers.bounds import Bounds
from crawler.readers.content import Trouble
from crawler.readers.unreadable import Unreadable

_CHUNK = 256 * 1024
_MAX_ENTITY = 1024
_DECLARED = re.compile(rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9_.:-]{1,40})""")
_SEVERAL_BYTES = ("big5hkscs", "cp932", "cp949", "euc_jp", "gb18030", "iso2022_jp")
"""The encodings that the parser does not know by itself."""
_AT_THE_END = {
    expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS],
    expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_TOKEN],
    expat.errors.codes[expat.errors.XML_ERROR_PARTIAL_CHAR],
    expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION],
}
_AMPLIFIED = 43
"""XML_ERROR_AMPLIFICATION_LIMIT_BREACH, which has no name in Python."""

Started = Callable[[str, dict[str, str]], None]
Ended = Callable[[str], None]
Said = Callable[[str], None]


class Enough(Exception):
    """Raised by a handler that wants no more of the document."""


def local_name(name: str) -> str:
    """A name without its namespace or prefix."""
    return name.rpartition(":")[2]


def read_events(
    stream: BinaryIO, bounds: Bounds, started: Started, ended: Ended, said: Said | None = None
) -> None:
    """Calls a handler for every element of a document; raises Unreadable where it is no XML."""
    stream.seek(0)
    chunk = stream.read(_CHUNK)
    decoder = _decoder(chunk)
    # Whatever the document declares: what is decoded here comes as UTF-8.
    encoding = None if decoder is None else "utf-8"
    parser = _Parser(bounds.depth, started, ended, said, encoding)
    try:
        while chunk:
            parser.feed(decoder.decode(chunk).encode("utf-8") if decoder else chunk)
            chunk = stream.read(_CHUNK)
        parser.feed(b"", last=True)
    except Enough:
        return
    except expat.ExpatError as error:
        _refuse(error)


class _Parser:
    def __init__(
        self, depth: int, started: Started, ended: Ended, said: Said | None, encoding: str | None
    ) -> None:
        self._most = depth
        self._depth = 0
        self._started = started
        self._ended = ended
        self._parser = expat.ParserCreate(encoding)
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.EntityDeclHandler = _refuse_entity
        self._parser.ExternalEntityRefHandler = _refuse_reference
        if said is not None:
            self._parser.CharacterDataHandler = said

    def feed(self, data: bytes, *, last: bool = False) -> None:
        self._parser.Parse(data, last)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > self._most:
            raise Unreadable(Trouble.TOO_DEEP, f"the XML is nested more than {self._most} deep")
        self._started(name, attributes)

    def _end(self, name: str) -> None:
        self._depth -= 1
        self._ended(name)


def _refuse_entity(name: str, _is_parameter: bool, value: str | None, *_: object) -> None:
    """Entities made of entities, or long ones, are there to fill the memory."""
    if value is None:
        return
    if "&" in value or "%" in value or len(value) > _MAX_ENTITY:
        raise Unreadable(Trouble.BOMB, f"the XML declares an entity '{name[:40]}' that multiplies")


def _refuse_reference(*_: object) -> int:
    """What another file says is never fetched; without it the document is not what it seems."""
    raise Unreadable(Trouble.UNSUPPORTED, "the XML wants to read another file")


def _decoder(head: bytes) -> codecs.IncrementalDecoder | None:
    """For the encodings of several bytes that the parser does not know."""
    found = _DECLARED.match(head.removeprefix(codecs.BOM_UTF8).lstrip())
    if found is None:
        return None
    # Bytes that are no UTF-8, so that the label decides, among the encodings of the web only.
    codec, _ = page_encoding.detect(b"\xff", f"text/xml; charset={found[1].decode('ascii')}")
    return codecs.getincrementaldecoder(codec)("replace") if codec in _SEVERAL_BYTES else None


def _refuse(error: expat.ExpatError) -> NoReturn:
    detail = f"{expat.ErrorString(error.code)} in line {error.lineno}"
    if error.code == _AMPLIFIED:
        raise Unreadable(Trouble.BOMB, detail) from error
    trouble = Trouble.TRUNCATED if error.code in _AT_THE_END else Trouble.CORRUPT
    raise Unreadable(trouble, detail) from error
