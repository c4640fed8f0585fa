"""Settings come from TALLYHO_ variables, and a wrong one is named."""

from pathlib import Path

import pytest

from crawler.config.settings import LogLevel, load_settings, unknown_variables
from crawler.errors import ConfigError


@pytest.fixture(autouse=True)
def _empty_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("HOME", "STORE_URL", "SITES_DIR", "LOG_LEVEL"):
        monkeypatch.delenv(f"TALLYHO_{name}", raising=False)
    monkeypatch.chdir(tmp_path)


def test_without_variables_everything_is_in_the_working_folder(tmp_path: Path) -> None:
    settings = load_settings()

    assert settings.home == tmp_path / ".tallyho"
    assert settings.blob_root == tmp_path / ".tallyho" / "store"
    assert settings.state_path("demo") == tmp_path / ".tallyho" / "state" / "demo.db"
    assert settings.manifest_path("demo") == tmp_path / ".tallyho" / "manifests" / "demo.jsonl"
    assert settings.sites_dir == Path("include/sites")


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
    monkeypatch.setenv("TALLYHO_LOG_LEVEL", "debug")

    settings = load_settings()

    assert settings.state_path("demo") == Path("/srv/tallyho/state/demo.db")
    assert settings.blob_root == Path("/srv/big disk")
    assert settings.sites_dir == Path("include/sites")
    assert settings.log_level is LogLevel.DEBUG


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("STORE_URL", "s3://bucket/prefix", "S3 storage backend"),
        ("STORE_URL", "/srv/files", "file:///path/to/folder"),
        ("STORE_URL", "file://srv/files", "file:///path/to/folder"),
        ("LOG_LEVEL", "loud", "'WARNING'"),
    ],
)
def test_a_wrong_value_names_its_variable(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, reason: str
) -> None:
    monkeypatch.setenv(f"TALLYHO_{name}", value)

    with pytest.raises(ConfigError, match=f"TALLYHO_{name}: .*{reason}"):
        load_settings()


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
