"""A filter of system calls (seccomp): no network, no programs, no hand on processes and modes.

The process has its one socket already; with the filter it makes no other. What is refused fails
with EPERM, as if a right were missing, so that a library can say so. See seccomp(2).
"""

import ctypes
import errno
import os
import platform

_PR_SET_SECCOMP = 22
_MODE_FILTER = 2

_LOAD, _JUMP_EQUAL, _JUMP_AT_LEAST, _JUMP_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
_ALLOW = 0x7FFF0000
_KILL = 0x80000000
_REFUSE = 0x00050000
_CLONE_THREAD = 0x10000
_OTHER_ABI = 0x40000000
"""x86-64 with pointers of 32 bits has numbers of its own, from here on."""


# fmt: off
_REFUSED = {  # x86-64, and what every later architecture took from arm64
    "socket": (41, 198), "socketpair": (53, 199), "connect": (42, 203), "bind": (49, 200),
    "listen": (50, 201), "accept": (43, 202), "accept4": (288, 242),
    "fork": (57, None), "vfork": (58, None), "execve": (59, 221), "execveat": (322, 281),
    "setpgid": (109, 154), "setsid": (112, 157),
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "kcmp": (312, 272), "tkill": (200, 130), "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240), "pidfd_send_signal": (424, 424), "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438), "process_madvise": (440, 440),
    # These would go around the filter.
    "io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427),
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "unshare": (272, 97), "setns": (308, 268),
    "reboot": (169, 142), "init_module": (175, 105), "finit_module": (313, 273),
    "kexec_load": (246, 104), "kexec_file_load": (320, 294), "bpf": (321, 280),
    "perf_event_open": (298, 241), "userfaultfd": (323, 282), "fanotify_init": (300, 262),
    "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    # Landlock lets a process change modes, owners, times and attributes of files it cannot open.
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452),
    "chown": (92, None), "fchown": (93, 55), "lchown": (94, None), "fchownat": (260, 54),
    "utime": (132, None), "utimes": (235, None), "futimesat": (261, None), "utimensat": (280, 88),
    "setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7), "setxattrat": (463, 463),
    "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16),
    "removexattrat": (466, 466), "file_setattr": (469, 469),
    "shmget": (29, 194), "semget": (64, 190), "msgget": (68, 186), "mq_open": (240, 180),
}
_ON_ITSELF = {"kill": (62, 129), "tgkill": (234, 131)}
"""Allowed towards this process alone."""
_ON_ZERO = {"prlimit64": (302, 261)}
"""Allowed for the process 0 alone, which means itself."""
_CLONE, _CLONE3 = (56, 220), (435, 435)
# fmt: on

_COLUMNS = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""Which column of the tables, and the name of the architecture in the kernel's audit."""

_Instruction = tuple[int, int, int, int]


class _Filter(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_uint16),
        ("if_true", ctypes.c_uint8),
        ("if_false", ctypes.c_uint8),
        ("value", ctypes.c_uint32),
    )


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_uint16), ("filters", ctypes.POINTER(_Filter)))


def refuse_system_calls() -> None:
    """Refuses them for the rest of this process. Raises OSError where that is not possible.

    Needs `no_new_privileges` before.
    """
    machine = _COLUMNS.get(platform.machine())
    if machine is None or ctypes.sizeof(ctypes.c_void_p) != 8:
        raise OSError(f"no filter of system calls is known for {platform.machine()}")
    instructions = _program(*machine, os.getpid())
    filters = (_Filter * len(instructions))(*(_Filter(*each) for each in instructions))
    program = _Program(len(instructions), filters)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(program), 0, 0):
        code = ctypes.get_errno()
        raise OSError(code, f"seccomp: {os.strerror(code)}")


def _program(column: int, architecture: int, pid: int) -> list[_Instruction]:
    refuse = (_RETURN, 0, 0, _REFUSE | errno.EPERM)
    allow = (_RETURN, 0, 0, _ALLOW)
    made: list[_Instruction] = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_JUMP_EQUAL, 1, 0, architecture),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
        (_JUMP_AT_LEAST, 0, 1, _OTHER_ABI),
        refuse,
        # Without clone3 the C library starts threads with clone, whose flags can be looked at.
        (_JUMP_EQUAL, 0, 1, _CLONE3[column]),
        (_RETURN, 0, 0, _REFUSE | errno.ENOSYS),
        (_JUMP_EQUAL, 0, 4, _CLONE[column]),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        (_JUMP_ANY_BIT, 0, 1, _CLONE_THREAD),
        allow,
        refuse,
    ]
    limited = [(numbers, 0) for numbers in _ON_ZERO.values()]
    limited += [(numbers, pid) for numbers in _ON_ITSELF.values()]
    for numbers, only in limited:
        made += [
            (_JUMP_EQUAL, 0, 4, numbers[column]),
            (_LOAD, 0, 0, _FIRST_ARGUMENT),
            (_JUMP_EQUAL, 0, 1, only),
            allow,
            refuse,
        ]
    for row in _REFUSED.values():
        number = row[column]
        if number is not None:
            made += [(_JUMP_EQUAL, 0, 1, number), refuse]
    return [*made, allow]
