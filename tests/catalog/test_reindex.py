"""The search index made anew: bounded, resumed, and what stored profiles say about periods."""

import json

from alembic import command
from alembic.config import Config

from crawler.catalog.db.database import Database
from crawler.catalog.db.migrating import MIGRATIONS
from crawler.catalog.search.reindex import reindex, start_reindex
from crawler.catalog.search.search import SearchResult, search
from crawler.validation.outcome import (
    ColumnProfile,
    ColumnRole,
    ColumnType,
    Profile,
    TableProfile,
)
from tests.catalog.corpus import fill, judge
from tests.catalog.recorded import execute, rows


def ask(database: Database, words: str = "", **options: object) -> SearchResult:
    with database.reading() as session:
        return search(session, words, **options)  # type: ignore[arg-type]


def test_index_is_made_in_parts_the_newest_first_and_says_so(database: Database) -> None:
    fill(database)
    execute(database, "DELETE FROM search_document")
    start_reindex(database)
    assert ask(database).indexing
    assert reindex(database, max_datasets=4) == 4
    result = ask(database)
    assert (result.total, result.indexing) == (4, True)
    assert result[0].title == "Monthly table"
    assert reindex(database) == 5
    result = ask(database, "births region")
    assert (result.total, result.indexing) == (1, False)
    assert reindex(database) == 0


def test_catalog_of_an_earlier_revision_is_indexed_with_the_periods_of_its_profiles(
    database: Database,
) -> None:
    ids = fill(database)
    judge(database, ids["vital.csv"], "valid", ["year"])
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    with database.engine.begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "0006")
    years = ColumnProfile(
        name="year",
        type=ColumnType.INTEGER,
        nulls=0,
        least="1998",
        most="2004",
        role=ColumnRole.TIME,
    )
    table = TableProfile(name="", rows=7, columns=(years,), width=1)
    profile = Profile(tables=(table,), table_count=1).model_dump(mode="json")
    execute(database, "UPDATE verdict SET profile = :profile", profile=json.dumps(profile))
    database.upgrade()
    assert (ask(database).total, ask(database).indexing) == (9, False)
    [item] = ask(database, "vital events 2001").items
    assert (item.period_start, item.period_end) == ("1998", "2004")
    assert rows(database, "SELECT count(*) FROM search_word WHERE word = 'vital'") == [(1,)]
