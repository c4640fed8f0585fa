"""Settings of the installation: environment variables that start with TALLYHO_."""

import os
import re
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit
from urllib.request import url2pathname

from pydantic import AfterValidator, BeforeValidator, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from crawler.config.site import NAME_PATTERN
from crawler.config.suggestion import did_you_mean
from crawler.errors import ConfigError

PREFIX = "TALLYHO_"


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


def _check_store_url(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme == "s3":
        raise ValueError("s3:// comes with the S3 storage backend; only file:// works at present")
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        raise ValueError(f"'{url[:80]}' is not a file:// URL; write file:///path/to/folder")
    if not parts.path.startswith("/") or parts.path == "/":
        raise ValueError(f"'{url[:80]}' names no folder; write file:///path/to/folder")
    return url


class Settings(BaseSettings):
    """Where things are on this machine; what concerns one site is in its YAML file."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        use_attribute_docstrings=True,
    )

    home: Annotated[Path, AfterValidator(_absolute)] = Path(".tallyho")
    """The folder for all that Tallyho keeps: crawl states, files, manifests."""

    store_url: Annotated[str, AfterValidator(_check_store_url)] | None = None
    """Where acquired files go: file:///path/to/folder. By default `store` in the home."""

    sites_dir: Path = Path("include/sites")
    """The folder of the site files."""

    log_level: Annotated[LogLevel, BeforeValidator(_upper)] = LogLevel.WARNING
    """How much is told on standard error: DEBUG, INFO, WARNING or ERROR."""

    @property
    def blob_root(self) -> Path:
        """The folder of the acquired files."""
        if self.store_url is None:
            return self.home / "store"
        return Path(url2pathname(urlsplit(self.store_url).path))

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
