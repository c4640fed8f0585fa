"""The bytes of an object compared with the SHA-256 that they are kept under."""

import hashlib
from typing import BinaryIO

from crawler.errors import ObjectDamaged


def damaged(where: object, detail: str) -> ObjectDamaged:
    """The error for an object whose bytes are not those that were stored."""
    return ObjectDamaged(
        f"{where}: is damaged: {detail}; the next crawl that receives the file puts it right"
    )


def hash_of(stream: BinaryIO) -> str:
    """The SHA-256 of a stream from where it stands to its end."""
    return hashlib.file_digest(stream, "sha256").hexdigest()  # type: ignore[arg-type]
