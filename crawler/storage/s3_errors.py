"""What boto3 raises, as errors of ours: which object, what happened, whether waiting helps.

Messages hold the server's short code and never its sentence, a header or a credential.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectionError,  # noqa: A004 - botocore's name
    CredentialRetrievalError,
    HTTPClientError,
    IncompleteReadError,
    NoCredentialsError,
    PartialCredentialsError,
    SSLError,
)

from crawler.errors import StorageError, StorageRefused
from crawler.storage.durable_file import storage_error
from crawler.turns import waiting

_OVER_SOON = frozenset(
    {"RequestTimeout", "SlowDown", "Throttling", "ThrottlingException", "InternalError"}
)
_SENTENCES = {
    "NoSuchBucket": "there is no such bucket",
    "AccessDenied": "access is denied",
    "InvalidAccessKeyId": "the access key is not known",
    "SignatureDoesNotMatch": "the secret key is wrong",
    "ExpiredToken": "the credentials have expired",
    "BadDigest": "the bytes did not arrive as they were sent",
}
_NO_ANSWER = (HTTPClientError, ConnectionError, IncompleteReadError)
_CREDENTIALS = (NoCredentialsError, PartialCredentialsError, CredentialRetrievalError)


@contextmanager
def naming_object(where: str) -> Iterator[None]:
    """Turns what boto3 raises into a StorageError that begins with the object's place."""
    try:
        with waiting():
            yield
    except ClientError as error:
        raise _refused_or_over_soon(error, where) from error
    except _CREDENTIALS as error:
        raise StorageRefused(f"{where}: no usable credentials were found") from error
    except _NO_ANSWER as error:
        if isinstance(error, SSLError) and "CERTIFICATE_VERIFY_FAILED" in str(error):
            raise StorageRefused(f"{where}: the server's certificate cannot be trusted") from error
        raise StorageError(f"{where}: no answer ({type(error).__name__})") from error
    except BotoCoreError as error:
        raise StorageRefused(f"{where}: {type(error).__name__}") from error
    except OSError as error:
        # Of the file on this machine; botocore's own errors, some of which are OSErrors, are above.
        raise storage_error(error.filename or where, error) from error


def status_of(error: ClientError) -> int:
    """The HTTP status of an answer that says no."""
    return int(error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0))


def code_of(error: ClientError) -> str:
    """The server's code; the bare status where it sent none, as in answers to HEAD."""
    return str(error.response.get("Error", {}).get("Code", ""))[:60]


def was_retried(error: ClientError) -> bool:
    """Whether an earlier attempt of the same request may have done its work unheard."""
    return int(error.response.get("ResponseMetadata", {}).get("RetryAttempts", 0)) > 0


def _refused_or_over_soon(error: ClientError, where: str) -> StorageError:
    status, code = status_of(error), code_of(error)
    answered = f"{status}" if code in ("", str(status)) else f"{status} {code}"
    sentence = _SENTENCES.get(code, "access is denied" if status == 403 else "the server says no")
    over_soon = status in (408, 409, 429) or (status >= 500 and status != 501) or code in _OVER_SOON
    kind = StorageError if over_soon else StorageRefused
    return kind(f"{where}: {sentence} ({answered})")
