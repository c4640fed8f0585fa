"""The object store in S3, or in anything that speaks its protocol.

A file is spooled to this machine's disk while it is received, and put when it is complete: what
breaks off never becomes an object. Credentials and region are found by boto3's own rules.
"""

import base64
import io
import logging
import shutil
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from botocore.exceptions import ClientError

from crawler.errors import StorageError, StorageRefused
from crawler.storage.attachment import attachment, content_type
from crawler.storage.blob_spool import BlobSpool
from crawler.storage.durable_file import naming, receive
from crawler.storage.hashes import damaged, hash_of
from crawler.storage.interface import Blob, StoredObject
from crawler.storage.keys import (
    CHECK_KEY,
    check_key,
    check_prefix,
    is_key,
    is_reserved,
    is_sha256,
    object_key,
)
from crawler.storage.s3_client import ATTEMPTS, ATTEMPTS_TO_CHECK, Clients, check_writable
from crawler.storage.s3_errors import code_of, naming_object, status_of
from crawler.storage.s3_reader import S3Reader
from crawler.storage.s3_upload import (
    ANYWAY,
    IF_ABSENT,
    IN_PARTS_FROM,
    Destination,
    Outcome,
    Source,
    if_match,
    upload,
)
from crawler.storage.spool_file import SpoolFile, sweep

log = logging.getLogger(__name__)

_MAX_PRESIGNED = 7 * 24 * 3600
_READ_AT_ONCE = 256 * 1024


class S3Store:
    """An object store in a bucket; several processes and machines may use it at once."""

    def __init__(
        self,
        bucket: str,
        prefix: str = "",
        *,
        spool_dir: Path,
        endpoint: str | None = None,
        attempts: int = ATTEMPTS,
    ) -> None:
        self._bucket = bucket
        self._root = f"{prefix.strip('/')}/".lstrip("/")
        self._spool_dir = spool_dir
        self._knows_conditions = True
        self._bucket_seen = False
        with naming(spool_dir):
            spool_dir.mkdir(parents=True, exist_ok=True)
            sweep(spool_dir)
        self._endpoint = endpoint
        self._clients = Clients(bucket, endpoint)
        self._client = self._clients.make(attempts)

    def spool(self) -> BlobSpool:
        """A new, empty spool."""
        with naming(self._spool_dir):
            return BlobSpool(SpoolFile(self._spool_dir), self._keep)

    def _keep(self, file: SpoolFile, blob: Blob) -> None:
        """Makes a complete file a blob, unless it is there already."""
        with naming(file.path):
            file.flush()
        key = self._root + object_key(blob.sha256)
        present = self.size(blob.sha256) if blob.size >= IN_PARTS_FROM else None
        if present is None:
            if self._put_blob(key, file.path, blob) is Outcome.PROVEN:
                return
            present = self.size(blob.sha256)
        if present is None:
            raise StorageError(f"{self._where(key)}: is not there after it was put")
        if present != blob.size or self._is_altered(key, blob):
            self._replace(key, file.path, blob)

    def _is_altered(self, key: str, blob: Blob) -> bool:
        """Whether the object has another SHA-256; read whole where the server keeps none of it."""
        with naming_object(self._where(key)):
            answer = self._client.head_object(Bucket=self._bucket, Key=key, ChecksumMode="ENABLED")
        present = answer.get("ChecksumSHA256")
        if present is not None and "-" not in present:
            return bool(present != _base64(blob.sha256))
        with self.open_unchecked(blob.sha256) as file:
            return hash_of(file) != blob.sha256

    def _replace(self, key: str, path: Path, blob: Blob) -> None:
        log.warning("%s was damaged, and is replaced by the good bytes received", self._where(key))
        to = Destination(self._client, self._bucket, key)
        with naming_object(self._where(key)):
            upload(to, Source(path, blob.size, _base64(blob.sha256)), ANYWAY)
        present = self.size(blob.sha256)
        if present != blob.size:
            raise damaged(self._where(key), f"{present} bytes instead of {blob.size}")

    def open(self, sha256: str) -> BinaryIO:
        """The blob's bytes, seekable, compared with their SHA-256 when they are read in order."""
        return self._reader(sha256, compared_with=sha256)

    def open_unchecked(self, sha256: str) -> BinaryIO:
        """The blob's bytes as the server gives them."""
        return self._reader(sha256)

    def _reader(self, sha256: str, compared_with: str | None = None) -> io.BufferedReader:
        key, size = self._root + object_key(sha256), self.size(sha256)
        where = self._where(key)
        if size is None:
            raise StorageRefused(f"{where}: there is no such object")
        reader = S3Reader(self._client, self._bucket, key, size, where, compared_with)
        return io.BufferedReader(reader, _READ_AT_ONCE)

    def local_path(self, sha256: str) -> None:
        """None: the bytes are on another machine."""

    def exists(self, sha256: str) -> bool:
        """Whether the blob is in the store."""
        return self.size(sha256) is not None

    def size(self, sha256: str) -> int | None:
        """The blob's size in bytes; None when it is not in the store."""
        key = self._root + object_key(sha256)
        with naming_object(self._where(key)):
            try:
                return int(self._client.head_object(Bucket=self._bucket, Key=key)["ContentLength"])
            except ClientError as error:
                if status_of(error) != 404:
                    raise
        self._check_bucket()
        return None

    def delete(self, sha256: str) -> None:
        """Takes the blob away; does nothing when it is not there."""
        self._delete(self._root + object_key(sha256))

    def blobs(self) -> Iterator[Blob]:
        """Every blob in the order of their SHA-256, a thousand per request."""
        for entry in self._list(f"{self._root}blobs/sha256/"):
            name = entry["Key"].rpartition("/")[2]
            if is_sha256(name):
                yield Blob(name, int(entry["Size"]), entry["LastModified"].astimezone(UTC))

    def presigned_url(self, sha256: str, *, file_name: str, mime: str, seconds: int) -> str | None:
        """A URL that lets anybody download the blob for some time, as an attachment."""
        if not 1 <= seconds <= _MAX_PRESIGNED:
            raise ValueError(f"a URL is signed for 1 to {_MAX_PRESIGNED} seconds")
        key = self._root + object_key(sha256)
        bare, _, charset = mime.partition("; charset=")
        answer = {
            "ResponseContentDisposition": attachment(file_name),
            "ResponseContentType": content_type(bare, charset),
        }
        with naming_object(self._where(key)):
            return str(
                self._client.generate_presigned_url(
                    "get_object",
                    Params={"Bucket": self._bucket, "Key": key, **answer},
                    ExpiresIn=seconds,
                )
            )

    def check(self) -> None:
        """Writes a small object and reads it back; gives up within seconds."""
        client = self._clients.make(ATTEMPTS_TO_CHECK)
        key = self._root + CHECK_KEY
        check_writable(Destination(client, self._bucket, key), self._where(key))

    def free_bytes(self) -> int:
        """Bytes that the disk of the spools has left; a bucket has no end."""
        with naming(self._spool_dir):
            return shutil.disk_usage(self._spool_dir).free

    def sweep(self, before: datetime) -> int:
        """Aborts uploads in parts that were started before this time: their parts cost room."""
        with naming(self._spool_dir):
            sweep(self._spool_dir)
        aborted = 0
        pages = self._client.get_paginator("list_multipart_uploads")
        with naming_object(self._where(self._root)):
            for page in pages.paginate(Bucket=self._bucket, Prefix=self._root):
                for upload in page.get("Uploads", ()):
                    if upload["Initiated"].astimezone(UTC) < before:
                        aborted += self._abort(upload["Key"], upload["UploadId"])
        return aborted

    def _abort(self, key: str, upload_id: str) -> bool:
        try:
            self._client.abort_multipart_upload(Bucket=self._bucket, Key=key, UploadId=upload_id)
        except ClientError as error:
            # Its owner has just finished it, or another sweep was here.
            if status_of(error) != 404:
                raise
            return False
        return True

    def put_object(self, key: str, data: bytes | Path, *, only_if_absent: bool = False) -> bool:
        """Stores bytes, or a copy of a file; False when it was to be absent and is not."""
        outcome = self._write(check_key(key), data, IF_ABSENT if only_if_absent else ANYWAY)
        return outcome is Outcome.WRITTEN

    def get_object(self, key: str) -> bytes | None:
        """A small object's bytes; None when there is none."""
        return self._read(check_key(key))[0]

    def download(self, key: str, path: Path) -> bool:
        """Copies an object to a file, which appears complete; False when there is none."""
        full = self._root + check_key(key)
        with naming_object(self._where(full)):
            answer = self._answer(full)
            if answer is None:
                return False
            # Its own `with` would give the bare stream, whose early end nobody notices.
            with closing(answer["Body"]) as body:
                receive(body, path)
        return True

    def objects(self, prefix: str) -> Iterator[str]:
        """The keys that begin with the prefix, a thousand per request."""
        return (stored.key for stored in self.stored_objects(prefix))

    def stored_objects(self, prefix: str) -> Iterator[StoredObject]:
        """The same, with the time at which each was stored."""
        for entry in self._list(self._root + check_prefix(prefix)):
            yield StoredObject(entry["Key"].removeprefix(self._root), entry["LastModified"])

    def every_object(self) -> Iterator[str]:
        """The keys of all named objects; the blobs, which may be millions, are not listed."""
        pages = self._client.get_paginator("list_objects_v2")
        tops: list[str] = []
        with naming_object(self._where(self._root)):
            for page in pages.paginate(Bucket=self._bucket, Prefix=self._root, Delimiter="/"):
                tops += [entry["Key"] for entry in page.get("Contents", ())]
                tops += [entry["Prefix"] for entry in page.get("CommonPrefixes", ())]
        for top in sorted(top.removeprefix(self._root) for top in tops):
            if is_key(top):
                yield top
            elif not is_reserved(top.removesuffix("/")):
                yield from (key for key in self.objects(top) if is_key(key))

    def delete_object(self, key: str) -> None:
        """Takes an object away; does nothing when it is not there."""
        self._delete(self._root + check_key(key))

    def swap_pointer(self, key: str, expected: bytes | None, new: bytes) -> bool:
        """Replaces a small object if it still holds `expected` (None: if it is absent)."""
        present, etag = self._read(check_key(key))
        if present != expected:
            return False
        outcome = self._write(key, new, IF_ABSENT if etag is None else if_match(etag))
        return outcome is Outcome.WRITTEN

    def _put_blob(self, key: str, path: Path, blob: Blob) -> Outcome:
        to = Destination(self._client, self._bucket, key)
        source = Source(path, blob.size, _base64(blob.sha256))
        with naming_object(self._where(key)):
            if self._knows_conditions:
                outcome = upload(to, source, IF_ABSENT)
                if outcome is not Outcome.UNSUPPORTED:
                    return outcome
                self._knows_conditions = False
            # Two that come here at once write the same bytes.
            if self.size(blob.sha256) is not None:
                return Outcome.REFUSED
            return upload(to, source, ANYWAY)

    def _write(self, key: str, data: bytes | Path, condition: Any) -> Outcome:
        full = self._root + key
        with naming_object(self._where(full)):
            size = data.stat().st_size if isinstance(data, Path) else len(data)
            to = Destination(self._client, self._bucket, full)
            outcome = upload(to, Source(data, size), condition)
        if outcome is Outcome.UNSUPPORTED:
            raise StorageRefused(f"{self._where(full)}: the server knows no conditional writes")
        return outcome

    def _read(self, key: str) -> tuple[bytes | None, str | None]:
        full = self._root + key
        with naming_object(self._where(full)):
            answer = self._answer(full)
            if answer is None:
                return None, None
            with closing(answer["Body"]) as body:
                return body.read(), answer["ETag"]

    def _answer(self, key: str) -> Any:
        try:
            return self._client.get_object(Bucket=self._bucket, Key=key, ChecksumMode="ENABLED")
        except ClientError as error:
            if status_of(error) != 404 or code_of(error) == "NoSuchBucket":
                raise
        return None

    def _list(self, prefix: str) -> Iterator[Any]:
        pages = self._client.get_paginator("list_objects_v2")
        with naming_object(self._where(prefix)):
            for page in pages.paginate(Bucket=self._bucket, Prefix=prefix):
                yield from page.get("Contents", ())

    def _delete(self, key: str) -> None:
        with naming_object(self._where(key)):
            self._client.delete_object(Bucket=self._bucket, Key=key)

    def _check_bucket(self) -> None:
        """An answer to HEAD does not tell a missing object from a missing bucket."""
        if self._bucket_seen:
            return
        with naming_object(self._where("")):
            try:
                self._client.head_bucket(Bucket=self._bucket)
            except ClientError as error:
                if status_of(error) == 404:
                    raise StorageRefused(f"{self._where('')}: there is no such bucket") from error
                # Who may not ask about the bucket may still be allowed to use it.
                if status_of(error) != 403:
                    raise
        self._bucket_seen = True

    def _where(self, key: str) -> str:
        at = f" at {self._endpoint}" if self._endpoint else ""
        return f"{f's3://{self._bucket}/{key}'.rstrip('/')}{at}"


def _base64(sha256: str) -> str:
    return base64.b64encode(bytes.fromhex(sha256)).decode("ascii")
