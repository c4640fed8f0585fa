"""The preview of a file of the catalog, for its page and for the API.

Apart from `preview`, which the reading processes load: they need no database.
"""

from pydantic import Field

from crawler.catalog.facade import Catalog
from crawler.catalog.read.record import Record
from crawler.catalog.read.records import FileDetail, Version
from crawler.readers.content import DroppedLine
from crawler.webapp.preview import SMALL_FILE, Preview, Previewer


class TablePreview(Record):
    """The first rows of one table of a file, or a sentence that says why there are none."""

    columns: list[str] = Field(examples=[["region", "year", "births"]])
    """The names of the first columns."""
    rows: list[list[str]] = Field(examples=[[["Nord", "2024", "812"]]])
    """The first rows, as text."""
    sentence: str = Field(examples=[""])
    """Why there are no rows; empty when there are."""
    more_columns: int = Field(examples=[0])
    """Columns that are left out."""
    table: str = Field(examples=["2024"])
    """The name of the table; empty for the only one."""
    tables: list[str] = Field(examples=[["2024", "2023"]])
    """The names of all tables, the best first."""
    dropped: list[DroppedLine] = Field(examples=[[]])
    """Lines of the table's source that are no rows: titles and notes."""


def latest_version(shown: FileDetail) -> Version | None:
    """The newest version whose bytes are there."""
    return next((version for version in shown.versions if version.available), None)


def preview_of(
    catalog: Catalog, previewer: Previewer, shown: FileDetail, *, asked: bool, table: str
) -> Preview | None:
    """The first rows; None when they have to be asked for."""
    latest = latest_version(shown)
    if latest is None:
        return Preview(sentence="There are no bytes to show.")
    if not asked and latest.bytes > SMALL_FILE and not previewer.known(latest.sha256):
        return None
    return previewer.preview(
        latest.sha256,
        latest.bytes,
        lambda: catalog.store.open(latest.sha256),
        shown.url,
        table=table,
    )
