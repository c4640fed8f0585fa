"""One worker at a time: the lock on a site's state, over real processes."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from crawler.errors import ExitCode, SiteBusy, StorageError
from crawler.state.lock import is_held, site_lock

HOLDER = """
import sys
from pathlib import Path
from crawler.state.lock import site_lock

with site_lock(Path(sys.argv[1]), "stat"):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def holder(path: Path) -> Iterator["subprocess.Popen[str]"]:
    """Another process that holds the site until its input ends."""
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "sites" / "stat.lock"


def test_second_process_is_told_who_holds_the_site(path):
    with holder(path) as process:
        with (
            pytest.raises(SiteBusy, match=rf"process {process.pid}\b") as busy,
            site_lock(path, "stat"),
        ):
            pytest.fail("two processes hold one site")
        assert busy.value.site == "stat"
        assert busy.value.exit_code is ExitCode.BUSY
        assert busy.value.retryable


def test_killed_holder_lets_go_at_once(path):
    with holder(path) as process:
        assert is_held(path)
        process.kill()
        process.wait()
        assert not is_held(path)
        with site_lock(path, "stat"):
            assert is_held(path)


def test_holder_that_ends_lets_go(path):
    with holder(path) as process:
        process.communicate("")
        assert process.returncode == 0
        with site_lock(path, "stat"):
            pass
    assert not is_held(path)


def test_lock_is_released_after_an_error(path):
    with pytest.raises(ValueError, match="inside"), site_lock(path, "stat"):
        raise ValueError("inside")
    with site_lock(path, "stat"):
        assert path.read_text() == str(os.getpid())


def test_two_sites_are_held_at_the_same_time(path):
    with holder(path), site_lock(path.with_name("other.lock"), "other"):
        assert is_held(path)


def test_asking_who_holds_a_site_makes_no_file_and_takes_no_lock(path):
    assert not is_held(path)
    assert not path.exists()
    with site_lock(path, "stat"):
        pass
    assert not is_held(path)
    with site_lock(path, "stat"):
        pass


def test_lock_that_cannot_be_made_is_a_storage_error(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(StorageError), site_lock(tmp_path / "file" / "stat.lock", "stat"):
        pytest.fail("a lock inside a file")


def test_lock_that_cannot_be_written_is_a_storage_error_and_free_again(path, monkeypatch):
    def fail(*_: object) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr("crawler.state.lock.os.ftruncate", fail)
        with pytest.raises(StorageError, match="Input/output error"), site_lock(path, "stat"):
            pytest.fail("a lock without its holder")
    with site_lock(path, "stat"):
        pass
