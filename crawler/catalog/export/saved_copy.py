"""A copy of a file on this machine."""

import shutil
from pathlib import Path
from typing import BinaryIO

from crawler.errors import StorageError


def save_copy(source: BinaryIO, target: Path) -> Path:
    """Writes what the source has to a path, complete or not at all."""
    partial = target.with_name(f".{target.name[:100]}.part")
    try:
        with partial.open("wb") as file:
            shutil.copyfileobj(source, file, 1024**2)
        partial.replace(target)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise StorageError(f"{target}: {error.strerror or error}") from error
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    return target
