"""Some 400 files, good and bad, through the real pool and the real judge."""

import fcntl
import json
from pathlib import Path

import pytest

from crawler.readers.content import Trouble
from crawler.readers.kinds import Kind
from crawler.validation.outcome import Judgement, Outcome
from tests.validation.corpus.collection import CORPUS
from tests.validation.corpus.comparing import differences, reading_differences
from tests.validation.corpus.reading import judge_corpus
from tests.validation.corpus.specimen import Specimen

pytestmark = pytest.mark.slow  # the pool is filled and the judge imported once for all of them

LOST_CONTROL = {Trouble.TIMEOUT, Trouble.MEMORY, Trouble.CRASHED}
Outcomes = dict[str, Outcome]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Outcomes, Outcomes]:
    """Two runs over the corpus, the second in another order; made once for all test workers."""
    folder = tmp_path_factory.mktemp("corpus")
    worker = tmp_path_factory.getbasetemp()
    shared = worker.parent if worker.name.startswith("popen-") else worker
    kept = shared / "corpus-outcomes.json"
    with (shared / "corpus.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            _keep(kept, *judge_corpus(CORPUS, folder))
        first, second = json.loads(kept.read_text())
    return _outcomes(first), _outcomes(second)


def _keep(path: Path, *runs: Outcomes) -> None:
    written = [{name: one.model_dump(mode="json") for name, one in run.items()} for run in runs]
    path.write_text(json.dumps(written))


def _outcomes(told: dict[str, object]) -> Outcomes:
    return {name: Outcome.model_validate(one) for name, one in told.items()}


@pytest.mark.parametrize("specimen", CORPUS, ids=lambda specimen: specimen.name)
def test_file_is_judged_as_a_careful_person_would(
    specimen: Specimen, runs: tuple[Outcomes, Outcomes]
) -> None:
    assert differences(specimen, runs[0][specimen.name]) == []


@pytest.mark.parametrize(
    "specimen",
    [one for one in CORPUS if one.tables and one.tables[0].first],
    ids=lambda specimen: specimen.name,
)
def test_best_table_is_read_as_a_person_would(specimen: Specimen) -> None:
    assert reading_differences(specimen) == []


def test_second_run_in_another_order_says_the_same(runs: tuple[Outcomes, Outcomes]) -> None:
    first, second = runs
    assert {name: one for name, one in second.items() if one != first[name]} == {}
    assert set(second) == {specimen.name for specimen in CORPUS if not specimen.is_large}


def test_no_file_goes_beyond_its_bounds_or_ends_its_reader(
    runs: tuple[Outcomes, Outcomes],
) -> None:
    lost = {
        name: reason.sentence
        for run in runs
        for name, outcome in run.items()
        for reason in outcome.reasons
        if reason.code in LOST_CONTROL
    }
    assert lost == {}


def test_every_reason_has_a_sentence_for_people(runs: tuple[Outcomes, Outcomes]) -> None:
    sentences = [reason.sentence for outcome in runs[0].values() for reason in outcome.reasons]
    assert [said for said in sentences if not said.endswith(".") or "\n" in said] == []


def test_files_of_this_machine_do_not_come_out_through_an_entity(
    runs: tuple[Outcomes, Outcomes],
) -> None:
    assert "root:" not in runs[0]["xml-external-entity"].model_dump_json()


def test_names_in_archives_are_never_paths(runs: tuple[Outcomes, Outcomes]) -> None:
    assert runs[0]["zip-climbing-names"].profile.tables
    assert not any(Path(place).exists() for place in ("/tmp/climbed.csv", "/etc/climbed.csv"))


def test_corpus_has_every_kind_and_verdict_and_no_name_twice() -> None:
    assert {specimen.kind for specimen in CORPUS} == set(Kind)
    assert {specimen.verdict for specimen in CORPUS} == set(Judgement)
    assert len({specimen.name for specimen in CORPUS}) == len(CORPUS) >= 400
