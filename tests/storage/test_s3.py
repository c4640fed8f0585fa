"""What the S3 store promises beyond the contract, against a real server."""

import hashlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import boto3
import pytest
import requests

from crawler.errors import ExitCode, ObjectDamaged, StorageError, StorageRefused
from crawler.storage.s3 import S3Store
from crawler.storage.s3_upload import IF_ABSENT, IN_PARTS_FROM, Destination, Source, upload
from tests.servers.seaweedfs import S3Credentials, SeaweedServer
from tests.storage.conftest import MakeS3

DATA = b"year,births\n1999,7\n"
SHA256 = hashlib.sha256(DATA).hexdigest()
KEY = f"some/prefix/blobs/sha256/{SHA256[:2]}/{SHA256}"

UPLOADS_A_LARGE_FILE = """
import sys
from pathlib import Path
from crawler.storage.s3 import S3Store
endpoint, bucket, folder = sys.argv[1:]
spool = S3Store(bucket, endpoint=endpoint, spool_dir=Path(folder)).spool()
for _ in range(400):
    spool.write(bytes(1_000_000))
spool.finish()
"""


def put(store: S3Store, data: bytes = DATA) -> str:
    spool = store.spool()
    spool.write(data)
    try:
        return spool.finish().sha256
    finally:
        spool.discard()


def test_object_is_under_the_prefix_and_of_no_type_that_a_browser_shows(
    seaweedfs: SeaweedServer, s3_bucket: str, make_s3: MakeS3
) -> None:
    put(make_s3())
    found = seaweedfs.client.list_objects_v2(Bucket=s3_bucket)["Contents"]
    assert [entry["Key"] for entry in found] == [KEY]
    head = seaweedfs.client.head_object(Bucket=s3_bucket, Key=KEY)
    assert head["ContentType"] == "application/octet-stream"


def test_two_prefixes_are_two_stores(make_s3: MakeS3) -> None:
    one, two = make_s3(prefix="one"), make_s3(prefix="")
    put(one)
    one.put_object("state/demo/1", b"1")
    assert not two.exists(SHA256)
    assert list(two.blobs()) == list(two.objects("state/")) == []


def test_anybody_can_download_by_a_presigned_url(make_s3: MakeS3) -> None:
    store = make_s3()
    put(store)
    url = store.presigned_url(SHA256, file_name="né\n.csv", mime="text/csv", seconds=60)
    assert url is not None
    answer = requests.get(url, timeout=10)
    assert answer.content == DATA
    assert answer.headers["Content-Type"] == "text/csv"
    disposition = answer.headers["Content-Disposition"]
    assert disposition == "attachment; filename=\"ne_.csv\"; filename*=UTF-8''n%C3%A9_.csv"
    assert requests.get(url.partition("?")[0], timeout=10).status_code == 403
    page = store.presigned_url(SHA256, file_name="x", mime="text/html", seconds=60)
    assert page is not None
    assert requests.get(page, timeout=10).headers["Content-Type"] == "application/octet-stream"
    told = "text/csv; charset=windows-1252"
    text = store.presigned_url(SHA256, file_name="x.csv", mime=told, seconds=60)
    assert text is not None
    assert requests.get(text, timeout=10).headers["Content-Type"] == told


def test_url_is_signed_for_a_week_at_most(make_s3: MakeS3) -> None:
    for seconds in (0, 7 * 24 * 3600 + 1):
        with pytest.raises(ValueError, match="seconds"):
            make_s3().presigned_url(SHA256, file_name="x", mime="text/csv", seconds=seconds)


@pytest.mark.parametrize("wrong", ["access key", "secret key"])
def test_wrong_credentials_are_refused_and_not_told(
    seaweedfs: SeaweedServer, make_s3: MakeS3, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    known = seaweedfs.credentials.access_key
    key = known if wrong == "secret key" else "nobody-knows-me"
    for name, value in S3Credentials(key, "not-the-secret").environment.items():
        monkeypatch.setenv(name, value)
    store = make_s3()
    for use in (
        lambda: put(store),
        lambda: store.exists(SHA256),
        lambda: list(store.blobs()),
        lambda: store.get_object("state/demo/1"),
        lambda: store.swap_pointer("state/demo/1", None, b"1"),
        lambda: store.delete(SHA256),
    ):
        with pytest.raises(StorageRefused, match=r"s3://bucket-\d+/some/prefix/") as raised:
            use()
        assert not raised.value.retryable
        assert raised.value.exit_code is ExitCode.STORAGE
        assert not any(word in str(raised.value) for word in (key, "not-the-secret"))


def test_missing_credentials_are_told(make_s3: MakeS3, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", os.devnull)
    with pytest.raises(StorageRefused, match="credentials"):
        put(make_s3())


def test_bucket_that_is_not_there_is_told_by_every_call(make_s3: MakeS3) -> None:
    store = make_s3(bucket="no-such-bucket")
    for use in (
        lambda: put(store),
        lambda: store.exists(SHA256),
        lambda: store.open(SHA256),
        lambda: list(store.blobs()),
        lambda: store.get_object("state/demo/1"),
        lambda: store.put_object("state/demo/1", b""),
    ):
        with pytest.raises(StorageRefused, match=r"no-such-bucket.*no such bucket"):
            use()


@pytest.mark.parametrize("present", [b"half", DATA.replace(b"7", b"8")])
def test_damaged_object_is_replaced_when_good_bytes_are_at_hand(
    seaweedfs: SeaweedServer, s3_bucket: str, make_s3: MakeS3, present: bytes
) -> None:
    seaweedfs.client.put_object(Bucket=s3_bucket, Key=KEY, Body=present)
    store = make_s3()
    with store.open(SHA256) as file, pytest.raises(ObjectDamaged, match=SHA256):
        file.read()
    put(store)
    with store.open(SHA256) as file:
        assert file.read() == DATA


@pytest.mark.slow
def test_spool_outlasts_an_outage_and_objects_outlast_restarts(
    seaweedfs: SeaweedServer, make_s3: MakeS3
) -> None:
    store = make_s3()
    put(store, b"before")
    store.put_object("state/demo/newest", b"7")
    spool = store.spool()
    spool.write(DATA)
    for end in (seaweedfs.stop, seaweedfs.kill):
        end()
        with pytest.raises(StorageError, match=KEY) as raised:
            spool.finish()
        assert raised.value.retryable
        for use in (lambda: store.exists(SHA256), lambda: store.get_object("state/demo/newest")):
            with pytest.raises(StorageError) as raised:
                use()
            assert raised.value.retryable
        seaweedfs.start()
        with store.open(hashlib.sha256(b"before").hexdigest()) as file:
            assert file.read() == b"before"
        assert store.get_object("state/demo/newest") == b"7"
    assert spool.finish().sha256 == SHA256
    assert {blob.size for blob in store.blobs()} == {len(b"before"), len(DATA)}


def test_upload_in_parts_that_fails_is_taken_back(
    seaweedfs: SeaweedServer, s3_bucket: str, tmp_path: Path
) -> None:
    to = Destination(seaweedfs.client, s3_bucket, "large")
    with pytest.raises(FileNotFoundError):
        upload(to, Source(tmp_path / "gone", IN_PARTS_FROM), IF_ABSENT)
    assert "Uploads" not in seaweedfs.client.list_multipart_uploads(Bucket=s3_bucket)
    assert "Contents" not in seaweedfs.client.list_objects_v2(Bucket=s3_bucket)


def test_profile_that_is_not_there_is_refused_with_the_name_of_the_bucket(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_PROFILE", "nobody")
    with pytest.raises(StorageRefused, match=r"^s3://figures: ProfileNotFound$"):
        S3Store("figures", spool_dir=tmp_path)


def test_description_of_the_service_is_read_once_also_for_the_check(
    make_s3: MakeS3, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    session = boto3.session.Session
    monkeypatch.setattr(boto3.session, "Session", lambda: made.append(session()) or made[-1])
    make_s3().check()
    assert len(made) == 1


@pytest.mark.slow
def test_killed_upload_makes_no_object(
    seaweedfs: SeaweedServer, s3_bucket: str, make_s3: MakeS3, tmp_path: Path
) -> None:
    arguments = [seaweedfs.endpoint, s3_bucket, str(tmp_path / "spool")]
    writer = subprocess.Popen([sys.executable, "-c", UPLOADS_A_LARGE_FILE, *arguments])
    while "Uploads" not in seaweedfs.client.list_multipart_uploads(Bucket=s3_bucket):
        assert writer.poll() is None
        time.sleep(0.01)
    writer.kill()
    assert writer.wait() == -signal.SIGKILL
    assert len(list((tmp_path / "spool").glob("*.part"))) == 1
    store = make_s3(prefix="")
    assert list(store.blobs()) == []
    assert list((tmp_path / "spool").iterdir()) == []
