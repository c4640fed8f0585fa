"""Unfinished uploads in parts are swept, once they are old."""

from datetime import UTC, datetime, timedelta

from crawler.storage.s3 import S3Store
from tests.servers.seaweedfs import SeaweedServer
from tests.storage.conftest import MakeS3


def test_old_uploads_below_the_prefix_are_aborted(
    seaweedfs: SeaweedServer, s3_bucket: str, make_s3: MakeS3
) -> None:
    store: S3Store = make_s3()
    client = seaweedfs.client
    for key in ("some/prefix/blobs/x", "some/prefix/state/y", "elsewhere/z"):
        begun = client.create_multipart_upload(Bucket=s3_bucket, Key=key)
        client.upload_part(
            Bucket=s3_bucket, Key=key, UploadId=begun["UploadId"], PartNumber=1, Body=b"part"
        )
    now = datetime.now(UTC)
    assert store.sweep(now - timedelta(days=1)) == 0
    assert store.sweep(now + timedelta(minutes=1)) == 2
    assert store.sweep(now + timedelta(minutes=1)) == 0
    left = client.list_multipart_uploads(Bucket=s3_bucket).get("Uploads", [])
    assert [upload["Key"] for upload in left] == ["elsewhere/z"]
