"""What comes back for a file whose reading did not come to an end of its own."""

from dataclasses import dataclass

from crawler.readers.content import Trouble


@dataclass(frozen=True, slots=True)
class PoolFailure:
    """Why a process of the pool gave no result for an item."""

    trouble: Trouble
    detail: str
    """In a sentence without a full stop."""


def failure_of(error: BaseException) -> PoolFailure:
    """What an exception in a task means for its item."""
    said = str(error).strip().partition("\n")[0][:200]
    sentence = f"{type(error).__name__}: {said}" if said else type(error).__name__
    if isinstance(error, MemoryError):
        return PoolFailure(Trouble.MEMORY, "reading it needs more memory than it may have")
    if isinstance(error, RecursionError):
        return PoolFailure(Trouble.TOO_DEEP, "it is nested more deeply than it can be read")
    return PoolFailure(Trouble.CRASHED, f"the reader failed with {sentence}")
