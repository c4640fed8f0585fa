"""What may be asked for: every parameter of a request has bounds."""

import re
from dataclasses import dataclass
from typing import Annotated, TypedDict

from fastapi import Depends, Path, Query
from fastapi.exceptions import RequestValidationError

from crawler.catalog.read.files import MAX_ID
from crawler.catalog.read.moments import moment

MAX_ITEMS = 100
MAX_OFFSET = 10_000
PAGE_ITEMS = 20

SITE_PATTERN = r"^[a-z0-9][a-z0-9_-]{0,62}$"
_FORMAT_PATTERN = r"^([a-z0-9][a-z0-9_-]{0,30})?$"
_SINCE_PATTERN = r"^([0-9]{1,4}[hdwmy]|(19|20)[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01]))?$"
_RUN_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$"


class NamedFilters(TypedDict):
    """Keyword arguments of the catalog's search."""

    site: str
    format: str
    verdict: str
    since: str


@dataclass(frozen=True, slots=True)
class Filters:
    """What a search is for; empty text is no filter."""

    words: str = ""
    site: str = ""
    format: str = ""
    verdict: str = ""
    since: str = ""

    @property
    def narrowed(self) -> bool:
        """Whether anything is asked for at all."""
        return any((self.words, self.site, self.format, self.verdict, self.since))

    def named(self) -> NamedFilters:
        """The filters without the words, as the catalog's search takes them."""
        return {
            "site": self.site,
            "format": self.format,
            "verdict": self.verdict,
            "since": self.since,
        }

    def query(self) -> dict[str, object]:
        """The same as parameters of an address."""
        return {"q": self.words, **self.named()}


def read_filters(
    q: Annotated[
        str,
        Query(
            max_length=200,
            description="Words in titles, links, file and column names. All must occur; "
            "beginnings of words are found; case and accents do not matter. `language:fr` is a "
            "filter.",
            examples=["births region"],
        ),
    ] = "",
    site: Annotated[
        str,
        Query(
            pattern=r"^([a-z0-9][a-z0-9_-]{0,62})?$",
            description="Name of a site.",
            examples=["demo"],
        ),
    ] = "",
    format: Annotated[  # noqa: A002 - the name that scripts use
        str,
        Query(
            pattern=_FORMAT_PATTERN,
            description="Group of file types: csv, excel, ods, sdmx, json, parquet, pdf, ...",
            examples=["csv"],
        ),
    ] = "",
    verdict: Annotated[
        str,
        Query(
            pattern=_FORMAT_PATTERN,
            description="Verdict on the newest version: valid, suspect, document, broken, "
            "not_a_dataset.",
            examples=["valid"],
        ),
    ] = "",
    since: Annotated[
        str,
        Query(
            pattern=_SINCE_PATTERN,
            description="Only what came or changed within this time or since this day: "
            "12h, 7d, 4w, 6m, 1y, 2026-03-01.",
            examples=["7d"],
        ),
    ] = "",
) -> Filters:
    """The filters of a request."""
    try:
        moment(since or "1d")
    except ValueError as error:
        wrong = {"type": "value_error", "loc": ("query", "since"), "msg": str(error)}
        raise RequestValidationError([wrong]) from None
    # PostgreSQL refuses text with a NUL, and no title has control characters.
    words = " ".join(re.sub(r"[\x00-\x1f\x7f]", " ", q).split())
    return Filters(words=words, site=site, format=format, verdict=verdict, since=since)


FiltersGiven = Annotated[Filters, Depends(read_filters)]
Limit = Annotated[int, Query(ge=1, le=MAX_ITEMS, description="How many items at most.")]
Offset = Annotated[int, Query(ge=0, le=MAX_OFFSET, description="How many items to leave out.")]
PageNumber = Annotated[int, Query(ge=1, le=MAX_OFFSET // PAGE_ITEMS)]
FileId = Annotated[int, Path(ge=1, le=MAX_ID, description="ID of a file.", examples=[17])]
DatasetId = Annotated[
    int, Path(ge=1, le=MAX_ID, description="Id of a dataset, not of a file.", examples=[9])
]
VersionNumber = Annotated[
    int, Path(ge=1, le=MAX_ID, description="Number of a version.", examples=[1])
]
SiteName = Annotated[
    str, Path(pattern=SITE_PATTERN, description="Name of a site.", examples=["demo"])
]
SiteWanted = Annotated[
    str, Query(pattern=r"^([a-z0-9][a-z0-9_-]{0,62})?$", description="Name of a site.")
]
RunId = Annotated[
    str,
    Path(pattern=_RUN_PATTERN, description="ID of a run.", examples=["20260302T010000Z-a1b2c3"]),
]
