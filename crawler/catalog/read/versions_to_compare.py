"""The two versions of a file that are compared."""

from dataclasses import dataclass

from crawler.catalog.read.records import Version
from crawler.differences.records import Difference, FileDifference


@dataclass(frozen=True, slots=True)
class VersionsToCompare:
    """Two versions of a file whose bytes are there."""

    id: int
    url: str
    old: Version
    new: Version

    def compared(self, difference: Difference) -> FileDifference:
        """What came of it, with the numbers of the versions."""
        numbers = {"from_version": self.old.number, "to_version": self.new.number}
        return FileDifference.model_validate({**dict(difference), "id": self.id, **numbers})
