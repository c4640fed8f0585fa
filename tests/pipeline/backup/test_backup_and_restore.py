"""What a backup holds, what a restore refuses, and that nothing is lost on the way."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pytest

from crawler.catalog.upkeep.removal import remove
from crawler.catalog.upkeep.verify import verify
from crawler.config.settings import Settings
from crawler.errors import ConfigError, SiteBusy, StorageRefused
from crawler.lab.server import running_site
from crawler.lab.sites.demo import demo_site
from crawler.pipeline.backup import backup as backing_up
from crawler.pipeline.backup.backup import back_up
from crawler.pipeline.backup.folder import BackupFolder
from crawler.pipeline.backup.restore import restore
from crawler.pipeline.backup.written_files import written_places
from crawler.pipeline.crawl.acquire import acquire
from crawler.pipeline.services import open_services
from crawler.state.lock import site_lock
from tests.end_to_end.killed_crawl import site_at

NOW = datetime(2026, 11, 17, 3, 0, tzinfo=UTC)


def installation(folder: Path) -> Settings:
    """Settings as of two machines that share folders, so that snapshots are taken."""
    return Settings.model_validate(
        {
            "home": folder / "home",
            "store_url": (folder / "shared").as_uri(),
            "catalog_url": f"sqlite:///{folder / 'catalog.db'}",
            "sites_dir": folder / "sites",
            "expectations_dir": folder / "expectations",
            "thesaurus_file": folder / "thesaurus.txt",
        }
    )


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_site(demo_site(20), tmp_path_factory.mktemp("office") / "log") as address:
        yield address


@pytest.fixture(scope="module")
def made(office: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An installation in the middle of a site, with files that people wrote."""
    folder = tmp_path_factory.mktemp("made")
    settings = installation(folder)
    acquire(site_at(office, budget={"requests": 30}), settings)
    settings.sites_dir.mkdir()
    (settings.sites_dir / "demo.yaml").write_text(f"start_url: {office}/\n")
    settings.thesaurus_file.write_text("births, natality\n")
    return folder


@pytest.fixture
def acquired(made: Path, tmp_path: Path) -> Settings:
    """A copy of it, for one test."""
    shutil.copytree(made, tmp_path / "one")
    return installation(tmp_path / "one")


def hashes(settings: Settings) -> dict[str, int]:
    with open_services(settings) as services:
        assert verify(services.database, services.store, deep=True).problems == []
        return {blob.sha256: blob.size for blob in services.store.blobs()}


def test_everything_comes_back_and_the_crawl_goes_on(
    acquired: Settings, office: str, tmp_path: Path
) -> None:
    before = hashes(acquired)
    done = back_up(acquired, tmp_path / "backup", NOW)
    assert done.blobs == len(before)
    sums = ["sha256sum", "--check", "--quiet", "--strict", "SHA256SUMS"]
    subprocess.run(sums, cwd=tmp_path / "backup", check=True)
    other = installation(tmp_path / "two")
    assert restore(other, tmp_path / "backup").blobs == len(before)
    assert hashes(other) == before
    assert (other.sites_dir / "demo.yaml").read_text() == f"start_url: {office}/\n"
    assert other.thesaurus_file.read_text() == "births, natality\n"
    shutil.rmtree(acquired.home)
    summary = acquire(site_at(office), other)
    assert summary.resumed
    assert summary.complete
    assert set(before) < set(hashes(other))


def test_snapshot_alone_is_enough_to_go_on(acquired: Settings, office: str, tmp_path: Path) -> None:
    back_up(acquired, tmp_path / "backup", NOW)
    other = installation(tmp_path / "two")
    restore(other, tmp_path / "backup")
    shutil.rmtree(other.home)
    assert acquire(site_at(office), other).resumed


def test_nothing_is_overwritten_without_the_flag(acquired: Settings, tmp_path: Path) -> None:
    back_up(acquired, tmp_path / "backup", NOW)
    (acquired.sites_dir / "demo.yaml").write_text("start_url: https://other.example/\n")
    with pytest.raises(StorageRefused) as refused:
        restore(acquired, tmp_path / "backup")
    for word in (
        "catalog.db is not empty",
        "snapshots",
        "crawl states",
        "demo.yaml",
        "--overwrite",
    ):
        assert word in str(refused.value)
    assert "other.example" in (acquired.sites_dir / "demo.yaml").read_text()
    restore(acquired, tmp_path / "backup", overwrite=True)
    assert "127.0.0.1" in (acquired.sites_dir / "demo.yaml").read_text()
    hashes(acquired)


def test_no_restore_below_a_running_crawl(acquired: Settings, tmp_path: Path) -> None:
    back_up(acquired, tmp_path / "backup", NOW)
    lock = acquired.state_path("demo").with_suffix(".lock")
    with site_lock(lock, "demo"), pytest.raises(SiteBusy, match="demo"):
        restore(acquired, tmp_path / "backup", overwrite=True)


def test_half_a_backup_is_none(acquired: Settings, tmp_path: Path) -> None:
    folder = tmp_path / "backup"
    back_up(acquired, folder, NOW)
    with pytest.raises(StorageRefused, match="not empty"):
        back_up(acquired, folder, NOW)
    (folder / "manifest.json").rename(folder / "kept")
    other = installation(tmp_path / "two")
    with pytest.raises(StorageRefused, match=r"no manifest\.json"):
        restore(other, folder)
    (folder / "kept").rename(folder / "manifest.json")
    database = folder / "catalog" / "catalog.db"
    database.write_bytes(database.read_bytes()[:-1] + b"?")
    with pytest.raises(StorageRefused, match=r"catalog\.db: is damaged"):
        restore(other, folder)
    assert not other.home.exists()


def test_damaged_blob_is_listed_and_the_others_are_restored(
    acquired: Settings, tmp_path: Path
) -> None:
    before = hashes(acquired)
    back_up(acquired, tmp_path / "backup", NOW)
    bad, gone = sorted(before)[:2]
    place = tmp_path / "backup" / "store" / "blobs" / "sha256"
    (place / bad[:2] / bad).write_bytes(b"?")
    (place / gone[:2] / gone).unlink()
    done = restore(installation(tmp_path / "two"), tmp_path / "backup")
    assert sorted(done.missing) == [bad, gone]
    assert done.blobs == len(before) - 2


def test_blob_that_the_store_lost_is_listed(acquired: Settings, tmp_path: Path) -> None:
    lost = min(hashes(acquired))
    with open_services(acquired) as services:
        services.store.delete(lost)
    done = back_up(acquired, tmp_path / "backup", NOW)
    assert done.manifest.missing == [lost]
    assert restore(installation(tmp_path / "two"), tmp_path / "backup").missing == [lost]


def test_file_taken_down_while_the_backup_is_made_is_not_in_it(
    acquired: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dump, dumps = backing_up.dump_catalog, []

    def dump_then_take_down(database, folder):  # type: ignore[no-untyped-def]
        dumped = dump(database, folder)
        dumps.append(dumped)
        if len(dumps) == 1:
            with open_services(acquired) as services:
                remove(services.database, services.store, 1, "asked for")
        return dumped

    before = hashes(acquired)
    monkeypatch.setattr(backing_up, "dump_catalog", dump_then_take_down)
    done = back_up(acquired, tmp_path / "backup", NOW)
    assert (len(dumps), done.manifest.missing) == (2, [])
    other = installation(tmp_path / "two")
    restore(other, tmp_path / "backup")
    assert set(hashes(other)) < set(before)


def test_earlier_backup_is_linked_where_it_is_sound(acquired: Settings, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    back_up(acquired, first, NOW)
    rotten, *sound = sorted(hashes(acquired))
    (first / "store" / "blobs" / "sha256" / rotten[:2] / rotten).write_bytes(b"?")
    done = back_up(acquired, second, NOW, reuse=first)
    assert (done.linked, done.blobs) == (len(sound), len(sound) + 1)
    BackupFolder(second).check()
    shutil.rmtree(first)
    assert hashes(acquired).keys() == {rotten, *sound}
    BackupFolder(second).check()


def test_backup_of_another_kind_or_version_is_refused(acquired: Settings, tmp_path: Path) -> None:
    folder = tmp_path / "backup"
    back_up(acquired, folder, NOW)
    manifest = (folder / "manifest.json").read_text()
    other = installation(tmp_path / "two")
    (folder / "manifest.json").write_text(manifest.replace('"sqlite"', '"postgresql"'))
    with pytest.raises(ConfigError, match="TALLYHO_CATALOG_URL"):
        restore(other, folder)
    revision = BackupFolder(folder).manifest.catalog.revision
    (folder / "manifest.json").write_text(manifest.replace(f'"{revision}"', '"9999"'))
    with pytest.raises(ConfigError, match="newer"):
        restore(other, folder)


@pytest.mark.parametrize("line", ["../../out", "/etc/passwd"])
def test_paths_outside_the_backup_are_refused(
    line: str, acquired: Settings, tmp_path: Path
) -> None:
    folder = tmp_path / "backup"
    back_up(acquired, folder, NOW)
    sums = folder / "SHA256SUMS"
    sums.write_text(sums.read_text() + f"{'0' * 64}  {line}\n")
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["sums"] = sha256(sums.read_bytes()).hexdigest()
    with pytest.raises(StorageRefused, match="SHA256SUMS"):
        BackupFolder(folder)
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(StorageRefused, match="not inside"):
        BackupFolder(folder).check()


def test_place_that_cannot_be_written_is_named_before_anything_is_changed(
    acquired: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    back_up(acquired, tmp_path / "backup", NOW)
    other = installation(tmp_path / "two")
    # Root may write anywhere but on a read-only mount, which a test cannot make.
    may = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK and may(path, mode))
    with pytest.raises(StorageRefused, match=r"demo\.yaml cannot be written here: copy it from"):
        restore(other, tmp_path / "backup")
    assert list((tmp_path / "two" / "shared").rglob("*.*")) == []


def test_file_of_a_password_is_not_in_it(acquired: Settings, tmp_path: Path) -> None:
    (tmp_path / "password").write_text("hunter2")
    settings = acquired.model_copy(update={"smtp_password_file": tmp_path / "password"})
    back_up(settings, tmp_path / "backup", NOW)
    assert "smtp" not in (tmp_path / "backup" / "SHA256SUMS").read_text()
    assert set(written_places(settings)) >= {"sites_dir", "expectations_dir", "thesaurus_file"}


def test_others_may_not_look_into_it(acquired: Settings, tmp_path: Path) -> None:
    back_up(acquired, tmp_path / "backup", NOW)
    assert (tmp_path / "backup").stat().st_mode & 0o077 == 0
