"""The record of a search's answer: one page of datasets, and how the question was understood."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pydantic import Field

from crawler.catalog.read.record import Record
from crawler.catalog.read.records import SearchHit
from crawler.catalog.search.facets import Facets

if TYPE_CHECKING:
    import pandas as pd


class SearchResult(Record):
    """One page of a search: iterate over it, take its length, or turn it into a DataFrame."""

    total: int = Field(examples=[1])
    """How many datasets were found; there are more when `at_least` says so."""
    at_least: bool = Field(default=False, examples=[False])
    """Whether counting ended at `total`, as counting all of them would take too long."""
    more: bool = Field(default=False, examples=[False])
    """Whether there are more datasets after those of this page."""
    limit: int = Field(examples=[20])
    """How many were asked for."""
    offset: int = Field(examples=[0])
    """How many were left out first."""
    did_you_mean: str = Field(default="", examples=[""])
    """The question as it is spelt here, which was answered instead; empty when nothing was
    corrected."""
    partial: bool = Field(default=False, examples=[False])
    """Whether no dataset has all of the words, and these have the most of them."""
    suggestions: tuple[str, ...] = Field(default=(), examples=[[]])
    """Words that find something, when nothing was found."""
    indexing: bool = Field(default=False, examples=[False])
    """Whether the index is being made anew and some datasets are not found yet."""
    items: tuple[SearchHit, ...] = ()
    """The best first; the `id` of each is the ID of a file, `dataset_id` that of its dataset."""
    facets: Facets = Facets()
    """What the search can be narrowed by; of very many datasets the newest are counted."""

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[SearchHit]:  # type: ignore[override]
        return iter(self.items)

    def __getitem__(self, place: int) -> SearchHit:
        return self.items[place]

    def __repr__(self) -> str:
        titles = "\n".join(f"  {item.id}: {item.title}" for item in self.items[:10])
        return f"<{len(self)} of {'more than ' * self.at_least}{self.total} datasets>\n{titles}"

    def to_pandas(self) -> "pd.DataFrame":
        """One row per dataset, without the list of its files."""
        import pandas as pd

        left_out = ("files", "matches")
        columns = [name for name in SearchHit.model_fields if name not in left_out] + ["what"]
        rows = [[getattr(item, name) for name in columns] for item in self.items]
        return pd.DataFrame(rows, columns=columns)
