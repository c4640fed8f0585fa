"""Settings come from TALLYHO_ variables, and a wrong one is named."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from crawler.config.settings import LogLevel, Settings, load_settings, unknown_variables
from crawler.errors import ConfigError


@pytest.fixture(autouse=True)
def _empty_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(f"TALLYHO_{name.upper()}", raising=False)
    monkeypatch.chdir(tmp_path)


def test_without_variables_everything_is_in_the_working_folder(tmp_path: Path) -> None:
    settings = load_settings()

    assert settings.home == tmp_path / ".tallyho"
    assert settings.store_place == str(tmp_path / ".tallyho" / "store")
    assert settings.object_store_url == f"file://{tmp_path}/.tallyho/store"
    assert settings.database_url == f"sqlite:///{tmp_path}/.tallyho/catalog.db"
    assert settings.spool_dir == tmp_path / ".tallyho" / "spool"
    assert settings.s3_endpoint is None
    assert settings.state_path("demo") == tmp_path / ".tallyho" / "state" / "demo.db"
    assert settings.manifest_path("demo") == tmp_path / ".tallyho" / "manifests" / "demo.jsonl"
    assert settings.sites_dir == Path("include/sites")
    assert settings.expectations_dir == Path("include/expectations")


def test_paths_stay_where_they_were_when_the_folder_changes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings = load_settings()
    monkeypatch.chdir("/")

    assert settings.state_path("demo").is_relative_to(tmp_path)


def test_variables_are_obeyed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TALLYHO_HOME", "/srv/tallyho")
    monkeypatch.setenv("TALLYHO_STORE_URL", "file:///srv/big%20disk")
    monkeypatch.setenv("TALLYHO_SITES_DIR", "")
    monkeypatch.setenv("TALLYHO_EXPECTATIONS_DIR", "/srv/suites")
    monkeypatch.setenv("TALLYHO_LOG_LEVEL", "debug")

    settings = load_settings()

    assert settings.state_path("demo") == Path("/srv/tallyho/state/demo.db")
    assert settings.store_place == "/srv/big disk"
    assert settings.sites_dir == Path("include/sites")
    assert settings.expectations_dir == Path("/srv/suites")
    assert settings.log_level is LogLevel.DEBUG


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("STORE_URL", "s3://", "s3://bucket/prefix"),
        ("STORE_URL", "s3://key:secret@bucket/x", "boto3 finds the credentials"),
        ("STORE_URL", "s3://Bucket", "names no bucket"),
        ("STORE_URL", "s3://bucket/a/../b", "prefix of other than"),
        ("STORE_URL", "s3://bucket/a//b", "prefix of other than"),
        ("STORE_URL", "s3://bucket/a?x=1", "s3://bucket/prefix alone"),
        ("S3_ENDPOINT", "seaweedfs:8333", "http:// or https://"),
        ("S3_ENDPOINT", "http://key:secret@host", "no password"),
        ("S3_ENDPOINT", "http://host/bucket", "server alone"),
        ("CATALOG_URL", "mysql://user:secret@host/name", "postgresql://host/name"),
        ("CATALOG_URL", "catalog.db", "sqlite:////path/to/file"),
        ("CATALOG_URL", "sqlite://", "names no file"),
        ("CATALOG_URL", "sqlite:///:memory:", "names no file"),
        ("CATALOG_URL", "postgresql://user:secret@host", "names no database"),
        ("STORE_URL", "/srv/files", "file:///path/to/folder"),
        ("STORE_URL", "file://srv/files", "file:///path/to/folder"),
        ("LOG_LEVEL", "loud", "'WARNING'"),
    ],
)
def test_a_wrong_value_names_its_variable(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, reason: str
) -> None:
    monkeypatch.setenv(f"TALLYHO_{name}", value)

    with pytest.raises(ConfigError, match=f"TALLYHO_{name}: .*{reason}") as raised:
        load_settings()
    assert "secret" not in str(raised.value)


def test_files_may_be_in_s3_and_the_catalog_in_postgresql(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TALLYHO_STORE_URL", "s3://bucket/Some/prefix/")
    monkeypatch.setenv("TALLYHO_S3_ENDPOINT", "http://127.0.0.1:8333/")
    monkeypatch.setenv("TALLYHO_CATALOG_URL", "postgresql+psycopg://user@host:5433/name")

    settings = load_settings()

    assert settings.object_store_url == settings.store_place == "s3://bucket/Some/prefix"
    assert settings.s3_endpoint == "http://127.0.0.1:8333"
    assert settings.database_url == "postgresql+psycopg://user@host:5433/name"


def test_the_password_of_the_catalog_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TALLYHO_CATALOG_URL", "postgresql://user:s3cret@host/name")
    settings = load_settings()

    shown = f"{settings!r} {settings} {settings.catalog_url} {settings.model_dump_json()}"

    assert "s3cret" not in shown
    assert "s3cret" in settings.database_url
    monkeypatch.setenv("TALLYHO_CATALOG_URL", "postgres://user:s3cret@host/name")
    with pytest.raises(ValidationError) as raised:
        Settings()
    assert "s3cret" not in str(raised.value)


def test_misspelt_variables_are_noticed() -> None:
    environment = {"TALLYHO_LOGLEVEL": "x", "TALLYHO_HOME": "y", "TALLYHO_QQQ": "z", "PATH": ""}

    assert unknown_variables(environment) == [
        "TALLYHO_LOGLEVEL is not a setting; did you mean TALLYHO_LOG_LEVEL?",
        "TALLYHO_QQQ is not a setting",
    ]


@pytest.mark.parametrize("name", ["", "../x", "a/b", "A", "a\n", "x" * 64])
def test_no_path_is_made_from_a_bad_name(name: str) -> None:
    with pytest.raises(ConfigError):
        load_settings().state_path(name)
