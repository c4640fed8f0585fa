"""The URLs of the settings, checked: stores, databases, webhooks and mail servers.

The reasons never repeat the URL: a webhook's address is often a secret, and people write passwords
into the others, even where none belong.
"""

import re
from urllib.parse import SplitResult, urlsplit

from pydantic import SecretStr

_BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
_PREFIX = re.compile(r"(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*/?")
_MAX_PREFIX = 256
_POSTGRESQL = frozenset({"postgresql", "postgresql+psycopg"})
_MAIL_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,253}")


def check_store_url(url: str) -> str:
    """The URL itself; ValueError unless it names a folder or a bucket."""
    parts = urlsplit(url)
    if parts.scheme == "s3":
        _check_bucket(parts)
        return url
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        raise ValueError("is neither file:///path/to/folder nor s3://bucket/prefix")
    if not parts.path.startswith("/") or parts.path == "/":
        raise ValueError("names no folder; write file:///path/to/folder")
    return url


def check_endpoint(url: str) -> str:
    """The URL without a slash at its end; ValueError unless it is the address of a server alone."""
    reason = "is not the http:// or https:// address of a server"
    parts = _split(url, reason)
    if not parts.hostname or parts.scheme not in ("http", "https"):
        raise ValueError(reason)
    if "@" in parts.netloc:
        raise ValueError("carries no user name and no password; boto3 finds them by its own rules")
    if not _is_server_alone(parts):
        raise ValueError("is the address of a server alone; write https://s3.example.org")
    return url.rstrip("/")


def check_pages_url(url: str) -> str:
    """The URL without a slash at its end; ValueError unless links can begin with it."""
    reason = "is not the http:// or https:// address of the catalog's pages"
    parts = _split(url, reason)
    if not parts.hostname or parts.scheme not in ("http", "https") or "@" in parts.netloc:
        raise ValueError(reason)
    if parts.query or parts.fragment:
        raise ValueError(reason)
    return url.rstrip("/")


def check_catalog_url(secret: SecretStr) -> SecretStr:
    """The URL itself; ValueError unless it names an SQLite file or a PostgreSQL database."""
    url = secret.get_secret_value()
    scheme, separator, rest = url.partition("://")
    if not separator or scheme not in {"sqlite", *_POSTGRESQL}:
        raise ValueError("is neither sqlite:////path/to/file nor postgresql://host/name")
    if scheme == "sqlite" and (not rest.startswith("/") or rest.strip("/") in ("", ":memory:")):
        raise ValueError("names no file; write sqlite:////path/to/file")
    if scheme in _POSTGRESQL and not urlsplit(url).path.strip("/"):
        raise ValueError("names no database; write postgresql://host/name")
    return secret


def check_webhook(secret: SecretStr) -> SecretStr:
    """The address itself; ValueError unless a POST can be sent to it."""
    parts = _split(secret.get_secret_value(), "is not an address")
    if parts.scheme not in ("https", "http") or not parts.hostname:
        raise ValueError("is not an https:// address")
    return secret


def check_smtp_url(secret: SecretStr) -> SecretStr:
    """The address itself; ValueError unless it names a mail server."""
    parts = _split(secret.get_secret_value(), "is not smtp://user:password@host:port")
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
        raise ValueError("is neither smtp://user:password@host:port nor smtps://…")
    if not _is_server_alone(parts):
        raise ValueError("is the address of a mail server alone")
    return secret


def check_mail_addresses(text: str) -> str:
    """The text itself; ValueError unless it is a list of e-mail addresses."""
    for address in text.split(","):
        if not _MAIL_ADDRESS.fullmatch(address.strip()):
            raise ValueError("is not a list of e-mail addresses, separated by commas")
    return text


def _split(url: str, reason: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        usable = parts.port != 0 and url.isprintable() and " " not in url
    except ValueError:
        usable = False
    if not usable:
        raise ValueError(reason)
    return parts


def _is_server_alone(parts: SplitResult) -> bool:
    return parts.path in ("", "/") and not parts.query and not parts.fragment


def _check_bucket(parts: SplitResult) -> None:
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError(
            "is s3://bucket/prefix alone; boto3 finds the credentials by its own rules"
        )
    if not _BUCKET.fullmatch(parts.netloc):
        raise ValueError("names no bucket; write s3://bucket/prefix")
    if not _PREFIX.fullmatch(parts.path) or len(parts.path) > _MAX_PREFIX:
        raise ValueError("has a prefix of other than letters, digits, _ - . and single /")
