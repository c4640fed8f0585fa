"""Both stores, each empty, for the contract that they share."""

from collections.abc import Callable
from pathlib import Path

import pytest

from crawler.storage.interface import ObjectStore
from crawler.storage.local_folder import LocalFolder
from crawler.storage.s3 import S3Store
from tests.servers.seaweedfs import SeaweedServer

MakeS3 = Callable[..., S3Store]


@pytest.fixture
def make_s3(seaweedfs: SeaweedServer, s3_bucket: str, tmp_path: Path) -> MakeS3:
    """Stores in a new bucket; they give up soon."""

    def make(bucket: str = s3_bucket, prefix: str = "some/prefix", attempts: int = 2) -> S3Store:
        return S3Store(
            bucket,
            prefix,
            endpoint=seaweedfs.endpoint,
            spool_dir=tmp_path / "spool",
            attempts=attempts,
        )

    return make


@pytest.fixture(params=["local folder", "seaweedfs"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> ObjectStore:
    """One store after the other; another kind joins by one more line."""
    if request.param == "local folder":
        return LocalFolder(tmp_path / "store")
    made: MakeS3 = request.getfixturevalue("make_s3")
    return made()


@pytest.fixture
def left_on_disk(tmp_path: Path) -> Callable[[], list[str]]:
    """The spools that are still there."""
    return lambda: sorted(path.name for path in tmp_path.rglob("*.part"))
