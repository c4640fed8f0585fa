"""One client of boto3 per store: bounded in time, attempts and connections."""

import logging
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError

from crawler.errors import StorageRefused

ATTEMPTS = 5
"""How often one request is made in all, with growing pauses, before it counts as failed."""
_CONNECT_SECONDS = 10
_SILENCE_SECONDS = 60
_CONNECTIONS = 16


def make_client(bucket: str, endpoint: str | None, attempts: int) -> Any:
    """A client for a bucket; several threads may use it at once."""
    # At DEBUG it would log session tokens.
    logging.getLogger("botocore").setLevel(logging.INFO)
    config = Config(
        signature_version="s3v4",
        s3={"addressing_style": "path" if endpoint else "auto"},
        retries={"mode": "standard", "total_max_attempts": attempts},
        connect_timeout=_CONNECT_SECONDS,
        read_timeout=_SILENCE_SECONDS,
        max_pool_connections=_CONNECTIONS,
        # A checksum of the whole object does not fit the ranges that a reader asks for.
        response_checksum_validation="when_required",
    )
    try:
        return boto3.session.Session().client("s3", endpoint_url=endpoint, config=config)
    except (BotoCoreError, ValueError) as error:
        at = f" at {endpoint}" if endpoint else ""
        raise StorageRefused(f"s3://{bucket}{at}: {type(error).__name__}") from error
