"""An alert file: a saved search, and who is told of its news once a night."""

import re
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, SecretStr, model_validator

from crawler.config.problem import did_you_mean
from crawler.config.section import Line, Section
from crawler.config.service_urls import check_mail_addresses, check_webhook
from crawler.config.site import Name
from crawler.pages.mime_groups import EXTENSION_GROUPS, TARGET_GROUPS

ENV, FILE = "env:", "file:"
"""Where a webhook's address may be found instead of in the alert file."""
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_PERIOD = re.compile(r"\d{4}(-\d{4})?")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*")


def _check_receiver(secret: SecretStr) -> SecretStr:
    text = secret.get_secret_value()
    if text.startswith(ENV):
        if not _VARIABLE.fullmatch(text.removeprefix(ENV)):
            raise ValueError("env: is followed by the name of an environment variable")
        return secret
    if text.startswith(FILE):
        if not text.removeprefix(FILE).startswith("/"):
            raise ValueError("file: is followed by the absolute path of a file")
        return secret
    try:
        return check_webhook(secret)
    except ValueError:
        raise ValueError("is neither an https:// address, nor env:NAME, nor file:/path") from None


def _check_format(name: str) -> str:
    if name not in TARGET_GROUPS and name not in EXTENSION_GROUPS:
        hint = did_you_mean(name, TARGET_GROUPS) or f"; formats are {', '.join(TARGET_GROUPS)}"
        raise ValueError(f"'{name[:80]}' is no format{hint}")
    return name


def _check_period(text: str) -> str:
    if not _PERIOD.fullmatch(text):
        raise ValueError(f"'{text[:40]}' is no period: write a year such as 2019, or 2015-2019")
    return text


def _check_language(tag: str) -> str:
    if not _LANGUAGE.fullmatch(tag):
        raise ValueError(f"'{tag[:40]}' is no language: write en, fr, pt-BR")
    return tag


def _check_address(address: str) -> str:
    if "," in address:
        raise ValueError("is a list: write one address to a line, each after a dash")
    try:
        return check_mail_addresses(address)
    except ValueError:
        raise ValueError("is not an e-mail address") from None


class AlertConfig(Section):
    """A saved search whose news is sent once a night, and to whom."""

    name: Name = ""
    """What the alert is called: always the name of its file."""

    enabled: bool = True
    """Whether it is sent."""

    search: Annotated[Line, Field(max_length=200)] = ""
    """What to look for, as in the search; everything by default."""

    site: Name | None = None
    """Only this site."""

    format: Annotated[str, AfterValidator(_check_format)] | None = None
    """Only files of this format: csv, excel, ods, json, sdmx, pdf, ..."""

    verdict: Literal["valid", "suspect", "document", "broken", "not_a_dataset"] | None = None
    """Only versions with this verdict."""

    language: Annotated[str, AfterValidator(_check_language)] | None = None
    """Only of this language, of the page or of the file."""

    period: Annotated[str, AfterValidator(_check_period)] | None = None
    """Only tables that cover this year, or these: "2019", 2015-2019."""

    place: Line | None = None
    """Only tables that cover this place."""

    publisher: Line | None = None
    """Only of this publisher."""

    what: Annotated[
        tuple[Literal["new", "changed", "gone"], ...], Field(strict=False, min_length=1)
    ] = ("new", "changed", "gone")
    """What is told: files that are new, changed or gone."""

    webhook: Annotated[SecretStr, AfterValidator(_check_receiver)] | None = None
    """Where to send it as JSON: an https:// address, or where that is kept: env:NAME for an
    environment variable, file:/path for a file."""

    email: Annotated[
        tuple[Annotated[str, AfterValidator(_check_address)], ...],
        Field(strict=False, max_length=50),
    ] = ()
    """E-mail addresses to send it to, by the mail server of the settings."""

    max_items: int = Field(default=100, ge=1, le=500)
    """How many files a message lists; it counts all of them."""

    allow_private_hosts: bool = False
    """Whether the webhook may be on this machine or in a private network, also over http://."""

    @model_validator(mode="after")
    def _has_receiver(self) -> Self:
        if self.webhook is None and not self.email:
            raise ValueError("has nobody to tell: give webhook or email")
        return self
