"""Search: the same datasets in the same order on SQLite and on PostgreSQL."""

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import crawler.catalog.search.search
from crawler.catalog.db.database import Database
from crawler.catalog.search.search import SearchResult, newest, search
from crawler.catalog.upkeep.removal import remove
from crawler.storage.local_folder import LocalFolder
from tests.catalog.corpus import NOW, corpus, fill, kept, new_version

__all__ = ["corpus"]


def ask(database: Database, words: str = "", **options: object) -> SearchResult:
    with database.reading() as session:
        return search(session, words, now=NOW, **options)  # type: ignore[arg-type]


def titles(database: Database, words: str = "", **options: object) -> list[str]:
    return [item.title for item in ask(database, words, **options).items]


class TestWords:
    def test_title_comes_before_file_name_and_file_name_before_page_title(self, corpus):
        assert titles(corpus.database, "births -naissances") == [
            "Live births by region",
            "Monthly table",
            "Vital events",
            "Deaths by cause",
        ]

    def test_beginning_of_a_word_is_enough_where_no_word_is_spelt_so(self, corpus):
        assert titles(corpus.database, "zaloz") == ["Założenia prognozy"]
        assert "Migration" in titles(corpus.database, "migra*")
        assert not ask(corpus.database, "zaloz").did_you_mean

    @pytest.mark.parametrize("words", ["BESCHÄFTIGUNG", "beschaftigung", "Bescha\u0308ftigung"])
    def test_case_and_accents_do_not_matter(self, corpus, words):
        assert titles(corpus.database, words) == ["Beschäftigung nach Branche"]

    @pytest.mark.parametrize("words", ["etranger", "série", "serie naissances"])
    def test_accents_of_the_title_do_not_matter(self, corpus, words):
        assert titles(corpus.database, words) == ["Série longue: naissances à l'étranger"]

    def test_letters_with_strokes_are_found_without_them(self, corpus):
        assert titles(corpus.database, "zalozenia") == ["Założenia prognozy"]

    def test_all_words_must_be_there_in_whatever_order(self, corpus):
        assert titles(corpus.database, "region births") == ["Live births by region"]

    def test_words_may_be_in_different_places(self, corpus):
        assert titles(corpus.database, "monthly births") == ["Monthly table"]

    def test_words_that_say_nothing_are_left_out(self, corpus):
        asked = "How many live births were there by region, please?"
        assert titles(corpus.database, asked) == ["Live births by region"]
        assert titles(corpus.database, "latest data on migration by country")[0] == "Migration"

    def test_question_of_such_words_alone_is_still_a_question(self, corpus):
        assert titles(corpus.database, "the") == titles(corpus.database, '"the"')
        assert "Monthly table" in titles(corpus.database, "table")

    def test_parts_of_a_file_name_are_words(self, corpus):
        assert titles(corpus.database, "country") == ["Migration"]
        assert titles(corpus.database, "2023") == ["Série longue: naissances à l'étranger"]
        assert titles(corpus.database, "naissances2023") == [
            "Série longue: naissances à l'étranger"
        ]

    @pytest.mark.parametrize("words", ['"', "!!!", "' OR 1=1 --", "*", "\x00"])
    def test_marks_alone_find_nothing_and_break_nothing(self, corpus, words):
        assert ask(corpus.database, words).total in (0, ask(corpus.database, "or 1").total)

    @pytest.mark.parametrize("words", ['"', '"live', "OR", "- -", 'OR OR "', "site:", '":" | x'])
    def test_half_of_a_syntax_breaks_nothing(self, corpus, words):
        assert ask(corpus.database, words).total <= 9

    def test_no_words_list_everything_the_newest_first(self, corpus):
        found = ask(corpus.database)
        assert found.total == 9
        assert [item.title for item in found.items][:2] == ["Monthly table", "Vital events"]
        assert not found.more

    @settings(max_examples=60, deadline=None)
    @given(words=st.text(max_size=40))
    def test_any_text_can_be_asked(self, corpus, words):
        assert ask(corpus.database, words).total <= 9


class TestItems:
    def test_formats_of_the_same_data_are_one_result_with_its_files(self, corpus):
        [item] = ask(corpus.database, "live births region").items
        assert [file.format for file in item.files] == ["csv", "excel"]
        assert item.file_count == 2
        assert item.id == corpus.ids["births-2025.csv"]
        assert (item.site, item.licence.split("/")[2]) == ("office", "creativecommons.org")

    def test_file_that_was_asked_for_stands_for_its_dataset(self, corpus):
        [item] = ask(corpus.database, "live births region", format="xlsx").items
        assert (item.id, item.format) == (corpus.ids["births-2025.xlsx"], "excel")
        assert item.file_count == 2

    def test_json_has_the_fields_that_scripts_rely_on(self, corpus):
        value = ask(corpus.database, "live births").items[0].model_dump(mode="json")
        fields = "id site url title format bytes sha256 first_seen last_seen gone_since verdict"
        assert set(fields.split()) <= set(value)
        assert set(fields.split()) <= set(value["files"][0])
        assert value["first_seen"] == "2026-10-17T03:00:00Z"

    def test_title_with_markup_is_given_as_it_is(self, corpus):
        [item] = ask(corpus.database, "yearbook").items
        assert "<script>" in item.title


class TestFilters:
    def test_site(self, corpus):
        assert titles(corpus.database, "births", site="bureau") == ["Monthly table", "Vital events"]
        assert titles(corpus.database, "births site:bureau") == ["Monthly table", "Vital events"]
        assert titles(corpus.database, site="nobody") == []
        assert titles(corpus.database, site="\x00") == []

    def test_format_by_group_or_extension(self, corpus):
        assert titles(corpus.database, format="excel") == titles(corpus.database, format=".XLSX")
        assert titles(corpus.database, format="json") == ["Migration"]
        assert titles(corpus.database, format="'; --") == []

    def test_since_is_about_files_that_came_or_changed(self, corpus):
        assert titles(corpus.database, since="7d") == [
            "Monthly table",
            "Vital events",
            "Beschäftigung nach Branche",
        ]

    def test_since_is_exact_within_a_day(self, corpus):
        moment = NOW - timedelta(days=2)
        assert "Monthly table" in titles(corpus.database, since=moment)
        assert "Monthly table" not in titles(corpus.database, since=moment + timedelta(seconds=1))

    def test_since_reaches_over_months_and_years(self, corpus):
        assert len(titles(corpus.database, since="1y")) == 8
        assert len(titles(corpus.database, since="2y")) == 9
        assert len(titles(corpus.database, since="1980-01-01")) == 9

    @pytest.mark.parametrize("since", ["yesterday", "7 parsecs", "99999999d"])
    def test_since_that_is_no_time_is_told(self, corpus, since):
        with pytest.raises(ValueError, match="is no time"):
            ask(corpus.database, since=since)

    def test_filters_and_words_go_together(self, corpus):
        words = "births -naissances"
        assert titles(corpus.database, words, format="csv", site="office", since="60d") == [
            "Live births by region",
            "Deaths by cause",
        ]

    def test_language_is_named_in_the_words(self, corpus):
        assert titles(corpus.database, "language:de") == ["Beschäftigung nach Branche"]
        assert titles(corpus.database, "LANGUAGE:FR naissances") == titles(corpus.database, "2023")
        assert titles(corpus.database, "births language:pl") == []
        assert len(titles(corpus.database, "language:en")) == 6

    def test_language_with_a_region_is_found_by_both(self, database):
        fill(database)
        file = kept("gb.csv", "Output per hour", language="en-GB")
        new_version(database, "office", file)
        for words in ("language:en-GB", "output language:en"):
            assert "Output per hour" in titles(database, words)


class TestVerdicts:
    def test_valid_finds_what_validation_found_valid(self, corpus):
        assert titles(corpus.database, valid=True) == ["Live births by region"]
        assert titles(corpus.database, valid=False) == ["Deaths by cause"]
        assert titles(corpus.database, verdict="not_a_dataset") == ["Deaths by cause"]
        assert len(titles(corpus.database, verdict="unchecked")) == 8

    def test_format_and_verdict_are_those_of_one_file(self, corpus):
        assert titles(corpus.database, valid=True, format="csv") == ["Live births by region"]
        assert titles(corpus.database, valid=True, format="excel") == []

    def test_column_names_are_found(self, corpus):
        assert titles(corpus.database, "amterkennziffer obs") == ["Deaths by cause"]


class TestFacets:
    def test_counts_are_of_datasets(self, corpus):
        facets = ask(corpus.database, "births -naissances").facets
        told = [
            [(facet.value, facet.count) for facet in kind]
            for kind in (facets.site, facets.format, facets.verdict)
        ]
        assert told == [
            [("bureau", 2), ("office", 2)],
            [("csv", 4), ("excel", 1)],
            [("unchecked", 3), ("not_a_dataset", 1), ("valid", 1)],
        ]


class TestPaging:
    @pytest.mark.parametrize("words", ["", "births", "a"])
    def test_pages_are_the_whole_cut_in_pieces(self, corpus, words):
        whole = titles(corpus.database, words, limit=100)
        pieces = [
            title
            for offset in range(0, 10, 2)
            for title in titles(corpus.database, words, limit=2, offset=offset)
        ]
        assert pieces == whole

    def test_counting_ends_at_a_bound_and_says_so(self, corpus, monkeypatch):
        monkeypatch.setattr(crawler.catalog.search.search, "MAX_COUNTED", 3)
        found = ask(corpus.database, limit=2)
        assert (found.total, found.at_least, len(found.items)) == (3, True, 2)
        last = ask(corpus.database, limit=5, offset=7)
        assert (last.total, last.at_least, len(last.items)) == (9, False, 2)

    def test_more_is_true_when_there_is_more(self, corpus):
        assert ask(corpus.database, limit=8).more
        assert not ask(corpus.database, limit=9).more
        assert not ask(corpus.database, limit=8, offset=8).more

    def test_negative_numbers_are_refused(self, corpus):
        with pytest.raises(ValueError, match="below 0"):
            ask(corpus.database, limit=-1)


class TestFeed:
    def test_newest_come_first_whatever_place_a_word_was_found_in(self, corpus):
        with corpus.database.reading() as session:
            found = [item.title for item in newest(session, "births -naissances", limit=3)]
            mine = [item.title for item in newest(session, site="office", limit=1)]
        assert found == ["Monthly table", "Vital events", "Deaths by cause"]
        assert mine == ["Założenia prognozy"]


class TestChanges:
    """On a catalog of their own, as they write to it."""

    def test_changed_file_is_new_again(self, database):
        fill(database)
        changed = kept("deaths-2025.csv", "Deaths by cause", body=b"new", days_ago=0.01)
        new_version(database, "office", changed)
        assert titles(database, since="1h") == ["Deaths by cause"]

    def test_removed_file_is_not_found(self, database, tmp_path):
        ids = fill(database)
        remove(database, LocalFolder(tmp_path), ids["vital.csv"], "a test", at=NOW)
        remove(database, LocalFolder(tmp_path), ids["births-2025.csv"], "a test", at=NOW)
        assert titles(database, '"vital events"') == []
        [rest] = ask(database, '"live births"').items
        assert [file.format for file in rest.files] == ["excel"]
        assert ask(database).total == 8
