"""A file on this machine that is there complete, or not at all."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from crawler.errors import StorageError


@contextmanager
def writing(target: Path) -> Iterator[BinaryIO]:
    """Where to write the bytes of a file; without an exception they are the file afterwards."""
    partial = target.with_name(f".{target.name[:100]}.part")
    try:
        with partial.open("wb") as file:
            yield file
        partial.replace(target)
    except OSError as error:
        raise StorageError(f"{target}: {error.strerror or error}") from error
    finally:
        # Where its folder is a file, that is what the error says already.
        with suppress(OSError):
            partial.unlink()


def save_copy(source: BinaryIO, target: Path) -> Path:
    """Writes what the source has to a path."""
    with writing(target) as file:
        shutil.copyfileobj(source, file, 1024**2)
    return target
