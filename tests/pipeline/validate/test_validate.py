"""The validation step: verdicts on what was acquired, once each, whatever happens meanwhile."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from crawler.catalog.upkeep.removal import remove
from crawler.errors import ConfigError, StorageError
from crawler.pipeline.validate.batches import pending_batches, validate_file, validate_versions
from crawler.pipeline.validate.summary import ValidationSummary, ValidationWatch
from crawler.pipeline.validate.validator import Validator, open_validator
from crawler.validation.outcome import Judgement
from crawler.validation.running import RUNNER
from tests.pipeline.acquired import BIRTHS, FEWER, PAGE, Acquired, acquired_in
from tests.servers.seaweedfs import SeaweedServer


@pytest.fixture
def acquired(tmp_path: Path) -> Acquired:
    return acquired_in(tmp_path)


def blob_of(acquired: Acquired, version_id: int) -> Path:
    [(sha256,)] = acquired.rows("SELECT sha256 FROM version WHERE id = :id", id=version_id)
    with acquired.services() as services:
        path: Path = services.store.local_path(sha256)
        return path


def test_versions_of_one_file_are_in_one_batch(acquired: Acquired) -> None:
    first = [acquired.keep("a.csv", b"a" * night, night=night) for night in (1, 2, 3)]
    others = [acquired.keep(f"{name}.csv", name.encode()) for name in ("b", "c", "d")]
    assert pending_batches(acquired.settings, size=2) == [first, others[:2], others[2:]]
    assert pending_batches(acquired.settings, "office", size=100) == [[*first, *others]]
    assert pending_batches(acquired.settings, "elsewhere") == []
    assert pending_batches(acquired.settings, size=1, max_batches=3) == [
        first,
        others[:2],
        others[2:],
    ]
    assert pending_batches(acquired.settings, size=100, max_batches=3) == [[*first, *others]]


def test_nothing_to_check_takes_no_reading_process(acquired: Acquired) -> None:
    assert validate_versions(acquired.settings, []) == ValidationSummary()


def test_summaries_add_up() -> None:
    one = ValidationSummary(checked=2, verdicts={Judgement.VALID: 2}, switched_off=("b",))
    other = ValidationSummary(
        checked=2, verdicts={Judgement.BROKEN: 1, Judgement.VALID: 1}, switched_off=("a", "b")
    )
    both = one + other
    assert both.as_dict() == {
        "checked": 4,
        "verdicts": {"valid": 3, "broken": 1},
        "failures": [],
        "sites": [],
        "switched_off": ["a", "b"],
        "interrupted": False,
    }


def test_importing_the_step_loads_no_heavy_library() -> None:
    heavy = ["pandas", "pyarrow", "great_expectations", "boto3"]
    script = f"import sys, crawler.pipeline.validate.batches; print({heavy!r} & sys.modules.keys())"
    script = script.replace(repr(heavy), f"set({heavy!r})")
    run = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert run.stdout.strip() == "set()"


@pytest.mark.slow
class TestVerdicts:
    """With the real reading processes and the real suites."""

    def test_each_version_gets_its_verdict_once(self, acquired: Acquired) -> None:
        births = acquired.keep("births.csv", BIRTHS)
        page = acquired.keep("page.csv", PAGE)
        empty = acquired.keep("empty.csv", b"")
        locked = acquired.keep("locked.xlsx", b"PK\x03\x04 cut off", mime="")
        expected = {births: "valid", page: "not_a_dataset", empty: "broken", locked: "broken"}
        [batch] = pending_batches(acquired.settings)
        seen: list[str] = []
        summary = validate_versions(
            acquired.settings, batch, jobs=2, watch=ValidationWatch(on_read=seen.append)
        )
        assert acquired.verdicts() == expected
        assert summary.checked == len(seen) == 4
        assert summary.verdicts == {
            Judgement.VALID: 1,
            Judgement.BROKEN: 2,
            Judgement.NOT_A_DATASET: 1,
        }
        assert summary.failures == ()
        assert pending_batches(acquired.settings) == []
        assert validate_versions(acquired.settings, batch).checked == 0
        assert validate_versions(acquired.settings, batch, again=True).checked == 4
        assert acquired.verdicts() == expected

    def test_version_is_compared_with_the_one_before_also_when_both_are_new(
        self, acquired: Acquired
    ) -> None:
        first = acquired.keep("births.csv", BIRTHS)
        page = acquired.keep("births.csv", PAGE, night=1)
        last = acquired.keep("births.csv", FEWER, night=2)
        [batch] = pending_batches(acquired.settings)
        summary = validate_versions(acquired.settings, batch)
        assert summary.checked == 3
        assert acquired.verdicts() == {first: "valid", page: "not_a_dataset", last: "suspect"}
        assert acquired.codes(last) >= {"rows-kept", "columns-lost"}

    def test_bytes_that_are_missing_cost_their_own_file_only(self, acquired: Acquired) -> None:
        gone = acquired.keep("gone.csv", b"a,b\n1,2\n")
        short = acquired.keep("short.csv", b"a,b\n1,2\n3,4\n")
        there = acquired.keep("there.csv", BIRTHS)
        blob_of(acquired, gone).unlink()
        blob_of(acquired, short).write_bytes(b"a,b\n")
        summary = validate_versions(acquired.settings, [gone, short, there])
        assert acquired.verdicts() == {there: "valid"}
        assert [(one.version_id, one.sentence) for one in summary.failures] == [
            (gone, "its bytes are not in the store"),
            (short, "the store has 4 bytes of it instead of 12"),
        ]

    def test_file_that_is_taken_down_meanwhile_is_no_failure(self, acquired: Acquired) -> None:
        gone = acquired.keep("gone.csv", b"a,b\n1,2\n")
        there = acquired.keep("there.csv", BIRTHS)
        with acquired.services() as services:
            remove(services.database, services.store, 1, "asked for")
        summary = validate_versions(acquired.settings, [gone, there])
        assert (summary.checked, summary.failures) == (1, ())
        assert acquired.verdicts() == {there: "valid"}

    def test_site_changes_the_rules_for_its_own_files(self, acquired: Acquired) -> None:
        acquired.describe("strict", validation={"required_columns": ["region", "weight"]})
        strict = acquired.keep("births.csv", BIRTHS, site="strict")
        plain = acquired.keep("births.csv", BIRTHS)
        validate_versions(acquired.settings, [strict, plain])
        assert acquired.verdicts() == {strict: "broken", plain: "valid"}
        assert acquired.codes(strict) == {"required-columns"}

    def test_site_that_switched_it_off_or_is_wrong_keeps_no_other_from_it(
        self, acquired: Acquired
    ) -> None:
        acquired.describe("off", validation=False)
        acquired.describe("wrong", validation={"checks": {"hedder": False}})
        off, wrong, plain = (
            acquired.keep("births.csv", BIRTHS, site=site) for site in ("off", "wrong", "plain")
        )
        summary = validate_versions(acquired.settings, [off, wrong, plain])
        assert acquired.verdicts() == {plain: "valid"}
        assert summary.switched_off == ("off",)
        [failure] = summary.failures
        assert failure.version_id == wrong
        assert 'did you mean "header"' in failure.sentence

    def test_asked_to_stop_it_keeps_what_was_judged(self, acquired: Acquired) -> None:
        ids = [acquired.keep(f"{name}.csv", BIRTHS + name.encode()) for name in "abcdefghijkl"]
        RUNNER.warm_up()
        seen: list[str] = []
        watch = ValidationWatch(on_read=seen.append, stop_requested=lambda: len(seen) >= 2)
        summary = validate_versions(acquired.settings, ids, jobs=1, watch=watch)
        assert summary.interrupted
        assert 2 <= summary.checked == len(acquired.verdicts()) < len(ids)
        rest = validate_versions(acquired.settings, ids)
        assert rest.checked == len(ids) - summary.checked
        assert not rest.interrupted
        assert set(acquired.verdicts()) == set(ids)

    def test_asked_to_stop_it_does_not_wait_for_what_judging_needs(
        self, acquired: Acquired, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        version = acquired.keep("births.csv", BIRTHS)
        imported = threading.Event()
        monkeypatch.setattr(RUNNER, "warm_up", lambda: imported.wait(300))
        seen: list[str] = []
        watch = ValidationWatch(on_read=seen.append, stop_requested=lambda: bool(seen))
        summary = validate_versions(acquired.settings, [version], watch=watch)
        assert not imported.is_set()
        assert (summary.interrupted, summary.checked, acquired.verdicts()) == (True, 0, {})
        imported.set()

    def test_two_at_once_leave_each_verdict_once(self, acquired: Acquired) -> None:
        ids = [acquired.keep(f"{name}.csv", BIRTHS + name.encode()) for name in "abcdef"]
        with ThreadPoolExecutor(2) as both:
            summaries = list(
                both.map(lambda _: validate_versions(acquired.settings, ids, jobs=1), range(2))
            )
        assert acquired.verdicts() == dict.fromkeys(ids, "valid")
        assert all(summary.failures == () for summary in summaries)

    def test_suites_that_are_wrong_are_a_configuration_error(
        self, acquired: Acquired, tmp_path: Path
    ) -> None:
        version = acquired.keep("births.csv", BIRTHS)
        settings = acquired.settings.model_copy(update={"expectations_dir": tmp_path / "none"})
        with pytest.raises(ConfigError, match="none"):
            validate_versions(settings, [version])

    def test_local_file_is_judged_without_a_catalog(
        self, acquired: Acquired, tmp_path: Path
    ) -> None:
        acquired.describe("strict", validation={"required_columns": ["weight"]})
        path = tmp_path / "births.csv"
        path.write_bytes(BIRTHS)
        assert validate_file(acquired.settings, path).verdict is Judgement.VALID
        judged = validate_file(acquired.settings, path, site="strict")
        assert judged.verdict is Judgement.BROKEN
        assert not acquired.settings.home.exists()


@pytest.mark.slow
class TestOnServers:
    """The same from S3."""

    @pytest.fixture
    def away(self, seaweedfs: SeaweedServer, s3_bucket: str, tmp_path: Path) -> Acquired:
        return acquired_in(
            tmp_path, store_url=f"s3://{s3_bucket}/store", s3_endpoint=seaweedfs.endpoint
        )

    @pytest.fixture
    def validator(self, away: Acquired) -> Iterator[Validator]:
        with open_validator(away.settings, max_outage=0) as opened:
            yield opened

    def test_copies_are_made_and_removed(self, away: Acquired, validator: Validator) -> None:
        births, page = away.keep("births.csv", BIRTHS), away.keep("page.csv", PAGE)
        assert validator.validate([births, page]).checked == 2
        assert away.verdicts() == {births: "valid", page: "not_a_dataset"}
        assert list(away.settings.spool_dir.glob("*")) == []

    def test_store_that_stays_away_is_a_storage_error_and_then_it_goes_on(
        self, away: Acquired, validator: Validator, seaweedfs: SeaweedServer
    ) -> None:
        births = away.keep("births.csv", BIRTHS)
        seaweedfs.stop()
        with pytest.raises(StorageError):
            validator.validate([births])
        assert away.verdicts() == {}
        seaweedfs.start()
        assert validator.validate([births]).checked == 1


@pytest.mark.slow
def test_version_says_what_it_changed_since_the_one_before(acquired: Acquired) -> None:
    revised = BIRTHS.replace(b"Nord,2015,6045", b"Nord,2015,6050") + b"\nNord,2025,6075"
    versions = [
        acquired.keep("a.csv", body, night=night)
        for night, body in enumerate([BIRTHS, revised, PAGE, BIRTHS])
    ]
    validate_versions(acquired.settings, versions)
    assert acquired.rows("SELECT before, change_summary FROM difference ORDER BY version_id") == [
        (1, "1 row added, 1 figure revised"),
        (2, "not compared: the newer version holds no table"),
        (3, "not compared: the older version holds no table"),
    ]
    again = validate_versions(acquired.settings, versions, again=True)
    assert again.checked == 4
    assert acquired.rows("SELECT count(*) FROM difference") == [(3,)]
