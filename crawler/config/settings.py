"""Settings of the installation: environment variables that start with TALLYHO_."""

import os
import re
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit
from urllib.request import url2pathname

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from crawler.config.problem import did_you_mean
from crawler.config.section import is_site_name
from crawler.config.service_urls import (
    check_catalog_url,
    check_endpoint,
    check_mail_addresses,
    check_pages_url,
    check_smtp_url,
    check_store_url,
    check_webhook,
)
from crawler.config.sizes import GIB, Size
from crawler.errors import ConfigError
from crawler.learning.group_score import Score

PREFIX = "TALLYHO_"
SECRETS = Path("/run/secrets")
"""Where containers have secrets as files; `tallyho_catalog_url` there is TALLYHO_CATALOG_URL."""


class LogLevel(StrEnum):
    """How much is logged on standard error."""

    DEBUG = "DEBUG"
    INFO = "INFO"
    WARNING = "WARNING"
    ERROR = "ERROR"


class LogFormat(StrEnum):
    """How a message is written."""

    TEXT = "text"
    JSON = "json"


class Settings(BaseSettings):
    """Where things are on this machine; what concerns one site is in its YAML file."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,
        secrets_dir=SECRETS if SECRETS.is_dir() else None,
    )

    home: Annotated[Path, AfterValidator(lambda path: path.expanduser().absolute())] = Path(
        ".tallyho"
    )
    """The folder for everything that Tallyho stores: crawl states, files, manifests."""

    store_url: Annotated[str, AfterValidator(check_store_url)] | None = None
    """Where acquired files go: file:///path/to/folder, or s3://bucket/prefix with credentials by
    boto3's own rules. By default `store` in the home."""

    s3_endpoint: Annotated[str, AfterValidator(check_endpoint)] | None = None
    """The server of s3:// where it is not Amazon's, such as http://seaweedfs:8333."""

    catalog_url: Annotated[SecretStr, AfterValidator(check_catalog_url)] | None = None
    """The database of the catalog: sqlite:////path/to/file, or postgresql://user:password@host/name.
    By default `catalog.db` in the home."""

    retention: Literal["all"] | Annotated[int, Field(ge=1)] = "all"
    """How many versions of a file keep their bytes: all, or a number. Their records always stay."""

    slice_minutes: float = Field(default=20, gt=0, le=1440, allow_inf_nan=False)
    """How long a crawl works in Airflow before it frees its worker for other tasks."""

    crawl_pool: str = Field(default="default_pool", min_length=1, max_length=256)
    """Airflow's pool that crawls take their slots from; if there is none, crawls never start."""

    lane_sites: int = Field(default=100, ge=1, le=1000)
    """How many sites one lane crawls at once in Airflow; the others of the lane wait."""

    lane_patience_minutes: float = Field(default=5, gt=0, le=1440, allow_inf_nan=False)
    """After this time without a sign of its lane a site crawls by itself."""

    fleet_requests: int | None = Field(default=None, ge=1)
    """Requests of one night that the fleet shares between the sites without their own budget. If it
    is not set, each of them has the default budget."""

    fleet_score: Score = Score.SUCCESS_RATE
    """What the fleet ranks sites by; the names are those of paper 001."""

    fleet_floor: float = Field(default=0.2, ge=0, le=1)
    """The share of the fleet's requests that is divided equally between its sites, so that none
    starves; 0 leaves all to the score, and reserves nothing for revisits."""

    fleet_first: int = Field(default=500, ge=0)
    """Requests of a site that was never crawled, before the others are ranked."""

    fleet_half_life: float = Field(default=14, gt=0, le=3650)
    """Days after which what a visit gave counts half."""

    fleet_lambda: float = Field(default=0.5, ge=0, le=1)
    """The share of requests that goes to random sites at first; it decays with each request."""

    fleet_decay: int = Field(default=10_000, ge=1)
    """Requests after which that share has halved; requests of long ago count less, too."""

    fleet_seed: int = Field(default=0, ge=0)
    """Seed of the fleet's random choices: the same seed and date give the same allotments."""

    upkeep_blobs: int = Field(default=10_000, ge=0)
    """Max files that one upkeep reads and compares with their hash."""

    upkeep_bytes: Size = 20 * GIB
    """Max bytes that one upkeep reads for that."""

    upkeep_days: int = Field(default=28, ge=1)
    """Nights within which every file is read; a store that is too large for the two limits above
    is read faster than they say."""

    airflow_days: int | None = Field(default=None, ge=1)
    """Days after which upkeep deletes logs of Airflow's tasks, and its records of runs where the
    next setting says where they are. If it is not set, both stay."""

    airflow_database_url: SecretStr | None = None
    """Airflow's own database, for that: what AIRFLOW__DATABASE__SQL_ALCHEMY_CONN holds, which
    Airflow hides from tasks."""

    alarm_webhook: Annotated[SecretStr, AfterValidator(check_webhook)] | None = None
    """Where alarms are sent as JSON: an https:// address, which is often a secret itself."""

    alarm_private: bool = False
    """Whether the webhook may be on this machine or in a private network, also over http://."""

    alarm_email: Annotated[str, AfterValidator(check_mail_addresses)] | None = None
    """E-mail addresses that alarms are sent to, separated by commas."""

    alarm_sender: Annotated[str, AfterValidator(check_mail_addresses)] = "tallyho@localhost"
    """The sender of the e-mails of alarms and alerts."""

    smtp_url: Annotated[SecretStr, AfterValidator(check_smtp_url)] | None = None
    """The mail server: smtp://user:password@host:587 (with STARTTLS where the server has it), or
    smtps://. If it is not set, the connection `smtp_default` in Airflow."""

    smtp_password_file: Path | None = None
    """A file that holds the password of the mail server, instead of the address above."""

    sites_dir: Path = Path("include/sites")
    """The folder of the site files."""

    alerts_dir: Path = Path("include/alerts")
    """The folder of the alert files: saved searches whose news is sent once a night."""

    pages_url: Annotated[str, AfterValidator(check_pages_url)] | None = None
    """Where the catalog's pages are, such as https://data.example.org: alerts link to them."""

    expectations_dir: Path = Path("include/expectations")
    """The folder of the expectation suites."""

    log_format: LogFormat = LogFormat.TEXT
    """How each message is logged on standard error: text, or json with the figures of nights and
    crawls as fields. Airflow's own files of task logs always have them as fields."""

    thesaurus_file: Path = Path("include/thesaurus.txt")
    """Your own words that mean the same, beside those that the search knows; it need not exist."""

    upkeep_datasets: int = Field(default=50_000, ge=0)
    """Max datasets that one upkeep indexes anew, after an upgrade that changed the search."""

    log_level: Annotated[
        LogLevel, BeforeValidator(lambda value: value.upper() if isinstance(value, str) else value)
    ] = LogLevel.WARNING
    """How much is logged on standard error: DEBUG, INFO, WARNING or ERROR."""

    @property
    def object_store_url(self) -> str:
        """Where acquired files go; `store` in the home by default."""
        return (self.store_url or (self.home / "store").as_uri()).rstrip("/")

    @property
    def store_place(self) -> str:
        """Where acquired files are, for people: a folder's path, or s3://bucket/prefix."""
        parts = urlsplit(self.object_store_url)
        return url2pathname(parts.path) if parts.scheme == "file" else self.object_store_url

    def place_of(self, key: str) -> str:
        """Where an object of the store is, for people."""
        return f"{self.store_place.rstrip('/')}/{key}"

    @property
    def is_shared(self) -> bool:
        """Whether other machines may resume a crawl that was started here."""
        return self.store_url is not None and self.catalog_url is not None

    @property
    def spool_dir(self) -> Path:
        """Where files are on this machine until they are uploaded to S3."""
        return self.home / "spool"

    @property
    def database_url(self) -> str:
        """The database of the catalog with its password: not to be shown."""
        if self.catalog_url is None:
            return f"sqlite:///{self.home / 'catalog.db'}"
        return self.catalog_url.get_secret_value()

    def state_path(self, site: str) -> Path:
        """The crawl state of a site."""
        return self.home / "state" / f"{_checked(site)}.db"

    def manifest_path(self, site: str) -> Path:
        """The list of a site's files, one JSON object per line."""
        return self.home / "manifests" / f"{_checked(site)}.jsonl"


def load_settings() -> Settings:
    """The settings of the environment; ConfigError that names the variable when one is wrong."""
    try:
        return Settings()
    except ValidationError as error:
        detail = error.errors(include_url=False)[0]
        variable = f"{PREFIX}{detail['loc'][0]}".upper()
        reason = str(detail.get("ctx", {}).get("error") or detail["msg"])
        raise ConfigError(f"{variable}: {reason}") from None


def unknown_variables(environment: Mapping[str, str] = os.environ) -> list[str]:
    """A sentence for every TALLYHO_ variable that is not a setting, probably misspelt."""
    known = [f"{PREFIX}{name}".upper() for name in Settings.model_fields]
    return [
        f"{name} is not a setting{_suggestion(name, known)}"
        for name in sorted(environment)
        if name.upper().startswith(PREFIX) and name.upper() not in known
    ]


def _suggestion(name: str, known: list[str]) -> str:
    """Compares without the common prefix: with it all settings would be similar."""
    hint = did_you_mean(name[len(PREFIX) :], [word[len(PREFIX) :].lower() for word in known])
    return re.sub(r'"(\w+)"', lambda match: PREFIX + match[1].upper(), hint)


def _checked(site: str) -> str:
    """Site names are checked again where they become paths."""
    if not is_site_name(site):
        raise ConfigError(f"'{site[:80]}' cannot name a site")
    return site
