"""What a process that reads files may take: memory, processor time, disk; and when it ends."""

import ctypes
import os
import resource
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

from crawler.readers.bounds import Bounds

_PR_SET_PDEATHSIG = 1
_SPARE_SECONDS = 10
_MIN_FILE = 64 * 1000**2
LIMIT_SAID = "memory limit of this file: "


@dataclass(slots=True)
class Confinement:
    """The limits of this process, set when it is warm and before it reads anything."""

    bounds: Bounds
    base: int = 0
    """Address space that was taken before."""

    def enter(self) -> None:
        """Sets the limits that hold for the whole life of the process."""
        self.base = address_space()
        _lower(resource.RLIMIT_CORE, 0)
        _lower(resource.RLIMIT_FSIZE, max(self.bounds.unpacked, _MIN_FILE))
        if self.base:
            _lower(resource.RLIMIT_AS, self.base + self.bounds.memory)

    def before_item(self) -> None:
        """Gives processor time for one item: a second guard, should nobody watch the clock."""
        used = resource.getrusage(resource.RUSAGE_SELF)
        seconds = used.ru_utime + used.ru_stime + 2 * self.bounds.seconds + _SPARE_SECONDS
        _lower(resource.RLIMIT_CPU, int(seconds), soft_only=True)
        if self.base:
            hard = resource.getrlimit(resource.RLIMIT_AS)[1]
            resource.setrlimit(resource.RLIMIT_AS, (hard, hard))

    @property
    def has_grown(self) -> bool:
        """Whether what earlier items left behind takes from what the next one may have."""
        return address_space() - self.base > self.bounds.memory // 4


def limit_memory(size: int) -> None:
    """Lowers what this item may take from here on; does nothing in a process without limits."""
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    if hard == resource.RLIM_INFINITY:
        return
    resource.setrlimit(resource.RLIMIT_AS, (min(hard, address_space() + size), hard))
    # The parent learns from this whether a death was one of too little memory.
    print(f"{LIMIT_SAID}{size}", file=sys.stderr, flush=True)


def die_with_parent(parent: int) -> None:
    """Lets the kernel kill this process when its parent ends, however that ends."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def address_space() -> int:
    """Bytes of address space of this process; 0 where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        return 0
    return pages * resource.getpagesize()


def _lower(kind: int, wanted: int, *, soft_only: bool = False) -> None:
    hard = resource.getrlimit(kind)[1]
    limit = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(kind, (limit, hard if soft_only else limit))
