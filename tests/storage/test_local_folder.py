"""What the folder store promises beyond the contract: nothing partial, nothing rewritten."""

import errno
import hashlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from crawler.errors import StorageError
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


def test_present_object_of_another_size_is_reported_as_damaged(tmp_path: Path) -> None:
    folder = LocalFolder(tmp_path)
    folder.local_path(SHA256).parent.mkdir(parents=True)
    folder.local_path(SHA256).write_bytes(b"half")
    spool = folder.spool()
    spool.write(DATA)
    with pytest.raises(StorageError, match="damaged"):
        spool.finish()
    spool.discard()
    assert folder.local_path(SHA256).read_bytes() == b"half"


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
