"""What a disk holds after a power failure: what was synced, and some of what was not.

A log of `disk_log.c` is replayed up to the moment of the failure. Bytes that were written and not
synced are lost, torn at sectors, or kept out of order; names that were given in a folder which was
not synced since are kept up to some point only.
"""

import shutil
import struct
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

SHIM = Path(__file__).with_name("disk_log.c")
SECTOR = 512
_NUMBERS = struct.Struct("=QQQQQ")


def build_shim(folder: Path) -> Path:
    """Compiles the shim; a C compiler is among what the project needs anyway."""
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))))
    library = folder / "disk_log.so"
    command = [compiler, "-O1", "-shared", "-fPIC", "-o", str(library), str(SHIM), "-ldl"]
    subprocess.run(command, check=True)
    return library


@dataclass(frozen=True, slots=True)
class Operation:
    """One thing that the disk was asked for."""

    kind: str
    inode: int
    offset: int
    path: str
    other: str
    data: bytes


def read_log(path: Path) -> list[Operation]:
    """All operations in their order."""
    return list(_records(path.read_bytes()))


def _records(log: bytes) -> Iterator[Operation]:
    at = 0
    while at < len(log):
        kind = chr(log[at])
        inode, offset, size, one, two = _NUMBERS.unpack_from(log, at + 1)
        at += 1 + _NUMBERS.size
        path, other = log[at : at + one].decode(), log[at + one : at + one + two].decode()
        at += one + two
        data = b""
        if kind == "W":
            data = log[at : at + size]
            at += size
        yield Operation(kind, inode, offset, path, other, data)


@dataclass(slots=True)
class _File:
    durable: bytearray = field(default_factory=bytearray)
    pending: list[Operation] = field(default_factory=list)

    def sync(self) -> None:
        for operation in self.pending:
            _apply(self.durable, operation)
        self.pending.clear()

    def after_failure(self, chance: Random) -> bytes:
        content = bytearray(self.durable)
        habit = chance.choice(["lost", "kept", "some", "torn"])
        for operation in self.pending:
            if habit == "kept" or (habit == "some" and chance.random() < 0.5):
                _apply(content, operation)
            elif habit == "torn" and operation.kind == "W":
                for start in range(0, len(operation.data), SECTOR):
                    if chance.random() < 0.5:
                        part = operation.data[start : start + SECTOR]
                        _write(content, operation.offset + start, part)
        return bytes(content)


class Disk:
    """The files below a folder, as a log changes them."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._files: defaultdict[int, _File] = defaultdict(_File)
        self._names: dict[str, int] = {}
        self._pending: defaultdict[str, list[Operation]] = defaultdict(list)

    def do(self, operation: Operation) -> None:
        """One operation reaches the disk's cache."""
        match operation.kind:
            case "W" | "T":
                self._files[operation.inode].pending.append(operation)
            case "S":
                if operation.inode in self._files:
                    self._files[operation.inode].sync()
                for pending in self._pending.pop(operation.path, []):
                    self._name(self._names, pending)
            case "N" | "R" | "U":
                # A new file may be empty, and is one from now on.
                _ = self._files[operation.inode]
                folder = operation.other or operation.path
                self._pending[folder.rpartition("/")[0]].append(operation)

    @staticmethod
    def _name(names: dict[str, int], operation: Operation) -> None:
        match operation.kind:
            case "N":
                names[operation.path] = operation.inode
            case "U":
                names.pop(operation.path, None)
            case "R":
                names.pop(operation.path, None)
                names[operation.other] = operation.inode

    def after_failure(self, chance: Random) -> None:
        """Puts what is left into the folder, in place of everything that is there."""
        names = dict(self._names)
        for pending in self._pending.values():
            for operation in pending[: chance.randint(0, len(pending))]:
                self._name(names, operation)
        shutil.rmtree(self._root, ignore_errors=True)
        for path, inode in names.items():
            if path.endswith("-shm"):
                continue  # memory that is shared by processes, all of which are dead
            target = Path(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(self._files[inode].after_failure(chance))


def _apply(content: bytearray, operation: Operation) -> None:
    if operation.kind == "T":
        del content[operation.offset :]
        content.extend(bytes(operation.offset - len(content)))
    else:
        _write(content, operation.offset, operation.data)


def _write(content: bytearray, offset: int, data: bytes) -> None:
    if offset > len(content):
        content.extend(bytes(offset - len(content)))
    content[offset : offset + len(data)] = data
