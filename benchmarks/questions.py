"""Questions with known answers, asked of the search and of a bare full-text query.

    python -m benchmarks.questions [--held-out] [--url postgresql://...] [--misses]

The catalog has three sites (question_sites.py). An answer is right when one of the first three
datasets has a file of the right page, year and place, by the generator of the site. The bare query
is what each database offers by itself over the same titles, link texts, file names, columns and
page titles: all words, best first. PostgreSQL is one of the tests' unless --url names another. The
questions of held_out.tsv are only asked with --held-out: no figure was tuned on them.
"""

import argparse
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import text

from benchmarks.bare_query import BareQuery
from benchmarks.question_sites import AskedSite, Truth, asked_sites, ingest_site
from crawler.catalog.db.database import Database, open_database
from crawler.catalog.search.search import search

FILES = Path(__file__).parent / "question_files"
FIRST = 3


@dataclass(frozen=True, slots=True)
class Question:
    """One line of a file of questions."""

    kind: str
    text: str
    pages: frozenset[tuple[str, str]]
    year: int | None
    place: str

    def is_right(self, truth: Truth, regions: dict[str, dict[str, int]]) -> bool:
        """Whether a file answers it."""
        return (
            (truth.site, truth.page) in self.pages
            and (self.year is None or self.year in truth.years)
            and (not self.place or regions[truth.site].get(self.place) in truth.places)
        )


def read_questions(path: Path) -> list[Question]:
    """The questions of a file."""
    questions = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            kind, asked, pages, *rest = [*line.split("\t"), "", ""]
            right = frozenset(tuple(page.split(":", 1)) for page in pages.split(";"))
            questions.append(
                Question(kind, asked, right, int(rest[0]) if rest[0] else None, rest[1])  # type: ignore[arg-type]
            )
    return questions


@dataclass(frozen=True, slots=True)
class Answers:
    """How a way of searching did."""

    right: list[bool]
    empty: int
    """Empty pages."""
    silent: int
    """Empty pages without a suggestion."""


class Exam:
    """A catalog with its truth, to be asked."""

    def __init__(self, database: Database, sites: Sequence[AskedSite]) -> None:
        self.database = database
        self.regions = {
            site.name: {names[0]: number for number, names in enumerate(site.regions)}
            for site in sites
        }
        self.truths: dict[int, Truth] = {}
        for site in sites:
            self.truths |= ingest_site(database, site)
        with database.reading() as session:
            rows = session.connection().execute(text("SELECT id, dataset_id FROM resource"))
            self.files: dict[int, list[int]] = defaultdict(list)
            for row in rows:
                self.files[row.dataset_id].append(row.id)

    def check(self, questions: Sequence[Question]) -> None:
        """Every question must have an answer, or nobody could find it."""
        for question in questions:
            if not any(question.is_right(truth, self.regions) for truth in self.truths.values()):
                raise ValueError(f"no file answers {question.text!r}")

    def answers(
        self, questions: Sequence[Question], ask: Callable[[str], tuple[list[int], bool]]
    ) -> Answers:
        """`ask` gives the ids of datasets, and whether something was suggested."""
        right, empty, silent = [], 0, 0
        for question in questions:
            found, suggested = ask(question.text)
            files = [file for dataset in found[:FIRST] for file in self.files[dataset]]
            right.append(any(question.is_right(self.truths[f], self.regions) for f in files))
            empty += not found
            silent += not found and not suggested
        return Answers(right, empty, silent)


def ask_search(database: Database) -> Callable[[str], tuple[list[int], bool]]:
    """The search of the catalog."""

    def ask(words: str) -> tuple[list[int], bool]:
        with database.reading() as session:
            result = search(session, words, limit=FIRST)
        return [item.dataset_id for item in result], bool(result.suggestions)

    return ask


def report(questions: Sequence[Question], ours: Answers, bare: Answers, *, misses: bool) -> None:
    """The table of one database and one file of questions."""
    kinds: dict[str, list[int]] = defaultdict(list)
    for place, question in enumerate(questions):
        kinds[question.kind].append(place)
    print(f"{'':12}{'questions':>10}{'search':>9}{'bare':>7}")
    for kind, places in kinds.items():
        found = [sum(answers.right[place] for place in places) for answers in (ours, bare)]
        print(f"{kind:12}{len(places):10}{found[0]:9}{found[1]:7}")
    share = [100 * sum(answers.right) / len(questions) for answers in (ours, bare)]
    print(f"{'in all':12}{len(questions):10}{share[0]:8.0f}%{share[1]:6.0f}%")
    print(f"{'empty pages':22}{ours.empty:9}{bare.empty:7}")
    print(f"{'without suggestion':22}{ours.silent:9}{bare.silent:7}\n")
    if misses:
        for question, right in zip(questions, ours.right, strict=True):
            if not right:
                print(f"  missed  {question.kind}: {question.text}")


def main() -> None:
    """Build the catalogs and ask."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--held-out", action="store_true", help="also ask those kept for the end")
    parser.add_argument("--url", help="an empty PostgreSQL database")
    parser.add_argument("--only", choices=("sqlite", "postgresql"))
    parser.add_argument("--misses", action="store_true", help="list the open questions missed")
    options = parser.parse_args()
    sites = list(asked_sites())
    names = [options.only] if options.only else ["sqlite", "postgresql"]
    files = ["open.tsv", "held_out.tsv"] if options.held_out else ["open.tsv"]
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            with _catalog(name, Path(folder), options.url) as database:
                exam = Exam(database, sites)
                bare = BareQuery(database)
                for file in ("open.tsv", "held_out.tsv"):
                    exam.check(read_questions(FILES / file))
                for file in files:
                    questions = read_questions(FILES / file)
                    print(f"{name}, {file}", flush=True)
                    ours = exam.answers(questions, ask_search(database))
                    theirs = exam.answers(questions, bare.ask)
                    report(questions, ours, theirs, misses=options.misses and file == "open.tsv")
                    sys.stdout.flush()


class _catalog:  # noqa: N801
    """An empty catalog of a kind, and its server where it needs one."""

    def __init__(self, name: str, folder: Path, url: str | None) -> None:
        self._server = None
        if name == "sqlite":
            self._url = f"sqlite:///{folder / 'catalog.db'}"
        elif url:
            self._url = url
        else:
            from tests.servers.postgres import PostgresServer

            self._server = PostgresServer()
            self._url = self._server.new_catalog()

    def __enter__(self) -> Database:
        self._database = open_database(self._url)
        self._database.upgrade()
        return self._database

    def __exit__(self, *_: object) -> None:
        self._database.close()
        if self._server is not None:
            self._server.destroy()


if __name__ == "__main__":
    main()
