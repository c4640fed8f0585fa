"""Landlock (Linux 5.13): the kernel lets this process touch the files it was given, and no others.

No privilege is needed, and nothing can be taken back: what the process starts or does later is held
by the same rules. See landlock(7).
"""

import ctypes
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION = 1
_PATH_BENEATH = 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = (1 << bit for bit in range(4))
_TRUNCATE = 1 << 14
_READ = _READ_FILE | _READ_DIR
_RIGHTS_BY_VERSION = ((1, 13), (2, 14), (3, 15), (5, 16))
"""From a version on, so many rights of files are known; the lowest bits are the oldest."""
_TCP_FROM, _SCOPES_FROM = 4, 6
_ALL_TCP = 0b11
_ALL_SCOPES = 0b11
"""No abstract socket and no signal to a process outside."""


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("tcp", ctypes.c_uint64), ("scopes", ctypes.c_uint64))


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def version() -> int:
    """The version of Landlock that the kernel offers; 0 when there is none."""
    return max(0, _system_call(_CREATE_RULESET, None, 0, _VERSION))


def restrict_files(readable: Iterable[Path], writable: Iterable[Path]) -> None:
    """Lets this process read and write below these paths only. Raises OSError where it cannot.

    Needs `no_new_privileges` before. Network and signals to others end too, where the kernel knows.
    """
    known = version()
    if not known:
        raise OSError("the kernel has no Landlock, or it is switched off")
    rights = (
        1 << next(count for since, count in reversed(_RIGHTS_BY_VERSION) if known >= since)
    ) - 1
    ruleset = _Ruleset(
        rights, _ALL_TCP if known >= _TCP_FROM else 0, _ALL_SCOPES if known >= _SCOPES_FROM else 0
    )
    size = 24 if known >= _SCOPES_FROM else 16 if known >= _TCP_FROM else 8
    handle = _checked(_CREATE_RULESET, ctypes.byref(ruleset), size, 0)
    try:
        for path in readable:
            _allow(handle, path, _READ)
        for path in writable:
            _allow(handle, path, rights & ~_EXECUTE)
        _checked(_RESTRICT_SELF, handle, 0)
    finally:
        os.close(handle)


def _allow(ruleset: int, path: Path, rights: int) -> None:
    # What does not exist needs no rule.
    with suppress(FileNotFoundError, PermissionError):
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
        try:
            if not path.is_dir():
                rights &= _READ_FILE | _WRITE_FILE | _TRUNCATE
            rule = _PathBeneath(rights, descriptor)
            _checked(_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.byref(rule), 0)
        finally:
            os.close(descriptor)


def _checked(number: int, *arguments: object) -> int:
    result = _system_call(number, *arguments)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"Landlock: {os.strerror(code)}")
    return result


def _system_call(number: int, *arguments: object) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    wide = [
        ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments
    ]
    return int(libc.syscall(ctypes.c_long(number), *wide))
