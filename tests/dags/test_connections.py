"""Settings of a task come from Airflow's connections where they exist."""

from typing import Any

import pytest

pytestmark = pytest.mark.slow  # Airflow starts in a process of its own


def test_without_connections_the_environment_counts(desk: Any) -> None:
    found = desk.ask("settings")
    assert found["database_url"] == f"sqlite:///{desk.home / 'catalog.db'}"
    assert (found["store_url"], found["smtp_url"]) == (None, "")


def test_without_anything_the_project_folder_counts(desk: Any) -> None:
    desk.environment.update(TALLYHO_HOME="", TALLYHO_SITES_DIR="")
    found = desk.ask("settings")
    assert found["home"].endswith("/.tallyho")
    assert found["sites_dir"] == found["home"].removesuffix(".tallyho") + "include/sites"


def test_catalog_and_store_come_from_connections(desk: Any) -> None:
    desk.environment["AIRFLOW_CONN_TALLYHO_CATALOG"] = (
        "postgres://me:p%40ss%2Fword-of-night@db.example:5433/catalog"
    )
    desk.environment["AIRFLOW_CONN_TALLYHO_STORE"] = (
        "aws://the-key:the-secret@/?bucket=files&prefix=tallyho"
        "&endpoint_url=http%3A%2F%2Fseaweedfs%3A8333&region_name=eu-west-3"
    )
    found = desk.ask("settings")
    assert found["database_url"] == (
        "postgresql://me:p%40ss%2Fword-of-night@db.example:5433/catalog"
    )
    assert found["store_url"] == "s3://files/tallyho"
    assert found["s3_endpoint"] == "http://seaweedfs:8333"
    assert found["key"] == "the-key"
    assert "word-of-night" not in found["masked"]


def test_connection_goes_before_the_environment(desk: Any) -> None:
    desk.environment["TALLYHO_CATALOG_URL"] = "postgresql://env@host/env"
    desk.environment["AIRFLOW_CONN_TALLYHO_CATALOG"] = "postgres://conn@host/conn"
    assert desk.ask("settings")["database_url"] == "postgresql://conn@host/conn"


def test_mail_server_is_airflows_own_unless_another_is_named(desk: Any) -> None:
    desk.environment["TALLYHO_ALARM_EMAIL"] = "ops@example.org"
    desk.environment["AIRFLOW_CONN_SMTP_DEFAULT"] = "smtp://me:pass@mail.example:465"
    assert desk.ask("settings")["smtp_url"] == "smtps://me:pass@mail.example:465"
    desk.environment["TALLYHO_SMTP_URL"] = "smtp://other.example"
    assert desk.ask("settings")["smtp_url"] == "smtp://other.example"
