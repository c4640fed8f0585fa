"""Blobs as files of this machine, from a folder and from S3."""

from hashlib import sha256
from pathlib import Path

import pytest

from crawler.errors import FileRemoved, StorageError
from crawler.pipeline.crawl.outage import OutageRetry
from crawler.pipeline.validate import local_copy as module
from crawler.pipeline.validate.local_copy import local_copy
from crawler.storage.interface import ObjectStore
from crawler.storage.local_folder import LocalFolder
from crawler.storage.s3 import S3Store
from tests.servers.seaweedfs import SeaweedServer

BODY = b"region,births\nNord,1\n" * 100_000
AT_ONCE = OutageRetry(max_seconds=0)


@pytest.fixture(params=["folder", "s3"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> ObjectStore:
    if request.param == "folder":
        return LocalFolder(tmp_path / "store")
    bucket: str = request.getfixturevalue("s3_bucket")
    server: SeaweedServer = request.getfixturevalue("seaweedfs")
    return S3Store(bucket, "x", endpoint=server.endpoint, spool_dir=tmp_path / "spool")


def keep(store: ObjectStore, body: bytes) -> str:
    spool = store.spool()
    spool.write(body)
    return spool.finish().sha256


def left_in(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*.part") if path.is_file()]


def test_bytes_can_be_read_and_no_copy_stays(store: ObjectStore, tmp_path: Path) -> None:
    name = keep(store, BODY)
    with local_copy(store, name, len(BODY), tmp_path / "spool", AT_ONCE) as path:
        assert path.read_bytes() == BODY
        in_its_place = path == tmp_path / "store" / "blobs" / "sha256" / name[:2] / name
        assert in_its_place == isinstance(store, LocalFolder)
    assert left_in(tmp_path) == []
    assert store.exists(name)


def test_failure_while_it_is_used_leaves_no_copy(store: ObjectStore, tmp_path: Path) -> None:
    name = keep(store, BODY)

    def use() -> None:
        with local_copy(store, name, len(BODY), tmp_path / "spool", AT_ONCE):
            raise RuntimeError

    with pytest.raises(RuntimeError):
        use()
    assert left_in(tmp_path) == []


@pytest.mark.parametrize(
    ("name", "size", "told"),
    [
        (sha256(b"nothing").hexdigest(), 7, "not in the store"),
        (sha256(BODY).hexdigest(), 7, f"{len(BODY):,} bytes of it instead of 7"),
    ],
)
def test_missing_or_other_bytes_are_told(
    store: ObjectStore, tmp_path: Path, name: str, size: int, told: str
) -> None:
    keep(store, BODY)
    with (
        pytest.raises(FileRemoved, match=told),
        local_copy(store, name, size, tmp_path / "spool", AT_ONCE),
    ):
        pass


def test_disk_without_room_is_a_storage_error(
    seaweedfs: SeaweedServer, s3_bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = S3Store(s3_bucket, "x", endpoint=seaweedfs.endpoint, spool_dir=tmp_path / "spool")
    name = keep(store, BODY)
    monkeypatch.setattr(module, "ROOM_TO_LEAVE", 10**18)
    with (
        pytest.raises(StorageError, match="no room"),
        local_copy(store, name, len(BODY), tmp_path / "spool", AT_ONCE),
    ):
        pass
    assert left_in(tmp_path) == []
