"""How messages leave: a POST of JSON, an e-mail. What fails says why, and tells no secret."""

import json
import smtplib
import ssl
from collections.abc import Mapping
from contextlib import closing
from email.message import EmailMessage
from typing import Any
from urllib.parse import unquote, urlsplit

from crawler.config.settings import Settings

SECONDS = 20.0
"""How long a receiver may take for all of it."""
_SMTP_PORT, _SMTPS_PORT = 25, 465
_MAX_PASSWORD = 10_000


class SendingFailed(Exception):
    """A message could not be sent; the sentence holds no secret."""


def reason_of(error: Exception) -> str:
    """Why it failed; the text of an unexpected error may hold an address, so it is left out."""
    return str(error) if isinstance(error, SendingFailed) else type(error).__name__


def post_json(
    url: str, body: Mapping[str, Any], *, allow_private: bool, named: str, allowed_by: str
) -> None:
    """Sends a webhook: https:// and public addresses unless allowed, no redirection followed."""
    from requests import PreparedRequest
    from requests.exceptions import RequestException

    from crawler.web.addresses import AddressPolicy, AddressRefused, NameUnresolved, Unreachable
    from crawler.web.connections import Guard, GuardedAdapter
    from crawler.web.deadline import Deadline

    if urlsplit(url).scheme != "https" and not allow_private:
        raise SendingFailed(f"{named} is not https:// (see {allowed_by})")
    deadline = Deadline()
    deadline.start(SECONDS)
    request = PreparedRequest()
    request.prepare(
        method="POST",
        url=url,
        headers={"Content-Type": "application/json", "User-Agent": "tallyho"},
        data=json.dumps(body).encode(),
    )
    policy = AddressPolicy(allow_private=allow_private)
    with closing(GuardedAdapter(Guard(policy, deadline))) as adapter:
        try:
            policy.check_literal(urlsplit(url).hostname or "")
            answer = adapter.send(request, timeout=SECONDS, stream=True)
        except AddressRefused:
            raise SendingFailed(f"the webhook is in a private network (see {allowed_by})") from None
        except (RequestException, NameUnresolved, Unreachable, OSError) as error:
            raise SendingFailed(f"the webhook gives no answer ({type(error).__name__})") from None
        with closing(answer):
            if not 200 <= answer.status_code < 300:
                raise SendingFailed(f"the webhook answers with status {answer.status_code}")


def send_mail(settings: Settings, to: str, subject: str, text: str) -> None:
    """Sends a plain e-mail by the mail server of the settings."""
    message = EmailMessage()
    message["Subject"] = " ".join(subject.split())
    message["From"] = settings.alarm_sender
    message["To"] = to
    message.set_content(text)
    if settings.smtp_url is None:
        raise SendingFailed("there is no mail server (TALLYHO_SMTP_URL)")
    parts = urlsplit(settings.smtp_url.get_secret_value())
    try:
        with _mail_server(parts.scheme, parts.hostname or "", parts.port) as server:
            if parts.username:
                if not isinstance(server.sock, ssl.SSLSocket) and not settings.alarm_private:
                    raise SendingFailed("the mail server has no encryption for the password")
                server.login(unquote(parts.username), _password(settings, parts.password))
            server.send_message(message)
    except (smtplib.SMTPException, OSError) as error:
        raise SendingFailed(f"the mail server refuses ({type(error).__name__})") from None


def _password(settings: Settings, in_address: str | None) -> str:
    if settings.smtp_password_file is None:
        return unquote(in_address or "")
    try:
        with settings.smtp_password_file.open(encoding="utf-8") as file:
            return file.read(_MAX_PASSWORD).strip()
    except (OSError, ValueError):
        raise SendingFailed("TALLYHO_SMTP_PASSWORD_FILE cannot be read") from None


def _mail_server(scheme: str, host: str, port: int | None) -> smtplib.SMTP:
    if scheme == "smtps":
        context = ssl.create_default_context()
        return smtplib.SMTP_SSL(host, port or _SMTPS_PORT, timeout=SECONDS, context=context)
    server = smtplib.SMTP(host, port or _SMTP_PORT, timeout=SECONDS)
    server.ehlo()
    if server.has_extn("starttls"):
        server.starttls(context=ssl.create_default_context())
    return server
