"""What is known about one file, about sites and about runs, on both databases."""

import pytest
from sqlalchemy import text

from crawler.catalog.read import runs, sites
from crawler.catalog.read.files import dataset, file_detail, history
from crawler.catalog.read.records import File
from crawler.catalog.upkeep.removal import remove
from crawler.storage.local_folder import LocalFolder
from tests.catalog.corpus import LICENCE, NOW, corpus, fill, kept, new_version

__all__ = ["corpus"]


def show(database, file_id):
    with database.reading() as session:
        return file_detail(session, file_id)


def test_file_is_told_with_its_dataset_and_its_origin(corpus):
    found = show(corpus.database, corpus.ids["births-2025.csv"])
    assert (found.title, found.site, found.format) == ("Live births by region", "office", "csv")
    assert (found.licence, found.publisher, found.language) == (LICENCE, "Office", "en")
    assert [file.format for file in found.files] == ["csv", "excel"]
    [seen] = found.sightings
    assert (seen.page_url, seen.anchor) == (
        "https://office.example/population",
        "Live births by region",
    )
    assert found.sightings_total == 1
    assert found.check.verdict == found.verdict == "valid"
    assert found.citation.startswith(
        "Office (n.d.): Live births by region. https://office.example/"
    )
    assert found.sha256 in found.citation


def test_reasons_of_a_verdict_are_told(corpus):
    found = show(corpus.database, corpus.ids["deaths-2025.csv"])
    assert [(one.code, one.sentence) for one in found.check.reasons] == [("not-empty", "No rows")]
    assert found.check.column_names == ["Ämterkennziffer", "OBS_VALUE"]


@pytest.mark.parametrize("file_id", [0, -1, 999_999, 2**31, 2**70])
def test_id_that_names_nothing_gives_nothing(corpus, file_id):
    assert show(corpus.database, file_id) is None
    with corpus.database.reading() as session:
        assert history(session, file_id) == []


def test_versions_come_with_their_differences(database):
    fill(database)
    name = ("deaths-2025.csv", "Deaths by cause")
    for size, days_ago in ((40, 20), (25, 10)):
        new_version(database, "office", kept(*name, body=b"x" * size, days_ago=days_ago))
    with database.reading() as session:
        file_id = session.execute(
            text("SELECT id FROM resource WHERE file_name = 'deaths-2025.csv'")
        ).scalar_one()
        versions = history(session, file_id)
    assert [(one.number, one.bytes, one.change) for one in versions] == [
        (3, 25, -15),
        (2, 40, 25),
        (1, 15, None),
    ]
    assert all(one.available for one in versions)


def test_removed_file_is_told_as_removed(database, tmp_path):
    ids = fill(database)
    remove(database, LocalFolder(tmp_path), ids["vital.csv"], "asked for", at=NOW)
    found = show(database, ids["vital.csv"])
    assert (found.removed_at, found.removal_reason) == (NOW, "asked for")
    assert not found.versions[0].available
    assert found.files == ()


def test_sites_are_told_with_their_counts(corpus):
    with corpus.database.reading() as session:
        bureau, office = sites.sites(session)
        assert sites.site(session, "office") == office
        assert sites.site(session, "nobody") is sites.site(session, "\x00") is None
    assert (bureau.name, bureau.datasets, bureau.files) == ("bureau", 2, 2)
    assert (office.datasets, office.files, office.gone) == (7, 8, 0)
    assert next(iter(office.formats.items())) == ("csv", 4)
    assert office.bytes == sum(len(name.encode()) for name in corpus.ids) - sum(
        len(name) for name in ("vital.csv", "births_month.csv")
    )
    assert office.last_run is not None


def test_runs_are_told_with_what_they_did(corpus):
    with corpus.database.reading() as session:
        everything = runs.runs(session)
        mine = runs.runs(session, site="bureau")
        run = runs.run(session, "run-bureau")
        assert runs.runs(session, site="nobody").total == 0
        assert runs.run(session, "nothing") is runs.run(session, "\x00") is None
    assert (everything.total, mine.total) == (2, 1)
    assert [one.id for one in mine.items] == [run.id]
    assert list(run.skipped) == ["off_site", "dead"]
    assert run.curve == ((0, 0), (100, 2))
    assert run.actions[0].tag_path == "html body main a"
    assert run.model_dump(mode="json")["started_at"].endswith("Z")


def test_citation_names_the_year_and_the_exact_bytes(corpus):
    shown = show(corpus.database, corpus.ids["births-2025.csv"])
    changes = {"title": "Births.", "publisher": "", "published_at": NOW, "version": 2}
    assert shown.model_copy(update=changes).citation == (
        "office (2026): Births. https://office.example/files/births-2025.csv Version 2, acquired "
        f"2026-10-17, SHA-256 {shown.sha256}."
    )


def test_dataset_has_an_id_of_its_own_and_its_files(corpus):
    file = show(corpus.database, corpus.ids["births-2025.xlsx"])
    with corpus.database.reading() as session:
        found = dataset(session, file.dataset_id)
        assert dataset(session, 0) is dataset(session, 2**31) is dataset(session, 999_999) is None
    assert (found.id, found.title, found.file_count) == (file.dataset_id, file.dataset_title, 2)
    assert found.files == file.files
    assert {one.dataset_id for one in found.files} == {found.id}


@pytest.mark.parametrize(
    ("view", "count"), [("datasets", 9), ("files", 10), ("latest_versions", 10), ("new_since", 10)]
)
def test_views_show_every_file_to_a_sql_client(corpus, view, count):
    with corpus.database.reading() as session:
        assert session.execute(text(f"SELECT count(*) FROM {view}")).scalar_one() == count


def test_views_tell_what_an_analyst_filters_by(corpus):
    with corpus.database.reading() as session:
        files = session.execute(
            text("SELECT site, files FROM datasets WHERE title = 'Live births by region'")
        ).one()
        valid = session.execute(
            text("SELECT id FROM latest_versions WHERE verdict = 'valid'")
        ).scalars()
        new = session.execute(
            text("SELECT what FROM new_since WHERE fetched_at >= '2026-11-14' ORDER BY id")
        ).scalars()
        assert tuple(files) == ("office", 2)
        assert list(valid) == [corpus.ids["births-2025.csv"]]
        assert list(new) == ["new", "new"]


def test_view_of_files_has_the_fields_of_the_record(corpus):
    with corpus.database.reading() as session:
        row = session.execute(text("SELECT * FROM files ORDER BY id LIMIT 1")).one()
    assert list(row._mapping) == list(File.model_fields)
    assert row.id == corpus.ids["births-2025.csv"]
