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

from crawler.config.alarm_places import check_addresses, check_smtp_url, check_webhook
from crawler.config.places import check_catalog_url, check_endpoint, check_store_url
from crawler.config.site import NAME_PATTERN
from crawler.config.sizes import GIB, Size
from crawler.config.suggestion import did_you_mean
from crawler.errors import ConfigError

PREFIX = "TALLYHO_"


class FleetScore(StrEnum):
    """The functions of paper 001, section 3.2, that estimate what a site will give."""

    SUCCESS_RATE = "success_rate"
    NEGATIVE_ABSOLUTE_BAD = "negative_absolute_bad"
    BEST_SCORE = "best_score"
    THOMPSON_SAMPLING = "thompson_sampling"
    ABSOLUTE_GOOD_BEST_SCORE = "absolute_good_best_score"
    THOMPSON_SAMPLING_BEST_SCORE = "thompson_sampling_best_score"
    SUCCESS_RATE_BEST_SCORE = "success_rate_best_score"


class LogLevel(StrEnum):
    """How much is told on standard error."""

    DEBUG = "DEBUG"
    INFO = "INFO"
    WARNING = "WARNING"
    ERROR = "ERROR"


def _absolute(path: Path) -> Path:
    return path.expanduser().absolute()


def _upper(value: object) -> object:
    return value.upper() if isinstance(value, str) else value


class Settings(BaseSettings):
    """Where things are on this machine; what concerns one site is in its YAML file."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,
        use_attribute_docstrings=True,
    )

    home: Annotated[Path, AfterValidator(_absolute)] = Path(".tallyho")
    """The folder for all that Tallyho keeps: crawl states, files, manifests."""

    store_url: Annotated[str, AfterValidator(check_store_url)] | None = None
    """Where acquired files go: file:///path/to/folder, or s3://bucket/prefix with credentials by
    boto3's own rules. By default `store` in the home."""

    s3_endpoint: Annotated[str, AfterValidator(check_endpoint)] | None = None
    """The server of s3:// where it is not Amazon's, such as http://seaweedfs:8333."""

    catalog_url: Annotated[SecretStr, AfterValidator(check_catalog_url)] | None = None
    """The database of the catalog: sqlite:////path/to/file, or postgresql://user:password@host/name.
    By default `catalog.db` in the home."""

    retention: Literal["all"] | Annotated[int, Field(ge=1)] = "all"
    """How many versions of a file keep their bytes: all, or a number. The facts always stay."""

    slice_minutes: float = Field(default=20, gt=0, le=1440, allow_inf_nan=False)
    """How long a crawl works in Airflow before it lets other tasks have its worker."""

    crawl_pool: str = Field(default="default_pool", min_length=1, max_length=256)
    """Airflow's pool that crawls take their slots from; one that does not exist holds them up."""

    fleet_requests: int | None = Field(default=None, ge=1)
    """Requests of one night that the fleet shares out between the sites that have no budget of
    their own. Without it each of them has the default budget."""

    fleet_score: FleetScore = FleetScore.SUCCESS_RATE
    """What the fleet ranks sites by; the names are those of paper 001."""

    fleet_lambda: float = Field(default=0.5, ge=0, le=1)
    """The share of requests that goes to sites at random while nothing is known; it decays."""

    fleet_decay: int = Field(default=10_000, ge=1)
    """Requests after which that share has halved."""

    fleet_seed: int = Field(default=0, ge=0)
    """Of the fleet's random choices: the same seed and date allot the same."""

    upkeep_blobs: int = Field(default=10_000, ge=0)
    """Files that one night of upkeep reads and compares with their hash."""

    upkeep_bytes: Size = 20 * GIB
    """Bytes that one night of upkeep reads for that."""

    upkeep_days: int = Field(default=28, ge=1)
    """Nights within which every file is read; a store that is too large for the two limits above
    is read faster than they say."""

    alarm_webhook: Annotated[SecretStr, AfterValidator(check_webhook)] | None = None
    """Where alarms are sent as JSON: an https:// address, which often is a secret itself."""

    alarm_private: bool = False
    """Whether the webhook may be on this machine or in a private network; http:// will do there."""

    alarm_email: Annotated[str, AfterValidator(check_addresses)] | None = None
    """Who gets alarms by e-mail: addresses, separated by commas."""

    alarm_sender: Annotated[str, AfterValidator(check_addresses)] = "tallyho@localhost"
    """From whom those e-mails come."""

    smtp_url: Annotated[SecretStr, AfterValidator(check_smtp_url)] | None = None
    """The mail server: smtp://user:password@host:587 (with STARTTLS where the server has it), or
    smtps://. In Airflow the connection `smtp_default` where this is not set."""

    sites_dir: Path = Path("include/sites")
    """The folder of the site files."""

    expectations_dir: Path = Path("include/expectations")
    """The folder of the expectation suites."""

    log_level: Annotated[LogLevel, BeforeValidator(_upper)] = LogLevel.WARNING
    """How much is told on standard error: DEBUG, INFO, WARNING or ERROR."""

    @property
    def object_store_url(self) -> str:
        """Where acquired files go, the default included."""
        return (self.store_url or (self.home / "store").as_uri()).rstrip("/")

    @property
    def store_place(self) -> str:
        """Where acquired files are, for people: a folder's path, or s3://bucket/prefix."""
        parts = urlsplit(self.object_store_url)
        return url2pathname(parts.path) if parts.scheme == "file" else self.object_store_url

    @property
    def blob_root(self) -> Path:
        """The folder of the acquired files; ConfigError when they are in S3."""
        if not self.object_store_url.startswith("file:"):
            raise ConfigError(f"{PREFIX}STORE_URL: the files are in S3, not in a folder")
        return Path(self.store_place)

    def place_of(self, key: str) -> str:
        """Where an object of the store is, for people."""
        return f"{self.store_place.rstrip('/')}/{key}"

    @property
    def is_shared(self) -> bool:
        """Whether other machines may go on with a crawl that was begun here."""
        return self.store_url is not None and self.catalog_url is not None

    @property
    def spool_dir(self) -> Path:
        """Where files wait on this machine until S3 has taken them."""
        return self.home / "spool"

    @property
    def database_url(self) -> str:
        """The database of the catalog, the default and the password included: not for people."""
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
    """A sentence for every TALLYHO_ variable that is no setting: most are misspelt."""
    known = [f"{PREFIX}{name}".upper() for name in Settings.model_fields]
    return [
        f"{name} is not a setting{_suggestion(name, known)}"
        for name in sorted(environment)
        if name.upper().startswith(PREFIX) and name.upper() not in known
    ]


def _suggestion(name: str, known: list[str]) -> str:
    """The common prefix is left out: with it every setting would look alike."""
    hint = did_you_mean(name[len(PREFIX) :], [word[len(PREFIX) :].lower() for word in known])
    return re.sub(r'"(\w+)"', lambda match: PREFIX + match[1].upper(), hint)


def _checked(site: str) -> str:
    """Names are checked once more where they become paths."""
    if not re.fullmatch(NAME_PATTERN.rstrip("$"), site):
        raise ConfigError(f"'{site[:80]}' cannot name a site")
    return site
