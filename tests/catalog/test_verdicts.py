"""Verdicts: which versions are to be checked, and what is written about them, on both databases."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from alembic import command
from alembic.config import Config

from crawler.catalog.db.database import Database, open_database
from crawler.catalog.db.migrating import MIGRATIONS
from crawler.catalog.read import sites
from crawler.catalog.read.files import file_detail, history
from crawler.catalog.search.search import search
from crawler.catalog.upkeep.removal import remove
from crawler.catalog.write.verdicts import (
    MAX_COLUMN_NAMES,
    MAX_COUNT,
    VerdictRecord,
    column_names,
    pending_versions,
    record_verdicts,
    versions_to_check,
)
from crawler.readers.kinds import Kind
from crawler.storage.local_folder import LocalFolder
from crawler.validation.outcome import (
    Check,
    ColumnProfile,
    ColumnType,
    Judgement,
    Outcome,
    Profile,
    Reason,
    Severity,
    TableProfile,
)
from tests.catalog.recorded import DAY, NIGHT, START, execute, ingest_of, kept, rows

HOSTILE = "naughty\x00name \ud800\u202e"


def table(*names: str, count: int = 3) -> TableProfile:
    columns = tuple(ColumnProfile(name=name, type=ColumnType.TEXT, nulls=0.5) for name in names)
    return TableProfile(name="", rows=count, columns=columns, width=len(names), delimiter="\t")


def outcome(*names: str, verdict: Judgement = Judgement.VALID, count: int = 3) -> Outcome:
    tables = (table(*names, count=count),) if names else ()
    return Outcome(
        verdict=verdict,
        kind=Kind.DELIMITED,
        reasons=(Reason(code="odd", sentence="It is odd", severity=Severity.WARNING),),
        checks=(Check(name="odd", expectation="expect_x", severity=Severity.WARNING, met=False),),
        profile=Profile(tables=tables, table_count=len(tables), language="fr"),
    )


def three_versions(database: Database) -> list[int]:
    """A file that changed twice; the ids of its versions."""
    ids = []
    for night in range(3):
        ingest = ingest_of(database, f"run-{night}", started_at=NIGHT + night * DAY)
        body = b"a" * (night + 1)
        ids.append(ingest.keep(kept(body, fetched_at=NIGHT + night * DAY)).version_id)
    return ids


def another_file(database: Database, name: str = "deaths", site: str = "stats") -> int:
    run = f"run-{site}-{name}"
    file = kept(name.encode(), url=f"{START}files/{name}.csv", anchor=f"Table of {name}")
    return ingest_of(database, run, site=site).keep(file).version_id


def pending(database: Database, **options: object) -> list[int]:
    return [one.version_id for one in pending_versions(database, **options)]


def test_versions_without_a_verdict_are_pending_those_of_a_file_together(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crawler.catalog.write.verdicts._PAGE", 2)
    first = three_versions(database)[:1]
    deaths = another_file(database)
    elsewhere = another_file(database, site="other")
    ids = [row[0] for row in rows(database, "SELECT id FROM version ORDER BY resource_id, number")]
    assert pending(database) == ids
    assert pending(database, site="other") == [elsewhere]
    assert pending(database, site="nobody") == []
    record_verdicts(database, [VerdictRecord(one, outcome("a")) for one in (*first, deaths)])
    assert pending(database) == [one for one in ids if one not in (*first, deaths)]
    assert pending(database, everything=True) == ids


def test_version_without_bytes_is_never_pending(database: Database) -> None:
    ids = three_versions(database)
    execute(database, "UPDATE version SET blob_removed_at = fetched_at WHERE id = :id", id=ids[0])
    assert pending(database, everything=True) == ids[1:]
    assert [one.version_id for one in versions_to_check(database, ids)] == ids[1:]


def test_version_to_check_comes_with_what_the_web_said(database: Database) -> None:
    [version_id] = [another_file(database)]
    [found] = versions_to_check(database, [version_id, 999])
    assert (found.version_id, found.site, found.number) == (version_id, "stats", 1)
    assert found.mime_declared == "text/csv"
    assert found.url == f"{START}files/deaths.csv"
    assert (found.size, len(found.sha256), found.previous) == (6, 64, None)


def test_checked_version_is_left_out_unless_it_is_to_be_renewed(database: Database) -> None:
    ids = three_versions(database)
    record_verdicts(database, [VerdictRecord(ids[0], outcome("a"))])
    assert [one.version_id for one in versions_to_check(database, ids)] == ids[1:]
    assert [one.version_id for one in versions_to_check(database, ids, again=True)] == ids


def test_previous_is_the_newest_earlier_version_that_was_a_dataset(database: Database) -> None:
    first, second, third = three_versions(database)
    record_verdicts(database, [VerdictRecord(first, outcome("a", "b", count=7))])
    record_verdicts(database, [VerdictRecord(second, outcome("x", verdict=Judgement.BROKEN))])
    [found] = versions_to_check(database, [third])
    assert found.previous == outcome("a", "b", count=7).profile
    record_verdicts(database, [VerdictRecord(second, outcome("c", verdict=Judgement.SUSPECT))])
    [found] = versions_to_check(database, [third])
    assert [column.name for column in found.previous.tables[0].columns] == ["c"]
    assert versions_to_check(database, [first], again=True)[0].previous is None


def test_previous_without_tables_is_none(database: Database) -> None:
    first, second, _ = three_versions(database)
    record_verdicts(database, [VerdictRecord(first, outcome())])
    assert versions_to_check(database, [second])[0].previous is None


def test_verdict_is_told_as_it_was_recorded(database: Database) -> None:
    version_id = another_file(database)
    said = outcome("region", "births")
    assert record_verdicts(database, [VerdictRecord(version_id, said, "suites/x.html")]) == 1
    with database.reading() as session:
        found = file_detail(session, 1)
    check = found.check
    assert (check.verdict, check.kind, check.rows, check.columns) == ("valid", "delimited", 3, 2)
    assert (check.reasons, check.checks, check.profile) == (
        said.reasons,
        said.checks,
        said.profile,
    )
    assert check.column_names == ["region", "births"]
    assert check.data_docs == "data-docs/stats/suites/x.html"
    assert check.validator
    assert check.decided_at <= datetime.now(UTC)
    told = found.model_dump(mode="json")["check"]
    assert told["profile"]["tables"][0]["columns"][1]["name"] == "births"
    assert told["reasons"][0]["severity"] == "warning"


def test_verdict_told_again_replaces_the_one_before(database: Database) -> None:
    version_id = another_file(database)
    for said in (outcome("a"), outcome("a"), outcome("b", verdict=Judgement.SUSPECT)):
        record_verdicts(
            database, [VerdictRecord(version_id, said), VerdictRecord(version_id, said)]
        )
    assert rows(database, "SELECT version_id, verdict FROM verdict") == [(version_id, "suspect")]


def test_texts_that_no_database_keeps_are_made_fit(database: Database) -> None:
    version_id = another_file(database)
    record_verdicts(database, [VerdictRecord(version_id, outcome(HOSTILE, "b" * 5000))])
    with database.reading() as session:
        found = file_detail(session, 1)
    first, second = found.check.profile.tables[0].columns
    assert first.name == found.check.column_names[0] == "naughty name   "
    assert len(second.name) == 1000
    found.check.profile.model_dump_json().encode()


def test_count_beyond_every_database_is_cut(database: Database) -> None:
    version_id = another_file(database)
    record_verdicts(database, [VerdictRecord(version_id, outcome("a", count=2**62))])
    assert rows(database, "SELECT rows FROM verdict") == [(MAX_COUNT,)]


def test_stored_profile_of_another_version_of_the_program_is_read_as_far_as_it_goes(
    database: Database,
) -> None:
    version_id = another_file(database)
    record_verdicts(database, [VerdictRecord(version_id, outcome("a"))])
    stored = '{"language": "de", "mood": "sad"}', '[{"code": 1}, {"code": "x", "sentence": "y"}]'
    execute(
        database,
        "UPDATE verdict SET profile = :profile, reasons = :reasons",
        profile=stored[0],
        reasons=stored[1],
    )
    with database.reading() as session:
        check = file_detail(session, 1).check
    assert check.profile == Profile(language="de")
    assert check.reasons == (Reason(code="x", sentence="y"),)


def test_search_finds_a_dataset_by_a_column_and_by_its_verdict(database: Database) -> None:
    version_id = another_file(database)
    another_file(database, "weddings")
    record_verdicts(database, [VerdictRecord(version_id, outcome("Ämterkennziffer"))])
    with database.reading() as session:
        assert [one.title for one in search(session, "amterkenn").items] == ["Table of deaths"]
        assert search(session, "amterkenn", verdict="valid").total == 1
        assert search(session, "amterkenn", verdict="suspect").total == 0
    record_verdicts(
        database, [VerdictRecord(version_id, outcome("OBS_VALUE", verdict=Judgement.SUSPECT))]
    )
    with database.reading() as session:
        assert search(session, "amterkenn").total == 0
        assert search(session, "obs value", verdict="suspect").total == 1
        assert {facet.value for facet in search(session).facets.verdict} == {"suspect", "unchecked"}


def test_columns_are_found_beside_any_number_of_page_titles(database: Database) -> None:
    version_id = another_file(database)
    long = " ".join(f"word{number}" for number in range(700))
    execute(database, "UPDATE dataset SET page_title = :long", long=long)
    record_verdicts(database, [VerdictRecord(version_id, outcome("kreiskennung"))])
    with database.reading() as session:
        assert search(session, "kreiskennung").total == 1


def test_search_knows_the_columns_of_the_newest_version(database: Database) -> None:
    first, _, third = three_versions(database)
    record_verdicts(database, [VerdictRecord(first, outcome("oldname"))])
    with database.reading() as session:
        assert search(session, "oldname").total == 0
    record_verdicts(database, [VerdictRecord(third, outcome("newname"))])
    with database.reading() as session:
        assert search(session, "newname").total == 1
        assert [one.verdict for one in history(session, 1)] == ["valid", None, "valid"]


def test_two_writers_at_once_leave_each_verdict_once(database: Database, catalog_url: str) -> None:
    ids = [another_file(database, f"file{number}") for number in range(12)]

    def write(order: int) -> None:
        own = open_database(catalog_url)
        for _ in range(5):
            record_verdicts(own, [VerdictRecord(one, outcome("a")) for one in ids[::order]])
        own.close()

    with ThreadPoolExecutor(2) as both:
        list(both.map(write, (1, -1)))
    assert rows(database, "SELECT version_id FROM verdict ORDER BY version_id") == [
        (one,) for one in sorted(ids)
    ]


def test_taken_down_file_keeps_no_trace_of_its_contents(database: Database, tmp_path) -> None:
    version_id = another_file(database)
    record_verdicts(database, [VerdictRecord(version_id, outcome("secret"))])
    remove(database, LocalFolder(tmp_path), 1, "asked for")
    with database.reading() as session:
        check = file_detail(session, 1).check
    assert (check.verdict, check.profile, check.column_names) == ("valid", Profile(), [])
    assert record_verdicts(database, [VerdictRecord(version_id, outcome("secret"))]) == 0


def test_files_are_counted_by_their_verdicts(database: Database) -> None:
    ids = [another_file(database, name) for name in ("a", "b", "c", "d")]
    verdicts = (Judgement.VALID, Judgement.VALID, Judgement.DOCUMENT)
    pairs = zip(ids, verdicts, strict=False)
    record_verdicts(database, [VerdictRecord(one, outcome(verdict=said)) for one, said in pairs])
    with database.reading() as session:
        report = sites.site(session, "stats")
    assert dict(report.verdicts) == {"valid": 2, "document": 1, "unchecked": 1}


def test_column_names_are_told_once_each_and_bounded() -> None:
    many = [f"c{number}" for number in range(MAX_COLUMN_NAMES)]
    profile = Profile(tables=(table("a", "", "b"), table("b", *many)))
    assert column_names(profile)[:4] == ["a", "b", "c0", "c1"]
    assert len(column_names(profile)) == MAX_COLUMN_NAMES


def test_verdicts_of_the_first_revision_are_kept_by_the_upgrade(database: Database) -> None:
    version_id = another_file(database)
    record_verdicts(database, [VerdictRecord(version_id, outcome("a"))])
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    with database.engine.begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "0001")
    assert database.revision() == "0001"
    database.upgrade()
    with database.reading() as session:
        check = file_detail(session, 1).check
    assert (check.verdict, check.column_names, check.profile) == ("valid", ["a"], Profile())
