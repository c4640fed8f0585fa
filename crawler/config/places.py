"""Where files and catalog are kept: the URLs of stores and databases, checked.

Reasons never repeat the text: people put passwords into such URLs, also where none belong.
"""

import re
from urllib.parse import SplitResult, urlsplit

from pydantic import SecretStr

_BUCKET = re.compile(r"[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]")
_PREFIX = re.compile(r"(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*/?")
_LONGEST_PREFIX = 256
_POSTGRESQL = frozenset({"postgresql", "postgresql+psycopg"})


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
    try:
        parts = urlsplit(url)
        usable = bool(parts.hostname) and parts.port != 0 and url.isprintable() and " " not in url
    except ValueError:
        usable = False
    if not usable or parts.scheme not in ("http", "https"):
        raise ValueError("is not the http:// or https:// address of a server")
    if "@" in parts.netloc:
        raise ValueError("carries no user name and no password; boto3 finds them by its own rules")
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise ValueError("is the address of a server alone; write https://s3.example.org")
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


def _check_bucket(parts: SplitResult) -> None:
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise ValueError(
            "is s3://bucket/prefix alone; boto3 finds the credentials by its own rules"
        )
    if not _BUCKET.fullmatch(parts.netloc):
        raise ValueError("names no bucket; write s3://bucket/prefix")
    if not _PREFIX.fullmatch(parts.path) or len(parts.path) > _LONGEST_PREFIX:
        raise ValueError("has a prefix of other than letters, digits, _ - . and single /")
