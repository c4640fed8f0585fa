"""The clients of boto3 that a store has, within bounds; and whether its bucket can be used."""

import logging
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError

from crawler.errors import StorageRefused
from crawler.storage.keys import CHECK_BYTES
from crawler.storage.s3_errors import naming_object
from crawler.storage.s3_upload import ANYWAY, IF_ABSENT, Destination, Outcome, Source, upload

ATTEMPTS = 5
"""How often one request is made in all, with growing pauses, before it counts as failed."""
ATTEMPTS_TO_CHECK = 3
"""Of one request: a person waits, and so does a website that will not be asked in vain."""
_SHOWN = 4
_CONNECT_SECONDS = 10
_SILENCE_SECONDS = 60
_CONNECTIONS = 16


class Clients:
    """Makes clients for a bucket; several threads may use one of them at once.

    They share a session: it reads the description of the service for the first client, which takes
    longer than all else that is done before a crawl begins.
    """

    def __init__(self, bucket: str, endpoint: str | None) -> None:
        # At DEBUG it would log session tokens.
        logging.getLogger("botocore").setLevel(logging.INFO)
        self._endpoint = endpoint
        self._where = f"s3://{bucket}" + (f" at {endpoint}" if endpoint else "")
        with self._refusals():
            self._session: Any = boto3.session.Session()

    def make(self, attempts: int) -> Any:
        """A client that makes every request so often before it counts as failed."""
        config = Config(
            signature_version="s3v4",
            s3={"addressing_style": "path" if self._endpoint else "auto"},
            retries={"mode": "standard", "total_max_attempts": attempts},
            connect_timeout=_CONNECT_SECONDS,
            read_timeout=_SILENCE_SECONDS,
            max_pool_connections=_CONNECTIONS,
            # A checksum of the whole object does not fit the ranges that a reader asks for.
            response_checksum_validation="when_required",
        )
        with self._refusals():
            return self._session.client("s3", endpoint_url=self._endpoint, config=config)

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        try:
            yield
        except (BotoCoreError, ValueError) as error:
            raise StorageRefused(f"{self._where}: {type(error).__name__}") from error


def check_writable(to: Destination, where: str) -> None:
    """Write the object unless it is there, and read it; errors also name the credentials used."""
    source = Source(CHECK_BYTES, len(CHECK_BYTES))
    try:
        with naming_object(where):
            if upload(to, source, IF_ABSENT) is Outcome.UNSUPPORTED:
                upload(to, source, ANYWAY)
            with closing(to.client.get_object(**to.names)["Body"]) as body:
                same = body.read(len(CHECK_BYTES) + 1) == CHECK_BYTES
    except StorageRefused as error:
        raise StorageRefused(f"{error.message}; {_credentials()}") from error
    if not same:
        raise StorageRefused(f"{where}: reads otherwise than it was written; is this an S3 server?")


def _credentials() -> str:
    """Whose key it was, without telling the key."""
    try:
        found = boto3.session.Session().get_credentials()
    except BotoCoreError:
        found = None
    if found is None or not found.access_key:
        return "boto3 finds no credentials on this machine"
    return f"the access key used ends in {found.access_key[-_SHOWN:]!r} ({found.method})"
