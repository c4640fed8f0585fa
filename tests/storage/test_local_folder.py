"""What the folder store promises beyond the contract: nothing partial, nothing rewritten."""

import errno
import hashlib
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from crawler.errors import ObjectDamaged, StorageError
from crawler.storage.local_folder import LocalFolder

DATA = b"year,births\n1999,7\n"
SHA256 = hashlib.sha256(DATA).hexdigest()

DIES_WHILE_WRITING = """
import os, signal, sys
from pathlib import Path
from crawler.storage.local_folder import LocalFolder
spool = LocalFolder(Path(sys.argv[1])).spool()
spool.write(b"x" * 5_000_000)
os.kill(os.getpid(), signal.SIGKILL)
"""

FILLS_THE_DISK = """
import resource, signal, sys
from pathlib import Path
from crawler.errors import StorageError
from crawler.storage.local_folder import LocalFolder
spool = LocalFolder(Path(sys.argv[1])).spool()
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    spool.write(b"x" * 500_000)
    spool.finish()
except StorageError as error:
    spool.discard()
    named = str(error).startswith(sys.argv[1]) and ".part" in str(error)
    sys.exit(0 if named and error.retryable else 3)
sys.exit(4)
"""

PUTS_THE_SAME = """
import sys
from pathlib import Path
from crawler.storage.local_folder import LocalFolder
folder = LocalFolder(Path(sys.argv[1]))
for number in range(100):
    spool = folder.spool()
    spool.write(b"number %d" % number * 1000)
    blob = spool.finish()
    with folder.open(blob.sha256) as file:
        assert len(file.read()) == blob.size
"""


def files(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())


def start(script: str, root: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-c", script, str(root)])


def test_object_is_one_file_at_its_path(tmp_path: Path) -> None:
    folder = LocalFolder(tmp_path)
    spool = folder.spool()
    spool.write(DATA)
    spool.finish()
    assert files(tmp_path) == [f"blobs/sha256/{SHA256[:2]}/{SHA256}"]
    assert folder.local_path(SHA256).read_bytes() == DATA


def test_present_object_is_not_rewritten(tmp_path: Path) -> None:
    folder = LocalFolder(tmp_path)
    for _ in range(2):
        spool = folder.spool()
        spool.write(DATA)
        spool.finish()
        inode = folder.local_path(SHA256).stat().st_ino
        folder.local_path(SHA256).chmod(0o444)
    assert folder.local_path(SHA256).stat().st_ino == inode
    assert oct(folder.local_path(SHA256).stat().st_mode & 0o777) == "0o444"
    assert len(files(tmp_path)) == 1


@pytest.mark.parametrize("present", [b"half", DATA.replace(b"7", b"8"), b""])
def test_damaged_object_is_replaced_when_good_bytes_are_at_hand(
    tmp_path: Path, present: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    folder = LocalFolder(tmp_path)
    folder.local_path(SHA256).parent.mkdir(parents=True)
    folder.local_path(SHA256).write_bytes(present)
    spool = folder.spool()
    spool.write(DATA)
    spool.finish()
    assert folder.local_path(SHA256).read_bytes() == DATA
    assert "damaged" in caplog.text
    assert len(files(tmp_path)) == 1


@pytest.mark.parametrize("present", [b"half", DATA.replace(b"7", b"8"), b""])
def test_damaged_object_is_never_given_out(tmp_path: Path, present: bytes) -> None:
    folder = LocalFolder(tmp_path)
    folder.local_path(SHA256).parent.mkdir(parents=True)
    folder.local_path(SHA256).write_bytes(present)
    with pytest.raises(ObjectDamaged, match=SHA256):
        folder.open(SHA256)


def failing_once(monkeypatch: pytest.MonkeyPatch, *, folders: bool) -> list[int]:
    """The first sync of a file, or of a folder, fails; the inodes whose sync failed."""
    failed: list[int] = []
    real = os.fsync

    def fsync(descriptor: int) -> None:
        found = os.fstat(descriptor)
        if not failed and stat.S_ISDIR(found.st_mode) is folders:
            failed.append(found.st_ino)
            raise OSError(errno.EIO, "Input/output error")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    return failed


def test_file_whose_sync_failed_is_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = LocalFolder(tmp_path)
    spool = folder.spool()
    spool.write(DATA)
    failed = failing_once(monkeypatch, folders=False)
    with pytest.raises(StorageError, match="Input/output") as raised:
        spool.finish()
    assert raised.value.retryable
    assert not folder.exists(SHA256)
    spool.finish()
    assert folder.local_path(SHA256).read_bytes() == DATA
    assert folder.local_path(SHA256).stat().st_ino not in failed
    assert len(files(tmp_path)) == 1


def test_bytes_that_a_failed_sync_lost_are_not_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = LocalFolder(tmp_path)
    spool = folder.spool()
    spool.write(DATA)
    failing_once(monkeypatch, folders=False)
    with pytest.raises(StorageError):
        spool.finish()
    [left] = (tmp_path / "spool").iterdir()
    left.write_bytes(b"\0" * len(DATA))
    with pytest.raises(StorageError, match="lost"):
        spool.finish()
    spool.discard()
    assert files(tmp_path) == []


def test_name_whose_sync_failed_is_given_once_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = LocalFolder(tmp_path)
    folder.local_path(SHA256).parent.mkdir(parents=True)
    spool = folder.spool()
    spool.write(DATA)
    assert failing_once(monkeypatch, folders=True) == []
    with pytest.raises(StorageError):
        spool.finish()
    assert not folder.exists(SHA256)
    spool.finish()
    assert folder.local_path(SHA256).read_bytes() == DATA


def test_folder_whose_sync_failed_is_made_once_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = LocalFolder(tmp_path)
    spool = folder.spool()
    spool.write(DATA)
    failing_once(monkeypatch, folders=True)
    with pytest.raises(StorageError):
        spool.finish()
    assert not (tmp_path / "blobs").exists()
    spool.finish()
    assert folder.local_path(SHA256).read_bytes() == DATA


def test_killed_process_leaves_nothing_that_lasts(tmp_path: Path) -> None:
    assert start(DIES_WHILE_WRITING, tmp_path).wait() == -signal.SIGKILL
    left = files(tmp_path)
    assert len(left) == 1
    assert left[0].startswith("spool/")
    LocalFolder(tmp_path)
    assert files(tmp_path) == []


def test_sweep_leaves_the_files_of_the_living(tmp_path: Path) -> None:
    spool = LocalFolder(tmp_path).spool()
    spool.write(DATA)
    LocalFolder(tmp_path)
    assert spool.finish().sha256 == SHA256
    assert files(tmp_path) == [f"blobs/sha256/{SHA256[:2]}/{SHA256}"]


def test_processes_may_put_the_same_objects_at_once(tmp_path: Path) -> None:
    writers = [start(PUTS_THE_SAME, tmp_path) for _ in range(3)]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    names = [path.rpartition("/")[2] for path in files(tmp_path)]
    expected = (hashlib.sha256(b"number %d" % n * 1000).hexdigest() for n in range(100))
    assert sorted(names) == sorted(expected)


def test_file_system_without_hard_links_will_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    folder = LocalFolder(tmp_path)
    for _ in range(2):
        spool = folder.spool()
        spool.write(DATA)
        spool.finish()
    assert files(tmp_path) == [f"blobs/sha256/{SHA256[:2]}/{SHA256}"]


def test_spool_may_be_elsewhere_on_the_same_disk(tmp_path: Path) -> None:
    folder = LocalFolder(tmp_path / "store", tmp_path / "spool")
    spool = folder.spool()
    spool.write(DATA)
    assert len(files(tmp_path / "spool")) == 1
    spool.finish()
    assert files(tmp_path) == [f"store/blobs/sha256/{SHA256[:2]}/{SHA256}"]


def test_full_disk_is_a_storage_error_that_names_the_file(tmp_path: Path) -> None:
    assert start(FILLS_THE_DISK, tmp_path).wait() == 0
    assert files(tmp_path) == []


def test_place_that_is_no_folder_is_a_storage_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="file"):
        LocalFolder(tmp_path / "file")
