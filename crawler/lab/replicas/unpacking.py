"""Compressed replicas: unpacked beside the one that is made of them, and only for that long."""

import bz2
import gzip
import lzma
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BufferedIOBase
from pathlib import Path
from typing import IO, cast

from crawler.errors import ConfigError

MOST_UNPACKED_BYTES = 50 * 1000**3
_AT_ONCE = 1 << 20


def _zstandard(path: Path) -> BufferedIOBase:
    import pyarrow as pa

    return cast("BufferedIOBase", pa.input_stream(str(path), compression="zstd"))


Opener = Callable[[Path], BufferedIOBase]
_OPENERS: dict[bytes, Opener] = {
    b"\x28\xb5\x2f\xfd": _zstandard,
    b"\xfd7zXZ\x00": lzma.LZMAFile,
    b"\x1f\x8b": gzip.GzipFile,
    b"BZh": bz2.BZ2File,
}
"""By the first bytes: a file's name may say anything."""


@contextmanager
def unpacked(source: Path, folder: Path) -> Iterator[Path]:
    """The file itself or, for a compressed one, what it holds, in this folder for a while."""
    opener = _opener(source)
    if opener is None:
        yield source
        return
    with tempfile.NamedTemporaryFile(dir=folder, prefix=".unpacked-", suffix=".db") as target:
        try:
            with opener(source) as packed:
                _copy(packed, target, source)
        except (OSError, EOFError, lzma.LZMAError, zlib.error, ValueError) as error:
            raise ConfigError(f"{source} cannot be unpacked: {error}") from error
        target.flush()
        yield Path(target.name)


def _opener(source: Path) -> Opener | None:
    try:
        with source.open("rb") as file:
            beginning = file.read(8)
    except OSError as error:
        raise ConfigError(f"{source} cannot be read: {error}") from error
    return next((_OPENERS[magic] for magic in _OPENERS if beginning.startswith(magic)), None)


def _copy(packed: BufferedIOBase, target: IO[bytes], source: Path) -> None:
    written = 0
    while piece := packed.read(_AT_ONCE):
        written += len(piece)
        if written > MOST_UNPACKED_BYTES:
            raise ConfigError(f"{source} holds more than {MOST_UNPACKED_BYTES / 1000**3:.0f} GB")
        target.write(piece)
