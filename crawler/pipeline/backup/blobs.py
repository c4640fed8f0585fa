"""Blobs from one store into another, a few at a time, each compared with its hash."""

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from enum import Enum, auto
from hashlib import sha256 as new_sha256
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from crawler.storage.durable_file import make_durable_folder
from crawler.storage.hashes import hash_of
from crawler.storage.interface import ObjectStore

_PIECE = 1 << 20
_AT_ONCE = 8
"""Small objects of a server wait for its answer most of the time."""
_HANDED_OUT = 256


class Copied(Enum):
    """What became of one blob."""

    COPIED = auto()
    LINKED = auto()
    """An earlier backup had it."""
    ABSENT = auto()
    DAMAGED = auto()


def copy_blobs(names: Iterable[str], copy: Callable[[str], Copied]) -> Iterator[tuple[str, Copied]]:
    """Copy many; each name with what became of it, in their order."""
    names = iter(names)
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        while some := list(islice(names, _HANDED_OUT)):
            yield from zip(some, pool.map(copy, some), strict=True)


def copy_blob(file: BinaryIO, target: ObjectStore, sha256: str) -> Copied:
    """Copy one, which is closed; nothing is kept of bytes that are not those of the hash."""
    digest, spool = new_sha256(), target.spool()
    try:
        with file:
            while piece := file.read(_PIECE):
                digest.update(piece)
                spool.write(piece)
        if digest.hexdigest() != sha256:
            return Copied.DAMAGED
        spool.finish()
    finally:
        spool.discard()
    return Copied.COPIED


def link_blob(source: Path, target: Path, sha256: str) -> bool:
    """Give a file of an earlier backup a second name, if it is there and sound."""
    with suppress(OSError):
        with source.open("rb") as file:
            if hash_of(file) != sha256:
                return False
        make_durable_folder(target.parent)
        os.link(source, target)
        return True
    return False
