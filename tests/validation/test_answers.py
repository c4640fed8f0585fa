"""What a reading process answers is data that fits its type, whatever it was made to send."""

import os
import pickle
from dataclasses import dataclass
from pathlib import Path

import pytest

from crawler.readers.content import Trouble
from crawler.validation.answers import Answers
from crawler.validation.failure import PoolFailure


@dataclass(frozen=True, slots=True)
class Counted:
    rows: int


def count(_item: str) -> Counted:
    return Counted(3)


class Planted:
    """Runs a program where it is unpickled."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (str(self._path),)


def test_an_answer_is_read_as_it_was_written() -> None:
    answers = Answers(count)
    assert answers.read(answers.write(Counted(3))) == Counted(3)
    failure = PoolFailure(Trouble.MEMORY, "too much")
    assert answers.read(answers.write_failure(failure)) == failure


@pytest.mark.parametrize("kind", [b"R", b"F", b"P", b""])
def test_code_in_an_answer_is_not_run(kind: bytes, tmp_path: Path) -> None:
    read = Answers(count).read(kind + pickle.dumps(Planted(tmp_path / "planted")))
    assert isinstance(read, PoolFailure)
    assert read.trouble is Trouble.CRASHED
    assert not (tmp_path / "planted").exists()


@pytest.mark.parametrize(
    "answer", [b'R{"rows": "many"}', b"R[]", b'R{"rows": 3', b"F{}", b"", b"Rnull"]
)
def test_an_answer_of_another_form_is_a_failure(answer: bytes) -> None:
    read = Answers(count).read(answer)
    assert isinstance(read, PoolFailure)
    assert "no answer" in read.detail
