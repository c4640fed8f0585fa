"""Where alarms go: the addresses of webhooks, mailboxes and mail servers, checked.

Reasons never repeat the text: the address of a webhook often is a secret, and people put passwords
into that of a mail server.
"""

import re
from urllib.parse import SplitResult, urlsplit

from pydantic import SecretStr

_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,253}")


def check_webhook(secret: SecretStr) -> SecretStr:
    """The address itself; ValueError unless a POST can be sent to it."""
    parts = _split(secret, "is not an address")
    if parts.scheme not in ("https", "http") or not parts.hostname:
        raise ValueError("is not an https:// address")
    return secret


def check_smtp_url(secret: SecretStr) -> SecretStr:
    """The address itself; ValueError unless it names a mail server."""
    parts = _split(secret, "is not smtp://user:password@host:port")
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
        raise ValueError("is neither smtp://user:password@host:port nor smtps://…")
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise ValueError("is the address of a mail server alone")
    return secret


def check_addresses(text: str) -> str:
    """The text itself; ValueError unless it is a list of e-mail addresses."""
    for address in text.split(","):
        if not _ADDRESS.fullmatch(address.strip()):
            raise ValueError("is not a list of e-mail addresses, separated by commas")
    return text


def _split(secret: SecretStr, reason: str) -> SplitResult:
    url = secret.get_secret_value()
    try:
        parts = urlsplit(url)
        usable = parts.port != 0 and url.isprintable() and " " not in url
    except ValueError:
        usable = False
    if not usable:
        raise ValueError(reason)
    return parts
