"""How pages look: the tags and classes of a site's templates, different from site to site."""

from dataclasses import dataclass
from html import escape
from typing import TypeVar

from crawler.lab.sites.addresses import Addresses
from crawler.lab.sites.chance import Chance
from crawler.lab.sites.kinds import Kind
from crawler.lab.sites.plan import Role, Section

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Look:
    """One template: lists, items and download blocks in their own tags."""

    body: str
    main: str
    listing: tuple[str, str]
    """Tag and class around a list."""
    item: tuple[str, str]
    heading: str
    article: str
    files: tuple[str, str]
    file: tuple[str, str]
    link: str
    """Class of a download link."""
    box: str
    pager: str


def looks_of(addresses: Addresses) -> list[Look]:
    """The template of every section: some share one, and some that hold no data look like data."""
    chance = addresses.chance
    if addresses.edition.is_redesigned:
        chance = Chance(chance.number("redesign looks"))
    looks = [_look(chance, number) for number in range(_LOOKS)]
    return [looks[look_number(section, addresses.kind)] for section in addresses.sections]


def look_number(section: Section, kind: Kind) -> int:
    """Which of a site's templates a section has."""
    alike = range(kind.plain.sections - kind.lookalikes, kind.plain.sections)
    if section.role is Role.PLAIN and section.rank not in alike:
        return 2 + section.rank % 2
    return 1 if section.role is Role.MIXED else 0


_LOOKS = 4
_BODIES = ("page-default", "path-node", "not-front", "template-standard", "section-page")
_MAINS = ("content", "main-content", "region-content", "col-md-9", "container-main", "wrapper")
_LISTINGS = (
    ("ul", "list-results"),
    ("div", "view-content"),
    ("ul", "teaser-list"),
    ("div", "listing-items"),
    ("ol", "entries"),
    ("section", "collection"),
    ("div", "search-results"),
    ("ul", "item-list"),
)
_ITEMS = (
    ("li", "list-item"),
    ("article", "teaser"),
    ("div", "views-row"),
    ("li", "entry"),
    ("div", "card"),
    ("div", "result"),
)
_HEADINGS = ("h2", "h3", "h4", "strong", "span")
_ARTICLES = ("node-content", "article-body", "field-body", "rich-text", "text-formatted", "prose")
_FILES = (
    ("ul", "attachments"),
    ("div", "field-files"),
    ("ul", "download-list"),
    ("div", "documents"),
    ("section", "resources"),
    ("ul", "links"),
)
_FILE = (("li", "file"), ("div", "document"), ("p", "download"), ("li", "resource-item"))
_LINKS = ("download", "file-link", "btn", "document-link", "")
_BOXES = ("block", "sidebar-box", "widget", "panel", "aside-block")
_PAGERS = ("pager", "pagination", "page-nav", "paging")


def _look(chance: Chance, number: int) -> Look:
    listing = _in_turn(chance, _LISTINGS, "listing", number)
    files = _in_turn(chance, _FILES, "files", number)
    return Look(
        body=_in_turn(chance, _BODIES, "body", number),
        main=chance.pick(_MAINS, "main"),
        listing=listing,
        item=_inside(listing, chance.pick(_ITEMS, "i", number)),
        heading=chance.pick(_HEADINGS, "heading", number),
        article=_in_turn(chance, _ARTICLES, "article", number),
        files=files,
        file=_inside(files, chance.pick(_FILE, "f", number)),
        link=chance.pick(_LINKS, "link", number),
        box=chance.pick(_BOXES, "box"),
        pager=_in_turn(chance, _PAGERS, "pager", number),
    )


def _inside(around: tuple[str, str], item: tuple[str, str]) -> tuple[str, str]:
    """An item of a list is an `li`, and nothing else is."""
    tag, classes = item
    if around[0] in ("ul", "ol"):
        return "li", classes
    return "div" if tag == "li" else tag, classes


def _in_turn(chance: Chance, items: tuple[Item, ...], what: str, number: int) -> Item:
    return items[(chance.below(len(items), what) + number) % len(items)]


class Markup:
    """Writes tags; with a key, every one of them gets an id that no other tag of the site has."""

    __slots__ = ("_count", "_key")

    def __init__(self, key: str = "") -> None:
        self._key = key
        self._count = 0

    @property
    def unique(self) -> bool:
        """Whether tags get ids."""
        return bool(self._key)

    def tag(self, name: str, classes: str, inner: str) -> str:
        """An element."""
        said = f' class="{classes}"' if classes else ""
        return f"<{name}{self._id(name)}{said}>{inner}</{name}>"

    def link(self, href: str, text: str, classes: str = "") -> str:
        """A link; the text is escaped."""
        said = f' class="{classes}"' if classes else ""
        return f'<a{said} href="{href}">{escape(text)}</a>'

    def item(self, classes: str, href: str, text: str) -> str:
        """An item of a list with nothing but a link in it."""
        return self.tag("li", classes, self.link(href, text))

    def _id(self, name: str) -> str:
        if not self._key:
            return ""
        self._count += 1
        return f' id="{name}-{self._key}{self._count}"'
