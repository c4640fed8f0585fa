"""What may be asked for: every parameter of a request has bounds."""

import re
from dataclasses import asdict, dataclass
from typing import Annotated, cast

from fastapi import Depends, Path, Query
from pydantic import AfterValidator

from crawler.catalog.read.citation import CitationFormat
from crawler.catalog.read.files import MAX_ID
from crawler.catalog.read.lookup import check_address
from crawler.catalog.read.moments import end_of, moment
from crawler.catalog.search.filters import NamedFilters, check_period

MAX_ITEMS = 100
MAX_OFFSET = 10_000
PAGE_ITEMS = 20

SITE_PATTERN = r"^[a-z0-9][a-z0-9_-]{0,62}$"
_SITE_OR_NONE = r"^([a-z0-9][a-z0-9_-]{0,62})?$"
_FORMAT_PATTERN = r"^([a-z0-9][a-z0-9_-]{0,30})?$"
_RUN_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$"


class SearchArguments(NamedFilters):
    """Keyword arguments of the catalog's search."""

    since: str


def _is_time(text: str) -> str:
    moment(text or "1d")
    return text.strip()


def _is_period(text: str) -> str:
    check_period(text or "2000")
    return text.strip()


def _one_line(text: str) -> str:
    """PostgreSQL refuses text with a NUL, and no title has control characters."""
    return " ".join(re.sub(r"[\x00-\x1f\x7f]", " ", text).split())


@dataclass(frozen=True, slots=True)
class Filters:
    """What a search is for, as the parameters of an address say it; empty text is no filter."""

    words: Annotated[
        str,
        Query(
            alias="q",
            max_length=200,
            description='Words, "phrases in quotes", OR between words, - before what is unwanted; '
            "also the address or the SHA-256 of a file. Plurals, synonyms and spelling mistakes "
            "are understood; `language:fr` and the like are filters.",
            examples=["births region"],
        ),
        AfterValidator(_one_line),
    ] = ""
    site: Annotated[
        str,
        Query(
            pattern=_SITE_OR_NONE,
            description="Name of a site.",
            examples=["demo"],
        ),
    ] = ""
    format: Annotated[
        str,
        Query(
            pattern=_FORMAT_PATTERN,
            description="Group of file types: csv, excel, ods, sdmx, json, parquet, pdf, ...",
            examples=["csv"],
        ),
    ] = ""
    verdict: Annotated[
        str,
        Query(
            pattern=_FORMAT_PATTERN,
            description="Verdict on the newest version: valid, suspect, document, broken, "
            "not_a_dataset.",
            examples=["valid"],
        ),
    ] = ""
    language: Annotated[
        str,
        Query(
            pattern=r"^([A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8})*)?$",
            description="Language of the page or the file: en, fr, pt-BR.",
            examples=["fr"],
        ),
    ] = ""
    period: Annotated[
        str,
        AfterValidator(_is_period),
        Query(
            max_length=20,
            description="A year that the tables cover, or two: 2019, 2015-2019.",
            examples=["2019"],
        ),
    ] = ""
    place: Annotated[
        str,
        Query(
            max_length=200,
            description="A place that the tables cover, as they name it.",
            examples=["Corsica"],
        ),
        AfterValidator(_one_line),
    ] = ""
    publisher: Annotated[
        str,
        Query(
            max_length=300,
            description="Who published it, as its page says.",
            examples=["Statistics Office"],
        ),
        AfterValidator(_one_line),
    ] = ""
    what: Annotated[
        str,
        Query(
            pattern=r"^(new|changed|gone)?$",
            description="What happened last: new, changed or gone. In feeds and news: what "
            "happened each time.",
            examples=["changed"],
        ),
    ] = ""
    since: Annotated[
        str,
        AfterValidator(_is_time),
        Query(
            max_length=40,
            description="Only what came, changed or went within this time or since this day: "
            "12h, 7d, 4w, 6m, 1y, 2026-03-01. `what` of an item says which of them.",
            examples=["7d"],
        ),
    ] = ""

    @property
    def narrowed(self) -> bool:
        """Whether anything is asked for at all."""
        return bool(self.words) or self.filtered

    @property
    def filtered(self) -> bool:
        """Whether there are filters beside the words."""
        return any(self.named().values())

    def named(self) -> SearchArguments:
        """The filters without the words, as the catalog's search takes them."""
        return cast(
            SearchArguments, {name: each for name, each in asdict(self).items() if name != "words"}
        )

    def query(self) -> dict[str, object]:
        """The same as parameters of an address."""
        return {"q": self.words, **self.named()}


def _is_day(text: str) -> str:
    end_of(text)
    return text.strip()


AsOfGiven = Annotated[
    str,
    AfterValidator(_is_day),
    Query(
        alias="as_of",
        max_length=40,
        description="As the catalog stood at the end of this day, or at this time: versions and "
        "verdicts of then; titles are those of today.",
        examples=["2026-11-01"],
    ),
]
FiltersGiven = Annotated[Filters, Depends()]
Limit = Annotated[int, Query(ge=1, le=MAX_ITEMS, description="How many items at most.")]
Offset = Annotated[int, Query(ge=0, le=MAX_OFFSET, description="How many items to leave out.")]
FileWanted = Annotated[int, Query(ge=0, le=MAX_ID, description="ID of a file; 0: all files.")]
DatasetWanted = Annotated[
    int, Query(ge=0, le=MAX_ID, description="Id of a dataset; 0: all datasets.")
]
Before = Annotated[
    int,
    Query(ge=0, le=MAX_ID, description="`next` of a page, for the page after it; 0: the first."),
]
PageNumber = Annotated[int, Query(ge=1, le=MAX_OFFSET // PAGE_ITEMS)]
FileId = Annotated[int, Path(ge=1, le=MAX_ID, description="ID of a file.", examples=[17])]
DatasetId = Annotated[
    int, Path(ge=1, le=MAX_ID, description="Id of a dataset, not of a file.", examples=[9])
]
VersionNumber = Annotated[
    int, Path(ge=1, le=MAX_ID, description="Number of a version.", examples=[1])
]
FromVersion = Annotated[
    int,
    Query(alias="from", ge=0, le=MAX_ID, description="The older version; 0: the one before."),
]
ToVersion = Annotated[
    int, Query(alias="to", ge=0, le=MAX_ID, description="The newer version; 0: the newest.")
]
SiteName = Annotated[
    str, Path(pattern=SITE_PATTERN, description="Name of a site.", examples=["demo"])
]
AlertName = Annotated[
    str, Path(pattern=SITE_PATTERN, description="Name of an alert.", examples=["births"])
]
SiteWanted = Annotated[
    str,
    Query(pattern=_SITE_OR_NONE, description="Name of a site.", examples=["demo"]),
]
RunId = Annotated[
    str,
    Path(pattern=_RUN_PATTERN, description="ID of a run.", examples=["20260302T010000Z-a1b2c3"]),
]
PartNumber = Annotated[int, Path(ge=1, le=MAX_ID, description="Number of a part.")]
DatasetAfter = Annotated[
    int,
    Query(ge=0, le=MAX_ID, description="Datasets with ids above this one.", examples=[0]),
]
CitationWanted = Annotated[CitationFormat, Query(description="text, bibtex or ris.")]
CitedVersion = Annotated[
    int, Query(ge=0, le=MAX_ID, description="Number of a version; 0: the newest.")
]


def _is_address(text: str) -> str:
    check_address(text)
    return text.strip()


AddressGiven = Annotated[
    str,
    AfterValidator(_is_address),
    Query(
        max_length=2000,
        description="A whole URL, in whatever spelling, or a SHA-256 or its first digits.",
        examples=["https://stats.example/files/births-2025.csv"],
    ),
]
