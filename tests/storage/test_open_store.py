"""A URL names its store."""

from pathlib import Path

import pytest

from crawler.errors import ConfigError
from crawler.storage.local_folder import LocalFolder
from crawler.storage.open import open_store
from crawler.storage.s3 import S3Store
from tests.servers.seaweedfs import SeaweedServer


def test_file_url_is_a_folder(tmp_path: Path) -> None:
    url = (tmp_path / "a store").as_uri()
    store = open_store(url, endpoint=None, spool_dir=tmp_path / "unused")
    assert isinstance(store, LocalFolder)
    store.put_object("state/demo/1", b"1")
    assert (tmp_path / "a store" / "state" / "demo" / "1").read_bytes() == b"1"
    assert not (tmp_path / "unused").exists()


def test_s3_url_is_a_bucket_with_a_prefix(
    seaweedfs: SeaweedServer, s3_bucket: str, tmp_path: Path
) -> None:
    url = f"s3://{s3_bucket}/one/two/"
    store = open_store(url, endpoint=seaweedfs.endpoint, spool_dir=tmp_path / "spool")
    assert isinstance(store, S3Store)
    store.put_object("state/demo/1", b"1")
    (found,) = seaweedfs.client.list_objects_v2(Bucket=s3_bucket)["Contents"]
    assert found["Key"] == "one/two/state/demo/1"


@pytest.mark.parametrize("url", ["", "/srv/files", "http://host/x", "s3://", "s3:///x"])
def test_other_urls_are_refused(tmp_path: Path, url: str) -> None:
    with pytest.raises(ConfigError, match="s3://bucket/prefix"):
        open_store(url, endpoint=None, spool_dir=tmp_path)
