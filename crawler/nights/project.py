"""The project's folder and its settings in Airflow: the environment, overridden by connections."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from crawler.config.load import load_sites
from crawler.config.problem import Problem
from crawler.config.settings import PREFIX, Settings, load_settings
from crawler.config.site import SiteConfig

if TYPE_CHECKING:
    from pydantic import SecretStr

CATALOG, STORE, MAIL = "tallyho_catalog", "tallyho_store", "smtp_default"


@dataclass(frozen=True, slots=True)
class Project:
    """The folder that holds dags/ and include/, and the default paths of the settings."""

    root: Path

    @staticmethod
    def of(dag_file: str) -> "Project":
        """The project of a file in its folder dags/."""
        return Project(Path(dag_file).resolve().parents[1])

    def settings(self) -> Settings:
        """From the environment alone: a DAG file must not query connections while it is parsed."""
        # A worker may run in any folder; default paths are relative to the project's.
        inside = {
            name: self.root / field.default
            for name, field in Settings.model_fields.items()
            if isinstance(field.default, Path) and not os.environ.get(f"{PREFIX}{name.upper()}")
        }
        return load_settings().model_copy(update=inside)

    def sites(self) -> tuple[list[SiteConfig], list[Problem]]:
        """All valid sites, and the problems of the other site files."""
        return load_sites(self.settings().sites_dir)

    def task_settings(self, *, mails: bool = False) -> Settings:
        """The settings with Airflow's connections; only for a running task.

        The mail server's connection is asked for where alarms, or this task, send e-mails.
        """
        settings = self.settings()
        connected: dict[str, Any] = {}
        if (catalog := _connection(CATALOG)) is not None:
            connected["catalog_url"] = _database_url(catalog)
        if (store := _connection(STORE)) is not None:
            connected |= _store(store)
        mails = mails or settings.alarm_email is not None
        if mails and settings.smtp_url is None and (mail := _connection(MAIL)):
            connected["smtp_url"] = _mail_url(mail)
        settings = _with(settings, connected)
        _mask(settings.catalog_url, settings.smtp_url, settings.alarm_webhook)
        return settings


def _with(settings: Settings, changes: dict[str, Any]) -> Settings:
    """The settings with these values, checked like those of the environment."""
    if not changes:
        return settings
    unchanged = {name: getattr(settings, name) for name in Settings.model_fields}
    return Settings(**{**unchanged, **changes})


def _connection(name: str) -> Any:
    from airflow.sdk import Connection
    from airflow.sdk.exceptions import AirflowNotFoundException

    try:
        return Connection.get(name)
    except AirflowNotFoundException:
        return None


def _database_url(connection: Any) -> str:
    if connection.conn_type == "sqlite":
        return f"sqlite:///{connection.host or connection.schema or ''}"
    return f"postgresql://{_authority(connection)}/{connection.schema or ''}"


def _store(connection: Any) -> dict[str, Any]:
    """An AWS connection: the bucket in `schema` or in extra, the server in `endpoint_url`.

    Its key goes to the environment of this process, where boto3 looks for it.
    """
    extra = connection.extra_dejson
    bucket = extra.get("bucket") or connection.schema or connection.host or ""
    prefix = str(extra.get("prefix", "")).strip("/")
    values: dict[str, Any] = {"store_url": f"s3://{bucket}/{prefix}".rstrip("/")}
    if endpoint := extra.get("endpoint_url"):
        values["s3_endpoint"] = endpoint
    if connection.login and connection.password:
        os.environ["AWS_ACCESS_KEY_ID"] = connection.login
        os.environ["AWS_SECRET_ACCESS_KEY"] = connection.password
    if region := extra.get("region_name"):
        os.environ["AWS_DEFAULT_REGION"] = str(region)
    return values


def _mail_url(connection: Any) -> str:
    plain = str(connection.extra_dejson.get("disable_ssl", "false")).lower() == "true"
    return f"{'smtp' if plain else 'smtps'}://{_authority(connection)}"


def _authority(connection: Any) -> str:
    """What stands before the path of a URL: user and password, host and port."""
    user = quote(connection.login or "", safe="")
    if connection.password:
        user += f":{quote(connection.password, safe='')}"
    port = f":{connection.port}" if connection.port else ""
    return f"{user}{'@' if user else ''}{connection.host or ''}{port}"


def _mask(*secrets: "SecretStr | None") -> None:
    """Keeps passwords and webhook addresses out of Airflow's own log."""
    from airflow.sdk.log import mask_secret

    for secret in secrets:
        if secret is None:
            continue
        value = secret.get_secret_value()
        password = urlsplit(value).password
        if password:
            mask_secret(password)
        if value.startswith("http"):
            mask_secret(value)
