"""Whether a bucket can be used: a small object is written and read back, and the answer is soon."""

from contextlib import closing

import boto3
from botocore.exceptions import BotoCoreError

from crawler.errors import StorageRefused
from crawler.storage.keys import CHECK_BYTES
from crawler.storage.s3_errors import naming_object
from crawler.storage.s3_upload import ANYWAY, IF_ABSENT, Destination, Outcome, Source, upload

ATTEMPTS_TO_CHECK = 3
"""Of one request: a person waits, and so does a website that will not be asked in vain."""
_SHOWN = 4


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
