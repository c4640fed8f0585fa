"""What a file would have its reader do if it could run code there: every way out we know of."""

import ctypes
import errno
import os
import platform
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

_LIBC = ctypes.CDLL(None, use_errno=True)
_COLUMN = 0 if platform.machine() == "x86_64" else 1
_NUMBERS = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "pidfd_open": (434, 434),
    "io_uring_setup": (425, 425),
    "unshare": (272, 97),
    "mount": (165, 40),
    "chroot": (161, 51),
    "bpf": (321, 280),
    "keyctl": (250, 219),
    "userfaultfd": (323, 282),
    "perf_event_open": (298, 241),
    "open_by_handle_at": (304, 265),
    "clone": (56, 220),
    "clone3": (435, 435),
    "execveat": (322, 281),
}
_CLONE_NEWUSER = 0x10000000
_SIGCHLD = 17


@dataclass(frozen=True, slots=True)
class Outside:
    """What lies outside of the cell, to be reached from within."""

    tcp_port: int
    udp_port: int
    unix_socket: str
    folder: str
    """Holds a file `kept`."""
    parent: int

    def written(self) -> str:
        """As an item of the pool."""
        return "|".join(
            map(str, (self.tcp_port, self.udp_port, self.unix_socket, self.folder, self.parent))
        )

    @staticmethod
    def read(text: str) -> "Outside":
        """Back from an item."""
        tcp, udp, unix_socket, folder, parent = text.split("|")
        return Outside(int(tcp), int(udp), unix_socket, folder, int(parent))


def attempts(outside: Outside) -> Mapping[str, Callable[[], object]]:
    """Each way out, by its name; each raises where it is closed."""
    return {
        **_connections(outside),
        **_writes(outside),
        **_secrets(outside),
        **_processes(outside),
    }


def allowed() -> Mapping[str, Callable[[], object]]:
    """What a reader needs, and what must work for the others to mean anything."""
    return {
        "write in its own folder": lambda: Path(tempfile.gettempdir(), "x").write_text("x"),
        "read a library": lambda: Path(os.__file__).read_text()[:1],
        "look at itself": lambda: Path("/proc/self/status").read_text(),
    }


def _connections(outside: Outside) -> dict[str, Callable[[], object]]:
    local = ("127.0.0.1", outside.tcp_port)
    return {
        "connect by tcp": lambda: socket.create_connection(local, 5),
        "connect by tcp over ipv6": lambda: socket.socket(socket.AF_INET6).connect(
            ("::1", outside.tcp_port)
        ),
        "send by udp": lambda: socket.socket(type=socket.SOCK_DGRAM).sendto(
            b"x", ("127.0.0.1", outside.udp_port)
        ),
        "connect by a unix socket": lambda: socket.socket(socket.AF_UNIX).connect(
            outside.unix_socket
        ),
        "connect by an abstract socket": lambda: socket.socket(socket.AF_UNIX).connect("\0tallyho"),
        "listen": lambda: socket.create_server(("127.0.0.1", 0)),
        "raw socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1),
        "socket to the kernel": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0),
        "pair of sockets": socket.socketpair,
        "ask a name server": lambda: socket.getaddrinfo("statistics.example", 80),
    }


def _writes(outside: Outside) -> dict[str, Callable[[], object]]:
    folder, kept = Path(outside.folder), Path(outside.folder, "kept")
    own = Path(tempfile.gettempdir())
    return {
        "write outside": lambda: (folder / "planted").write_text("x"),
        "change outside": lambda: kept.write_text("x"),
        "append outside": lambda: kept.open("a").write("x"),
        "shorten outside": lambda: os.truncate(kept, 0),
        "remove outside": kept.unlink,
        "rename outside": lambda: kept.rename(folder / "renamed"),
        "make a folder outside": (folder / "made").mkdir,
        "link into its own folder": lambda: os.link(kept, own / "linked"),
        "move out of its own folder": lambda: _made(own / "moved").rename(folder / "moved"),
        "write through a link": lambda: _link(own / "link", kept).write_text("x"),
        "make a device": lambda: os.mknod(folder / "pipe", 0o010600),
        "change the mode outside": lambda: kept.chmod(0o777),
        "change the times outside": lambda: os.utime(kept, (0, 0)),
        "change the owner outside": lambda: os.chown(kept, os.getuid(), os.getgid()),
        "set an attribute outside": lambda: os.setxattr(kept, "user.x", b"x"),
        "write beside its own folder": lambda: (own.parent / "planted").write_text("x"),
        "write shared memory": lambda: Path("/dev/shm/tallyho-planted").write_text("x"),
        "write where all may": lambda: Path("/var/tmp/tallyho-planted").write_text("x"),
        "write to a terminal": lambda: Path("/dev/tty").write_text("x"),
        "write to the kernel": lambda: Path("/proc/self/oom_score_adj").write_text("-1000"),
        "change itself": lambda: Path(__file__).open("a").close(),
    }


def _secrets(outside: Outside) -> dict[str, Callable[[], object]]:
    kept, parent = Path(outside.folder, "kept"), Path("/proc", str(outside.parent))
    return {
        "read outside": kept.read_text,
        "list outside": lambda: list(Path(outside.folder).iterdir()),
        "read the home": lambda: Path(os.environ["HOME"], "secret").read_text(),
        "list the home": lambda: list(Path(os.environ["HOME"]).iterdir()),
        "secret in its environment": lambda: os.environ["TALLYHO_TEST_SECRET"],
        "secret in its first environment": lambda: _secret_in(Path("/proc/self/environ")),
        "environment of the parent": (parent / "environ").read_bytes,
        "memory of the parent": (parent / "mem").read_bytes,
        "files of the parent": lambda: list((parent / "fd").iterdir()),
        "root of the parent": lambda: (parent / "root" / outside.folder[1:] / "kept").read_text(),
        "environment of the nursery": Path("/proc", str(os.getppid()), "environ").read_bytes,
        "environment of the first process": Path("/proc/1/environ").read_bytes,
    }


def _processes(outside: Outside) -> dict[str, Callable[[], object]]:
    python = sys.executable
    return {
        "start a program": lambda: subprocess.run([python, "-V"], check=False),
        "start a program by posix_spawn": lambda: os.posix_spawn(python, [python, "-V"], {}),
        "become a program": lambda: os.execv(python, [python, "-V"]),
        "fork": os.fork,
        "fork by clone": lambda: _call("clone", _SIGCHLD, 0, 0, 0, 0),
        "fork by clone3": lambda: _call("clone3", 0, 0),
        "become a program by execveat": lambda: _call("execveat", -100, 0, 0, 0, 0),
        "leave the group": os.setsid,
        "signal the parent": lambda: os.kill(outside.parent, 0),
        "signal all": lambda: os.kill(-1, 0),
        "trace the parent": lambda: _call("ptrace", 16, outside.parent, 0, 0),
        "trace itself": lambda: _call("ptrace", 0, 0, 0, 0),
        "read memory of the parent": lambda: _call(
            "process_vm_readv", outside.parent, 0, 0, 0, 0, 0
        ),
        "take a handle of the parent": lambda: _call("pidfd_open", outside.parent, 0),
        "go around the filter": lambda: _call("io_uring_setup", 1, 0),
        "become root of a namespace": lambda: _call("unshare", _CLONE_NEWUSER),
        "mount": lambda: _call("mount", 0, 0, 0, 0, 0),
        "change its root": lambda: _call("chroot", b"/"),
        "load code into the kernel": lambda: _call("bpf", 0, 0, 0),
        "read keys of the kernel": lambda: _call("keyctl", 0, -3, 0, 0, 0),
        "watch page faults": lambda: _call("userfaultfd", 0),
        "watch the processor": lambda: _call("perf_event_open", 0, 0, 0, 0, 0),
        "open by a handle": lambda: _call("open_by_handle_at", 0, 0, 0),
        "raise its limits": _raise_limits,
    }


def _call(name: str, *arguments: object) -> int:
    numbers = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    result = int(_LIBC.syscall(ctypes.c_long(_NUMBERS[name][_COLUMN]), *numbers))
    if result == 0 and name.startswith("clone"):
        os._exit(0)
    if result < 0:
        code = ctypes.get_errno()
        # The kernel's own complaint about the arguments would mean that the call came through.
        if code in (errno.EPERM, errno.ENOSYS, errno.EACCES):
            raise PermissionError(code, os.strerror(code))
    return result


def _raise_limits() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    if resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY:
        raise PermissionError("the limit is as it was")


def _secret_in(path: Path) -> None:
    if b"TALLYHO_TEST_SECRET" not in path.read_bytes():
        raise PermissionError("no secret in it")


def _made(path: Path) -> Path:
    path.write_text("x")
    return path


def _link(path: Path, target: Path) -> Path:
    path.symlink_to(target)
    return path
