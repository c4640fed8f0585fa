"""The two databases: made by docker/make_databases.sh, saved and restored as operations.md says."""

from pathlib import Path

import psycopg
import pytest

from tests.deployment.command_lines import commands_in
from tests.deployment.installation import Installation

pytestmark = pytest.mark.slow  # a server of its own for each test

TEXT = (Path(__file__).parents[2] / "docs" / "operations.md").read_text()


def test_two_databases_are_made_each_with_an_owner_and_no_other_guest(
    installation: Installation,
) -> None:
    owners = installation.query(
        "SELECT datname, pg_get_userbyid(datdba) FROM pg_database"
        " WHERE datname IN ('airflow', 'tallyho') ORDER BY datname"
    )
    assert owners == [("airflow", "airflow"), ("tallyho", "tallyho")]
    encrypted = installation.query(
        "SELECT rolname FROM pg_authid WHERE rolpassword LIKE 'SCRAM-SHA-256%'"
        " AND NOT rolsuper ORDER BY rolname"
    )
    assert encrypted == [("airflow",), ("tallyho",)]
    with pytest.raises(psycopg.OperationalError, match="permission denied"):
        installation.query("SELECT 1", "airflow", "tallyho")
    installation.upgrade_catalog()


def test_dump_brings_the_database_of_airflow_back(installation: Installation) -> None:
    """The catalog has a backup of its own: tests/end_to_end/test_backup_drill.py."""
    dump = next(words for words in commands_in(TEXT, "pg_dump") if "airflow" in words)
    restore = next(words for words in commands_in(TEXT, "pg_restore") if "airflow" in words)
    installation.query("CREATE TABLE dag (dag_id text)", "airflow", "airflow")
    installation.query("INSERT INTO dag VALUES ('acquire__demo')", "airflow", "airflow")
    saved = installation.run("pg_dump", *dump)
    installation.query("DROP DATABASE airflow")
    installation.query("CREATE DATABASE airflow OWNER airflow TEMPLATE template0")
    installation.run("pg_restore", *restore, told=saved)
    dags = installation.query("SELECT dag_id FROM dag", "airflow", "airflow")
    assert dags == [("acquire__demo",)]
