"""Compressed replicas: unpacked beside the one that is made of them, and only for that long."""

import bz2
import gzip
import lzma
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from io import BufferedIOBase
from pathlib import Path
from typing import cast

from crawler.errors import ConfigError, StorageError

MAX_UNPACKED_BYTES = 50 * 1000**3
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
    with ExitStack() as stack:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            target = stack.enter_context(
                tempfile.NamedTemporaryFile(dir=folder, prefix=".unpacked-", suffix=".db")
            )
            for piece in _pieces(source, opener):
                target.write(piece)
            target.flush()
        except OSError as error:
            raise StorageError(f"{source} cannot be unpacked into {folder}: {error}") from error
        yield Path(target.name)


def _opener(source: Path) -> Opener | None:
    try:
        with source.open("rb") as file:
            beginning = file.read(8)
    except OSError as error:
        raise ConfigError(f"{source} cannot be read: {error}") from error
    return next((_OPENERS[magic] for magic in _OPENERS if beginning.startswith(magic)), None)


def _pieces(source: Path, opener: Opener) -> Iterator[bytes]:
    size = 0
    try:
        with opener(source) as packed:
            while piece := packed.read(_AT_ONCE):
                size += len(piece)
                if size > MAX_UNPACKED_BYTES:
                    limit = f"{MAX_UNPACKED_BYTES / 1000**3:.0f} GB"
                    raise ConfigError(f"{source} holds more than {limit}")
                yield piece
    except (OSError, EOFError, lzma.LZMAError, zlib.error, ValueError) as error:
        raise ConfigError(f"{source} cannot be unpacked: {error}") from error
