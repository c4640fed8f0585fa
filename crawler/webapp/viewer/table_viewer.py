"""Pages of tables for browsers and the API."""

from crawler.catalog.facade import Catalog
from crawler.errors import FileRemoved, NotInCatalog
from crawler.readers.bounds import Bounds
from crawler.webapp.read_on_demand import ReadOnDemand
from crawler.webapp.viewer.shown_table import FileToView, ShownTable, show_table
from crawler.webapp.viewer.view import View

MAX_BYTES = 50 * 1000**2
"""Of a file that is shown as tables."""
MAX_ROWS = 300_000
_BOUNDS = Bounds(
    file_bytes=MAX_BYTES,
    memory=1500 * 1000**2,
    seconds=15.0,
    rows=MAX_ROWS,
    tables=40,
    unpacked=200 * 1000**2,
    pdf_pages=10,
)


class TableViewer:
    """Reads the file for each new view; the last views are remembered."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._files = ReadOnDemand(
            show_table, _BOUNDS, lambda sentence: ShownTable(sentence=sentence)
        )

    def warm_up(self) -> None:
        """Starts a process now, as far as it can go before there is a file to show."""
        self._files.warm_up(lambda path: FileToView(path, "", _BOUNDS, View()))

    def show(self, file_id: int, number: int | None, view: View) -> ShownTable:
        """A page of a table of a version, the newest by default."""
        shown = self._catalog.show(file_id)
        available = [version for version in shown.versions if version.available]
        if number is not None and all(one.number != number for one in shown.versions):
            raise NotInCatalog(f"file {file_id} has no version {number}")
        wanted = [one for one in available if number in (None, one.number)]
        if not wanted:
            raise FileRemoved(f"the bytes of file {file_id} were removed")
        version = wanted[0]
        return self._files.read(
            f"{version.sha256} {view!r}",
            version.bytes,
            lambda: self._catalog.store.open(version.sha256),
            lambda path: FileToView(path, shown.url, _BOUNDS, view),
        )
