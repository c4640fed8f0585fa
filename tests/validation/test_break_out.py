"""A planted reader tries every way out of its cell, and finds none."""

import os
import socket
from dataclasses import replace
from pathlib import Path

import pytest

from crawler.readers.bounds import DEFAULT_BOUNDS
from crawler.validation.pool import ReadingPool
from tests.validation.break_out import Outside, allowed, attempts

pytestmark = pytest.mark.slow

BOUNDS = replace(DEFAULT_BOUNDS, memory=400 * 1000**2, unpacked=64 * 1000**2)
CAME_THROUGH = "came through"


def try_all(item: str) -> dict[str, str]:
    """The task of the planted reader: what came of each attempt."""
    outside = Outside.read(item)
    results = {}
    for name, attempt in {**allowed(), **attempts(outside)}.items():
        try:
            attempt()
        except (OSError, KeyError, ValueError) as error:
            results[name] = type(error).__name__
        else:
            results[name] = CAME_THROUGH
    return results


def test_planted_reader_finds_no_way_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, home, given = tmp_path / "outside", tmp_path / "home", tmp_path / "given"
    for each in (folder, home, given):
        each.mkdir()
    (folder / "kept").write_text("kept")
    (folder / "kept").chmod(0o644)
    (home / "secret").write_text("hunter2")
    monkeypatch.setenv("TALLYHO_TEST_SECRET", "hunter2")
    monkeypatch.setenv("HOME", str(home))
    before = (folder / "kept").stat()
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(type=socket.SOCK_DGRAM) as udp,
        socket.socket(socket.AF_UNIX) as unix,
    ):
        udp.bind(("127.0.0.1", 0))
        unix.bind(str(tmp_path / "socket"))
        unix.listen()
        for server in (tcp, udp, unix):
            server.setblocking(False)
        outside = Outside(
            tcp.getsockname()[1],
            udp.getsockname()[1],
            str(tmp_path / "socket"),
            str(folder),
            os.getpid(),
        )
        readable = [given, Path(__file__).parent]
        with ReadingPool(1, BOUNDS, try_all, preload=(), readable=readable) as pool:
            results = pool.run(outside.written())
        assert isinstance(results, dict), results
        for server in (tcp, unix):
            with pytest.raises(BlockingIOError):
                server.accept()
        with pytest.raises(BlockingIOError):
            udp.recv(10)
    came_through = {name for name, result in results.items() if result == CAME_THROUGH}
    assert came_through == set(allowed())
    assert [path.name for path in folder.iterdir()] == ["kept"]
    assert (folder / "kept").read_text() == "kept"
    after = (folder / "kept").stat()
    assert (after.st_mode, after.st_mtime, after.st_nlink) == (
        before.st_mode,
        before.st_mtime,
        before.st_nlink,
    )


def test_the_ways_out_are_open_without_the_cell(tmp_path: Path) -> None:
    """Otherwise the test above would pass where nothing is tried."""
    (tmp_path / "kept").write_text("kept")
    own = Outside(1, 1, str(tmp_path / "none"), str(tmp_path), os.getpid())
    open_ways = attempts(own)
    for name in ("write outside", "read outside", "change the mode outside", "list outside"):
        open_ways[name]()
    assert (tmp_path / "planted").read_text() == "x"
