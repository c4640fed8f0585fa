"""Bytes on their way into S3: in one piece or in parts, if a condition holds.

Memory is constant: one part at a time is in it. An upload that fails leaves nothing behind.
"""

import random
import secrets
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from crawler.storage.s3_errors import code_of, status_of, was_retried

IN_PARTS_FROM = 64 * 1024**2
"""A file of this size or more goes in parts."""
PART = 16 * 1024**2
_MAX_PARTS = 10_000
_CONFLICTS = 6
"""How often a write may meet another one (409) before it is given up."""
_WRITER = "writer"

IF_ABSENT: Mapping[str, str] = {"IfNoneMatch": "*"}
ANYWAY: Mapping[str, str] = {}


def if_match(etag: str) -> Mapping[str, str]:
    """The condition that an object is still what it was."""
    return {"IfMatch": etag}


class Outcome(Enum):
    """What came of a write under a condition."""

    WRITTEN = auto()
    PROVEN = auto()
    """Written, and the server names the SHA-256 that was sent."""
    REFUSED = auto()
    """The condition did not hold."""
    UNSUPPORTED = auto()
    """The server knows no conditions."""


@dataclass(frozen=True, slots=True)
class Source:
    """What is to be written."""

    data: bytes | Path
    size: int
    sha256: str | None = None
    """In base64, where it is known; otherwise boto3 adds a checksum of its own choice."""

    def parts(self, length: int) -> Iterator[bytes]:
        """The bytes, some at a time."""
        if isinstance(self.data, bytes):
            yield from (self.data[at : at + length] for at in range(0, self.size, length))
            return
        with self.data.open("rb") as file:
            while piece := file.read(length):
                yield piece


@dataclass(frozen=True, slots=True)
class Destination:
    """Where it is to be written."""

    client: Any
    bucket: str
    key: str

    @property
    def names(self) -> dict[str, str]:
        """As every call wants them."""
        return {"Bucket": self.bucket, "Key": self.key}


def upload(to: Destination, source: Source, condition: Mapping[str, str]) -> Outcome:
    """Writes an object if the condition holds; boto3's errors come out as they are."""
    # A repeated request may meet what its own first attempt has written: the mark tells it.
    mark = secrets.token_hex(8)
    send = _send_parts if source.size >= IN_PARTS_FROM else _send_whole
    for attempt in range(1, _CONFLICTS + 1):
        try:
            return send(to, source, condition, mark)
        except ClientError as error:
            status, code = status_of(error), code_of(error)
            if status == 412 or code in ("NoSuchUpload", "NoSuchKey"):
                return _refused_or_done(to, mark, error)
            if condition and (status == 501 or code == "NotImplemented"):
                return Outcome.UNSUPPORTED
            if status != 409 or attempt == _CONFLICTS:
                raise
        time.sleep(random.uniform(0.02, 0.1) * 2**attempt)  # noqa: S311
    raise AssertionError("the last attempt returns or raises")


def _send_whole(
    to: Destination, source: Source, condition: Mapping[str, str], mark: str
) -> Outcome:
    known = {"ChecksumSHA256": source.sha256} if source.sha256 else {}
    options = {
        "ContentType": "application/octet-stream",
        "Metadata": {_WRITER: mark},
        **known,
        **condition,
    }
    if isinstance(source.data, bytes):
        answer = to.client.put_object(**to.names, Body=source.data, **options)
    else:
        with source.data.open("rb") as body:
            answer = to.client.put_object(**to.names, Body=body, **options)
    proven = source.sha256 is not None and answer.get("ChecksumSHA256") == source.sha256
    return Outcome.PROVEN if proven else Outcome.WRITTEN


def _send_parts(
    to: Destination, source: Source, condition: Mapping[str, str], mark: str
) -> Outcome:
    started = to.client.create_multipart_upload(
        **to.names,
        ContentType="application/octet-stream",
        Metadata={_WRITER: mark},
        ChecksumAlgorithm="CRC32",
    )
    names = {**to.names, "UploadId": started["UploadId"]}
    try:
        length = max(PART, -(-source.size // _MAX_PARTS))
        sent = [
            _send_part(to.client, names, number, piece)
            for number, piece in enumerate(source.parts(length), start=1)
        ]
        to.client.complete_multipart_upload(**names, MultipartUpload={"Parts": sent}, **condition)
    except BaseException:
        with suppress(ClientError, BotoCoreError):
            to.client.abort_multipart_upload(**names)
        raise
    return Outcome.WRITTEN


def _send_part(
    client: Any, names: Mapping[str, str], number: int, piece: bytes
) -> dict[str, str | int]:
    answer = client.upload_part(**names, PartNumber=number, Body=piece, ChecksumAlgorithm="CRC32")
    part: dict[str, str | int] = {"PartNumber": number, "ETag": answer["ETag"]}
    if "ChecksumCRC32" in answer:
        part["ChecksumCRC32"] = answer["ChecksumCRC32"]
    return part


def _refused_or_done(to: Destination, mark: str, error: ClientError) -> Outcome:
    if not was_retried(error):
        if status_of(error) == 412 or code_of(error) == "NoSuchKey":
            return Outcome.REFUSED
        raise error
    try:
        there = to.client.head_object(**to.names)
    except ClientError as missing:
        if status_of(missing) == 404:
            raise error from None
        raise
    return Outcome.WRITTEN if there.get("Metadata", {}).get(_WRITER) == mark else Outcome.REFUSED
