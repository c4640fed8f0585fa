"""Search that forgives, on both databases: stems, synonyms, spelling, periods, places, syntax."""

from datetime import timedelta

import pytest
from sqlalchemy import text

from crawler.catalog.db.database import Database
from crawler.catalog.read.records import MatchPlace
from crawler.catalog.search.search import SearchResult, search
from crawler.catalog.search.thesaurus import load_thesaurus
from crawler.catalog.write.verdicts import VerdictRecord, record_verdicts
from crawler.errors import ConfigError
from crawler.readers.kinds import Kind
from crawler.validation.outcome import (
    ColumnProfile,
    ColumnType,
    Coverage,
    Frequency,
    Judgement,
    Outcome,
    Profile,
    TableProfile,
)
from tests.catalog.corpus import NOW, fill, kept, new_version
from tests.catalog.recorded import rows, statements

FILES = (
    # name, link text, options, verdict, columns, rows, coverage
    (
        "chomage.csv", "Chômage par département", {"language": "fr", "page": "/emploi"},
        "valid", ["annee", "departement", "taux"], 900,
        Coverage(period_start="2003", period_end="2024", frequency=Frequency.YEAR,
                 places=("Corse", "Bretagne"), values=("femmes", "hommes")),
    ),
    (
        "pib.csv", "PIB trimestriel", {"language": "fr", "page": "/comptes"},
        "valid", ["trimestre", "valeur"], 80,
        Coverage(period_start="2004-Q1", period_end="2023-Q4", frequency=Frequency.QUARTER),
    ),
    (
        "fertility.csv", "Fertility of women", {"page": "/fertility"},
        "valid", ["year", "region", "births"], 400,
        Coverage(period_start="1990", period_end="2019", places=("Corsica", "Brittany")),
    ),
    (
        "wages-a.csv", "Wages by industry", {"page": "/a", "page_title": "Labour"},
        "broken", ["wage"], 3, Coverage(),
    ),
    (
        "wages-b.csv", "Wages by industry", {"page": "/b", "page_title": "Salaries archive"},
        "valid", ["wage", "industry"], 5000, Coverage(),
    ),
)  # fmt: skip


def stock(database: Database) -> None:
    fill(database)
    for name, anchor, options, verdict, columns, count, coverage in FILES:
        file = kept(name, anchor, publisher="Institut national", **options)
        file_id = new_version(database, "office", file)
        [(version_id,)] = rows(
            database, "SELECT latest_version_id FROM resource WHERE id = :id", id=file_id
        )
        profiles = tuple(
            ColumnProfile(name=column, type=ColumnType.TEXT, nulls=0.0) for column in columns
        )
        table = TableProfile(name="", rows=count, columns=profiles, width=len(columns))
        outcome = Outcome(
            verdict=Judgement(verdict),
            kind=Kind.DELIMITED,
            profile=Profile(tables=(table,), table_count=1),
            coverage=coverage,
        )
        record_verdicts(database, [VerdictRecord(version_id, outcome)])


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def stocked(request, tmp_path_factory):
    from crawler.catalog.db.database import open_database

    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path_factory.mktemp('stock') / 'catalog.db'}"
    else:
        url = request.getfixturevalue("postgres").new_catalog()
    database = open_database(url)
    database.ready()
    stock(database)
    yield database
    database.close()


def ask(database: Database, words: str = "", **options: object) -> SearchResult:
    with database.reading() as session:
        return search(session, words, now=NOW, **options)  # type: ignore[arg-type]


def titles(database: Database, words: str = "", **options: object) -> list[str]:
    return [item.title for item in ask(database, words, **options).items]


class TestWords:
    @pytest.mark.parametrize("words", ["birth region", "regions births", "regional birth"])
    def test_forms_of_a_word_are_one_word(self, stocked, words):
        assert "Live births by region" in titles(stocked, words)

    @pytest.mark.parametrize("words", ["chômages", "CHOMAGE départements"])
    def test_words_are_stemmed_in_the_language_of_the_document(self, stocked, words):
        assert titles(stocked, words)[0] == "Chômage par département"

    @pytest.mark.parametrize(
        ("words", "title"),
        [
            ("unemployment", "Chômage par département"),
            ("Arbeitslosigkeit", "Chômage par département"),
            ("jobless rate Corsica", "Chômage par département"),
            ("GDP", "PIB trimestriel"),
            ("gross domestic product", "PIB trimestriel"),
            ("BIP", "PIB trimestriel"),
        ],
    )
    def test_synonyms_are_found_in_other_words_and_languages(self, stocked, words, title):
        result = ask(stocked, words)
        assert result[0].title == title
        assert not result.did_you_mean

    @pytest.mark.parametrize(
        ("words", "spelt", "title"),
        [
            ("migartion", "migration", "Migration"),
            ("Fertlity of wommen", "Fertility of women", "Fertility of women"),
            ("yaerbook", "yearbook", "Yearbook <script>alert </script"),
            ("unemploymnet", "unemployment", "Chômage par département"),
        ],
    )
    def test_spelling_mistakes_are_corrected_and_told(self, stocked, words, spelt, title):
        result = ask(stocked, words)
        assert result.did_you_mean.lower() == spelt.lower()
        assert result[0].title == title

    def test_some_of_the_words_are_better_than_nothing_and_told(self, stocked):
        result = ask(stocked, "births region astronomy")
        assert result.partial
        assert result[0].title == "Live births by region"
        assert not ask(stocked, "births region").partial

    @pytest.mark.parametrize("words", ["fertility wages pib", "unemploymant wages", "wages qzqzqz"])
    def test_no_question_is_asked_twice_for_one_answer(self, stocked, words):
        with statements(stocked) as asked:
            assert ask(stocked, words).items
        searches = [repr(one) for one in asked if "search_" in one[0]]
        assert len(searches) > 4
        assert len(set(searches)) == len(searches)

    def test_nothing_found_comes_with_suggestions_that_find_something(self, stocked):
        result = ask(stocked, "xyzzyqwv")
        assert (result.total, result.did_you_mean) == (0, "")
        assert result.suggestions
        for word in result.suggestions:
            assert ask(stocked, word).total, word


class TestSyntax:
    def test_phrase_needs_its_words_beside_each_other(self, stocked):
        assert titles(stocked, '"births by region"') == ["Live births by region"]
        assert ask(stocked, '"region by births"').partial or not titles(
            stocked, '"region by births"'
        )

    def test_quoted_word_is_taken_as_it_is(self, stocked):
        assert "Live births by region" not in titles(stocked, '"birth"')
        assert titles(stocked, "“chômage”") == ["Chômage par département"]

    def test_or_finds_either(self, stocked):
        found = titles(stocked, "migration OR PIB")
        assert {"Migration", "PIB trimestriel"} <= set(found)
        assert set(titles(stocked, '"PIB trimestriel" OR "vital events"')) == {
            "PIB trimestriel", "Vital events",
        }  # fmt: skip

    def test_minus_leaves_out(self, stocked):
        assert "Vital events" not in titles(stocked, "births -vital")
        assert "Live births by region" not in titles(stocked, 'births -"births by region"')
        assert len(titles(stocked, "-births", limit=100)) < ask(stocked).total


class TestWhatIsSearched:
    def test_years_and_places_of_the_tables(self, stocked):
        assert titles(stocked, "births 2019 Corsica")[0] == "Fertility of women"
        assert titles(stocked, "chômage 2010 Corse")[0] == "Chômage par département"
        assert not ask(stocked, "unemployment 2010").partial
        assert ask(stocked, "unemployment 1999").partial

    @pytest.mark.parametrize("words", ["unemployment 2019-03", "unemployment March 2019"])
    def test_month_of_a_year_is_found_in_tables_that_cover_the_year(self, stocked, words):
        result = ask(stocked, words)
        assert (result[0].title, result.partial) == ("Chômage par département", False)

    def test_frequency_values_publisher_and_address(self, stocked):
        assert titles(stocked, "quarterly GDP")[0] == "PIB trimestriel"
        assert titles(stocked, "hommes")[0] == "Chômage par département"
        assert len(titles(stocked, "institut national")) == len(FILES)
        assert titles(stocked, "comptes pib")[0] == "PIB trimestriel"

    def test_hash_and_address_of_a_file(self, stocked):
        [item] = ask(stocked, "fertility women").items[:1]
        assert titles(stocked, item.sha256) == ["Fertility of women"]
        assert titles(stocked, item.sha256[:16].upper()) == ["Fertility of women"]
        assert titles(stocked, item.url) == ["Fertility of women"]
        assert titles(stocked, item.page_url) == ["Fertility of women"]


class TestFilters:
    def test_period_place_language_publisher(self, stocked):
        assert titles(stocked, period="1995") == ["Fertility of women"]
        assert len(titles(stocked, period="2005-2018")) == 3
        assert titles(stocked, place="corse") == ["Chômage par département"]
        assert titles(stocked, "place:Corsica") == ["Fertility of women"]
        assert len(titles(stocked, language="fr")) == 3
        assert len(titles(stocked, 'publisher:"institut national"')) == len(FILES)

    @pytest.mark.parametrize("period", ["banana", "20190", "2019-", "0007"])
    def test_period_that_is_none_is_told(self, stocked, period):
        with pytest.raises(ValueError, match="is no period"):
            ask(stocked, period=period)

    @pytest.mark.parametrize("words", ["", "births", "unemployment OR wages"])
    def test_facets_count_what_they_narrow_to(self, stocked, words):
        facets = ask(stocked, words).facets
        for name in type(facets).model_fields:
            for facet in getattr(facets, name):
                total = ask(stocked, words, **{name: facet.value}).total
                assert total == facet.count, (name, facet.value)


class TestOrder:
    def test_valid_before_broken_and_whole_before_fragment(self, stocked):
        found = [item for item in ask(stocked, "wages industry") if item.title.startswith("Wages")]
        assert [item.verdict for item in found] == ["valid", "broken"]

    def test_title_before_column(self, stocked):
        found = titles(stocked, "births -naissances")
        assert found.index("Live births by region") < found.index("Fertility of women")

    def test_newer_before_older(self, database):
        fill(database)
        for number, days in enumerate((400, 20, 200)):
            options = {"page": f"/p{number}", "days_ago": days}
            new_version(database, "office", kept(f"t{number}.csv", "Timber", **options))
        found = [item.file_name for item in ask(database, "timber").items]
        assert found == ["t1.csv", "t2.csv", "t0.csv"]


class TestReasons:
    def test_every_word_has_the_text_that_has_it(self, stocked):
        hit = ask(stocked, "jobless women Corse 2010").items[0]
        told = {match.where: (match.text, match.words) for match in hit.matches}
        assert told == {
            MatchPlace.TITLE: ("Chômage par département", ("jobless",)),
            MatchPlace.PLACE: ("Corse", ("corse",)),
            MatchPlace.VALUE: ("femmes", ("women",)),
            MatchPlace.PERIOD: ("2003 to 2024", ("2010",)),
        }
        assert (hit.period, hit.rows, hit.columns) == ("2003 to 2024", 900, 3)


def test_thesaurus_is_extended_by_a_file(stocked, tmp_path):
    file = tmp_path / "thesaurus.txt"
    file.write_text("# ours\nZalozki, PIB | de: Wirtschaftskraft\n")
    ours = load_thesaurus(file)
    with stocked.reading() as session:
        result = search(session, "Wirtschaftskraft", thesaurus=ours)
        assert result[0].title == "PIB trimestriel"
        assert not search(session, "Wirtschaftskraft").total


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("alone", ":1: a line needs two terms"),
        ("a, b | this is no code: c", "is no language"),
        ("one, two three four five six seven eight", "more than 5 words"),
    ],
)
def test_mistake_in_a_thesaurus_is_told_with_its_line(tmp_path, line, said):
    file = tmp_path / "thesaurus.txt"
    file.write_text(f"{line}\n")
    with pytest.raises(ConfigError, match=said):
        load_thesaurus(file)


def test_vanished_words_do_not_stay_suggestions(database: Database) -> None:
    fill(database)
    with database.transaction() as session:
        session.connection().execute(text("DELETE FROM search_document"))
    result = ask(database, "migartion")
    assert (result.total, result.suggestions, result.did_you_mean) == (0, (), "")


def test_since_and_words_go_together(stocked):
    assert titles(stocked, "births", since=NOW - timedelta(days=2.5)) == [
        "Monthly table", "Vital events",
    ]  # fmt: skip
