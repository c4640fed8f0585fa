"""Hosts on one machine: network namespaces on a bridge, whose links can be cut and mended.

Each namespace lives as long as a process that does nothing. Nothing of the machine's own network
is touched: the bridge has a namespace of its own. Needs `ip` (Debian: iproute2), and root or user
namespaces with capabilities (`AS_A_USER`).
"""

import ctypes
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

AS_A_USER = ["unshare", "--map-current-user", "--keep-caps", "--net", "--"]
"""What gives a user without root the right to make hosts, where the kernel allows it."""
NETWORK = "10.77.0.0/24"
_CLONE_NEWNET = 0x40000000
_SWITCH = "switch"


def what_is_missing(*before: str) -> str:
    """Why no hosts can be made here, perhaps by AS_A_USER; empty when they can."""
    for program, package in (("ip", "iproute2"), ("unshare", "util-linux")):
        if shutil.which(program) is None:
            return f"there is no program `{program}`: install {package}"
    bridge = "ip link add br0 type bridge && ip link add a0 type veth peer name a1"
    command = [*before, "unshare", "--net", "sh", "-c", bridge]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return ""
    said = done.stderr.strip().partition("\n")[0]
    return f"no network namespaces with a bridge, as root or by `unshare` ({said})"


class Network:
    """Hosts by name, each with an address; they end when the `with` ends."""

    def __init__(self, addresses: Mapping[str, str]) -> None:
        self._addresses = dict(addresses)
        self._holders: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> "Network":
        try:
            self._hold(_SWITCH)
            self._run(_SWITCH, "link", "add", "br0", "type", "bridge")
            self._run(_SWITCH, "link", "set", "br0", "up")
            for name, address in self._addresses.items():
                self._plug_in(name, address)
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the namespaces; what runs inside must have ended."""
        for holder in self._holders.values():
            holder.kill()
            holder.wait()

    def address(self, name: str) -> str:
        """Where others reach a host."""
        return self._addresses[name]

    def entering(self, name: str) -> list[str]:
        """What to put before a command that shall run on a host."""
        return ["nsenter", f"--net={self._namespace(name)}", "--"]

    def cut(self, name: str) -> None:
        """Takes a host's link away, without a word to anybody."""
        self._run(_SWITCH, "link", "set", f"to-{name}", "down")

    def mend(self, name: str) -> None:
        """Gives it back."""
        self._run(_SWITCH, "link", "set", f"to-{name}", "up")

    @contextmanager
    def inside(self, name: str) -> Iterator[None]:
        """This thread, and what it starts, is on a host."""
        before = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        try:
            _enter(self._namespace(name))
            yield
        finally:
            _enter(f"/proc/self/fd/{before}")
            os.close(before)

    def _plug_in(self, name: str, address: str) -> None:
        self._hold(name)
        holder = str(self._holders[name].pid)
        pair = ("link", "add", f"to-{name}", "type", "veth", "peer", "name", "eth0")
        self._run(_SWITCH, *pair, "netns", holder)
        self._run(_SWITCH, "link", "set", f"to-{name}", "master", "br0", "up")
        self._run(name, "address", "add", f"{address}/24", "dev", "eth0")
        self._run(name, "link", "set", "eth0", "up")
        self._run(name, "link", "set", "lo", "up")

    def _hold(self, name: str) -> None:
        own = Path("/proc/self/ns/net").readlink()
        holder = subprocess.Popen(
            ["unshare", "--net", "sleep", "infinity"], preexec_fn=_end_with_the_tests
        )
        self._holders[name] = holder
        while Path(self._namespace(name)).readlink() == own:
            assert holder.poll() is None, "no namespace"

    def _namespace(self, name: str) -> str:
        return f"/proc/{self._holders[name].pid}/ns/net"

    def _run(self, host: str, *words: str) -> None:
        subprocess.run([*self.entering(host), "ip", *words], check=True)


def _enter(namespace: str) -> None:
    descriptor = os.open(namespace, os.O_RDONLY)
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.setns(descriptor, _CLONE_NEWNET) != 0:
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code), namespace)
    finally:
        os.close(descriptor)


def _end_with_the_tests() -> None:
    """Asks the kernel to end the process when the tests are killed (Linux: PR_SET_PDEATHSIG)."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
