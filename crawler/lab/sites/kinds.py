"""The kinds of synthetic sites: what each of them models, and how its pages are connected.

The numbers of pages, files and dead links of the eleven `KINDS` come from the paper (paper.py). The
paper does not report the shape: which share of the pages with files is in sections meant for them,
how pure these sections are, and how long the lists are. It was set by hand, by what Section IV says
of each site, by the depth of its targets, and by two rows of Table II: BFS shows how deep the pages
with files are among the others, SB-ORACLE how informative a tag path is.

`DEMO` models no site of the paper: it is the kind with real files in every format, a release
calendar, two languages that mirror each other, and the oddities that old sites collect.
"""

from dataclasses import dataclass, replace
from enum import Enum

from crawler.lab.sites.files.figures import REGIONS, Regions
from crawler.lab.sites.habits import HABITS, Habits
from crawler.lab.sites.paper import PAPER, SiteProfile
from crawler.lab.sites.tempo import ARCHIVE, BULLETIN, BUSY, SLOW, STEADY, Tempo


class Holder(Enum):
    """Which pages of a section have the files."""

    LEAF = "leaf"
    """Pages of their own, one per dataset or article."""
    LIST = "list"
    """The sheets of the lists themselves."""


class Pager(Enum):
    """How a list leads to its other sheets."""

    NEXT = "next"
    """To the next and the previous one only: long lists are deep."""
    NUMBERED = "numbered"
    """To the first, the last and some neighbours."""


class UrlStyle(Enum):
    """How informative a page's URL is."""

    SLUG = "slug"
    """The section and words of the title."""
    NODE = "node"
    """A number, whatever the page is."""


@dataclass(frozen=True, slots=True)
class Part:
    """Sections of one role: those meant for data, those where data is mixed in, and the others."""

    sections: int
    data_share: float
    """Share of the site's pages with files that is here."""
    purity: float
    """Share of this part's pages (leaves or sheets) that has files."""
    lists: tuple[int, ...]
    """Sheets of the lists, over and over."""
    per_sheet: int
    pager: Pager = Pager.NUMBERED
    holder: Holder = Holder.LEAF
    flat: bool = False
    """Whether the section's front page is its one list."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of site."""

    name: str
    models: str
    data: Part
    mixed: Part
    plain: Part
    """The rest of the pages, with the rest of the files."""
    languages: tuple[str, ...] = ("en",)
    url_style: UrlStyle = UrlStyle.SLUG
    unique_ids: bool = False
    bare_files: float = 0.1
    """Share of the files whose URL has no extension."""
    lookalikes: int = 0
    """Plain sections, the smallest first, whose lists look like those of the data sections."""
    highlights: int = 3
    """Pages of every section that the start page shows."""
    habits: Habits = HABITS["silent"]
    """How its server describes what it sends."""
    tempo: Tempo = STEADY
    """What happens on later nights."""
    subjects: int = 40
    """How many different subjects its pages are about, at most."""
    mirrored: bool = False
    """Whether the languages have the same pages and files, behind a choice of language."""
    real_files: bool = False
    """Whether files are complete tables that readers of their format open."""
    regions: Regions = REGIONS
    """The places that real tables are about."""
    releases: bool = False
    """Whether there is a release calendar that lists the pages of the first data section."""
    oddities: bool = False
    """Whether there are forbidden links, other spellings, redirections to files and loops."""

    @property
    def profile(self) -> SiteProfile:
        """Its statistics: those of the site that it models."""
        return PAPER.get(self.name, _DEMO_PROFILE)


def _plain(
    lists: tuple[int, ...], per_sheet: int, pager: Pager = Pager.NUMBERED, *, flat: bool = False
) -> Part:
    """Sections about everything else; their size is what is left."""
    return Part(5, 0.0, 0.0, lists, per_sheet, pager, flat=flat)


_ALL = (
    Kind(
        "be",
        "shallow and rich: half of the site are files, a third of the pages have some",
        data=Part(2, 0.75, 0.80, (1, 2, 3, 9), 8, Pager.NEXT),
        mixed=Part(2, 0.20, 0.45, (2, 8), 12, Pager.NEXT),
        plain=_plain((4, 8), 12),
        lookalikes=1,
    ),
    Kind(
        "is",
        "shallow and rich in two languages: more files than pages, on two pages of five",
        data=Part(3, 0.90, 0.90, (1, 1, 2, 5), 10, Pager.NEXT),
        mixed=Part(2, 0.06, 0.50, (2, 3), 12),
        plain=_plain((3, 6), 12),
        languages=("fr", "en"),
        lookalikes=1,
        tempo=BUSY,
    ),
    Kind(
        "cl",
        "concentrated: two thirds of the site are files, on one page of twenty, about 40 on each",
        data=Part(2, 0.85, 0.50, (1,), 80, flat=True),
        mixed=Part(2, 0.10, 0.05, (1,), 80, flat=True),
        plain=_plain((1,), 60, flat=True),
        languages=("fr",),
        highlights=20,
        lookalikes=1,
        tempo=SLOW,
    ),
    Kind(
        "ju",
        "deep chains: a bulletin with its files on hundreds of sheets that lead to the next only",
        data=Part(1, 0.85, 0.70, (10, 15, 200), 1, Pager.NEXT, holder=Holder.LIST),
        mixed=Part(1, 0.10, 0.05, (20, 100), 5, Pager.NEXT),
        plain=_plain((10, 20), 12, Pager.NEXT),
        languages=("fr",),
        tempo=BULLETIN,
    ),
    Kind(
        "in",
        "deep chains and rare files: one page of 65 has a file or two, in one list of 134 sheets",
        data=Part(1, 0.85, 0.38, (134,), 1, Pager.NEXT, holder=Holder.LIST),
        mixed=Part(1, 0.10, 0.02, (100,), 4, Pager.NEXT),
        plain=_plain((20, 40), 12, Pager.NEXT),
        languages=("fr",),
        tempo=BULLETIN,
    ),
    Kind(
        "ed",
        "unique ids on every tag: no two tag paths are alike; files mostly mixed into articles",
        data=Part(2, 0.45, 0.50, (2, 4, 24), 4, Pager.NEXT),
        mixed=Part(2, 0.45, 0.07, (3, 6, 44), 10, Pager.NEXT),
        plain=_plain((6, 12), 12),
        languages=("fr",),
        unique_ids=True,
        bare_files=0.5,
        lookalikes=1,
    ),
    Kind(
        "il",
        "multilingual and extensionless: the URL of a file or page says next to nothing",
        data=Part(1, 0.70, 0.50, (1, 1, 2), 20),
        mixed=Part(1, 0.20, 0.05, (2, 3), 20),
        plain=_plain((3, 6), 15),
        languages=("en", "fr", "es"),
        url_style=UrlStyle.NODE,
        bare_files=0.9,
        tempo=ARCHIVE,
    ),
    Kind(
        "ok",
        "very rare targets: seven pages of a thousand have files, most of them near the start",
        data=Part(2, 0.80, 0.35, (1,), 120, flat=True),
        mixed=Part(1, 0.15, 0.02, (1,), 120, flat=True),
        plain=_plain((1,), 120, flat=True),
        languages=("en", "es"),
        bare_files=0.2,
        tempo=BUSY,
    ),
    Kind(
        "qa",
        "half the links to pages are dead: more URLs that lead nowhere than pages",
        data=Part(2, 0.80, 0.40, (1,), 60, flat=True),
        mixed=Part(1, 0.15, 0.05, (1,), 60, flat=True),
        plain=_plain((1,), 40, flat=True),
        languages=("en", "ar"),
        highlights=15,
        lookalikes=1,
        tempo=ARCHIVE,
    ),
    Kind(
        "ce",
        "heavy-tailed hubs: ten files on an average page with files, thousands on a few",
        data=Part(2, 0.60, 0.60, (1,), 25),
        mixed=Part(2, 0.35, 0.06, (1, 2), 20),
        plain=_plain((3, 6), 15),
        highlights=1,
    ),
    Kind(
        "wo",
        "heavy-tailed hubs on a multilingual site: most pages with files have one, a few hundreds",
        data=Part(1, 0.60, 0.40, (1, 2), 20),
        mixed=Part(1, 0.30, 0.05, (1, 3), 20),
        plain=_plain((3, 6), 15),
        languages=("en", "es", "fr"),
        bare_files=0.4,
        highlights=1,
        lookalikes=1,
        tempo=SLOW,
    ),
)

KINDS = {kind.name: kind for kind in _ALL}
"""The kinds after sites of the paper."""

_DEMO_PROFILE = SiteProfile(901, 301, 16.0, 0.01, 0.01, 5.0, 1.5, 6.7, 8.0, 0.1, 0.3)

DEMO = Kind(
    "demo",
    "a national statistics office that does not exist, with real files in every format",
    data=Part(2, 0.75, 0.80, (1, 1, 2), 6),
    mixed=Part(1, 0.20, 0.20, (1,), 10, flat=True),
    plain=_plain((1,), 12, flat=True),
    languages=("en", "fr"),
    bare_files=0.12,
    habits=HABITS["plain"],
    subjects=14,
    mirrored=True,
    real_files=True,
    releases=True,
    oddities=True,
)
DEMO_IDS = replace(DEMO, name="demo-ids", unique_ids=True)
"""The demo site with an id of its own on every tag: no two tag paths are alike."""
