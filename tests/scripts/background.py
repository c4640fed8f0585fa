"""What the tests of `make up` and `make down` have to know of processes."""

from pathlib import Path


def begun(pid: int) -> int:
    """When a process began, in ticks since the machine did (proc(5), field 22)."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19])


def lives(pid: int) -> bool:
    """Whether a process is there, and not only waits to be buried."""
    stat = Path(f"/proc/{pid}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"
