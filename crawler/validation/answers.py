"""What a reading process answers: data with a schema, never code.

The process has read a hostile file and may not be itself any more, so its answer is JSON that is
validated against the type of the task's result.
"""

import json
from collections.abc import Callable
from typing import Any, get_type_hints

from pydantic import TypeAdapter, ValidationError

from crawler.readers.content import Trouble
from crawler.validation.failure import PoolFailure, failure_of

_RESULT, _FAILURE = b"R", b"F"
_FAILURES = TypeAdapter(PoolFailure)


class Answers:
    """Writes and reads the answers of one task; its return annotation is the schema."""

    def __init__(self, task: Callable[[Any], Any]) -> None:
        self._results: TypeAdapter[Any] = TypeAdapter(get_type_hints(task)["return"])

    def write(self, result: object) -> bytes:
        """A result as bytes; raises what its type does not allow."""
        return _RESULT + _json(self._results.dump_python(result, mode="json", warnings="error"))

    @staticmethod
    def write_failure(failure: PoolFailure) -> bytes:
        """A failure as bytes."""
        return _FAILURE + _json(_FAILURES.dump_python(failure, mode="json"))

    def read(self, answer: bytes | bytearray | memoryview) -> Any:
        """The result or failure; a failure also when the answer is not what it must be."""
        kind, text = bytes(answer[:1]), bytes(answer[1:])
        try:
            if kind == _RESULT:
                return self._results.validate_json(text)
            return _FAILURES.validate_json(text)
        except ValidationError as error:
            wrong = f"the reader's answer is no answer: {error.error_count()} mistakes in it"
            return PoolFailure(Trouble.CRASHED, wrong)
        except Exception as error:
            return failure_of(error)


def _json(value: object) -> bytes:
    # A lone surrogate in a name becomes a question mark.
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
