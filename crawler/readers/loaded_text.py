"""A text in memory as UTF-8, as many lines of it as are wanted; the others are only counted."""

import codecs
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from crawler.readers.encoding import encoding_of

_CHUNK = 8 * 1024**2
_SUSPICIOUS = 64 * 1024
MAX_BYTES = 1000**3
"""Text that is held in memory at once; lines beyond it are counted as those beyond the bounds."""


@dataclass(frozen=True, slots=True)
class LoadedText:
    """The first lines of a text, which all end with a line feed."""

    data: bytes
    encoding: str
    """The one that was asked for, or another where the text turned out not to be in it."""
    lines_beyond: int
    """Lines that were not loaded."""


def load_text(
    stream: BinaryIO, encoding: str, most_lines: int, *, count_rest: bool = True
) -> LoadedText:
    """Reads a text from its start on. What cannot be decoded becomes replacement characters."""
    stream.seek(0)
    kept: list[bytes] = []
    lines = size = beyond = 0
    last = b""
    for chunk in _chunks(stream, encoding):
        last, here = chunk, chunk.count(b"\n")
        is_full = lines >= most_lines or size >= MAX_BYTES
        wanted = 0 if is_full else min(here, most_lines - lines)
        if not is_full:
            kept.append(chunk if wanted == here else chunk[: end_of_line(chunk, wanted)])
            lines += wanted
            size += len(chunk)
        beyond += here - wanted
        if not count_rest and (is_full or wanted < here):
            break
    if beyond and last and not last.endswith(b"\n"):
        beyond += 1
    data, encoding = _as_utf8(b"".join(kept), encoding)
    return LoadedText(data, encoding, beyond)


def end_of_line(data: bytes, number: int) -> int:
    """Where the line after this many lines begins."""
    place = 0
    for _ in range(number):
        found = data.find(b"\n", place)
        if found < 0:
            return len(data)
        place = found + 1
    return place


def _chunks(stream: BinaryIO, encoding: str) -> Iterator[bytes]:
    """The bytes with line feeds only at line ends; UTF-16 and UTF-32 as UTF-8 already."""
    wide = encoding.startswith(("utf-16", "utf-32"))
    decoder = codecs.getincrementaldecoder(encoding)("replace") if wide else None
    while data := stream.read(_CHUNK):
        if decoder is not None:
            data = decoder.decode(data).encode("utf-8", "replace")
        if data.endswith(b"\r"):
            # The line feed that may belong to it must not come as a line of its own.
            following = stream.read(2 if wide else 1)
            if decoder is not None:
                following = decoder.decode(following).encode("utf-8", "replace")
            data += following
        yield _with_line_feeds(data)


def _with_line_feeds(data: bytes) -> bytes:
    if b"\r" not in data or data.count(b"\r") == data.count(b"\r\n"):
        return data
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _as_utf8(data: bytes, encoding: str) -> tuple[bytes, str]:
    """The text in UTF-8, and the encoding that it was in after all."""
    if encoding.startswith(("utf-16", "utf-32")):
        return data.removeprefix(codecs.BOM_UTF8), encoding
    if encoding == "utf-8-sig":
        data = data.removeprefix(codecs.BOM_UTF8)
    if encoding in ("utf-8", "utf-8-sig"):
        if _is_utf8(data):
            return data, encoding
        if encoding == "utf-8":
            encoding = _from_first_strange(data)
    return data.decode(encoding, "replace").encode("utf-8", "replace"), encoding


def _from_first_strange(data: bytes) -> str:
    """A file may be plain ASCII for long, and show only late that it is not UTF-8."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        start = data.rfind(b"\n", 0, error.start) + 1
        return encoding_of([data[start : start + _SUSPICIOUS]]) or "utf-8"
    return "utf-8"


def _is_utf8(data: bytes) -> bool:
    if data.isascii():
        return True
    import pyarrow as pa

    # Arrow checks some gigabytes a second, and makes no text of it: one value, the whole buffer.
    ends = pa.array([0, len(data)], pa.int64()).buffers()[1]
    value = pa.Array.from_buffers(pa.large_binary(), 1, [None, ends, pa.py_buffer(data)])
    try:
        value.cast(pa.large_string())
    except pa.ArrowInvalid:
        return False
    return True
