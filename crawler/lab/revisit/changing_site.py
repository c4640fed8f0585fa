"""What the simulation needs of a site that changes by night: a graph, without HTML."""

from collections.abc import Iterable, Mapping
from typing import Protocol


class ChangingSite(Protocol):
    """A site on night 0, 1, 2, …"""

    name: str

    def pages(self, night: int) -> Iterable[str]:
        """All HTML pages that exist on a night; the start page comes first."""
        ...

    def links(self, night: int, page: str) -> tuple[str, ...]:
        """The links of a page to pages and files, in their order on the page."""
        ...

    def dates(self, night: int, page: str) -> tuple[int, ...]:
        """The dates that stand beside the items of a page or in their URLs, as days since 1970."""
        ...

    def files(self, night: int) -> Mapping[str, int]:
        """The data files that exist, with the version of their content."""
        ...

    def modified(self, night: int, file: str) -> int | None:
        """The day since 1970 on which the server says that a file changed last."""
        ...

    def template(self, page: str) -> str:
        """A label that pages of the same make share."""
        ...
