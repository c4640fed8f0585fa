"""What surrounds every page: header, navigation, breadcrumb, sidebar and footer."""

from dataclasses import dataclass, replace
from functools import lru_cache

from crawler.lab.demo.addresses import Addresses, Kind, Page
from crawler.lab.demo.markup import Link, Markup
from crawler.lab.demo.plan import Section
from crawler.lab.demo.titles import Titles
from crawler.lab.demo.topics import TOPICS, Lang
from crawler.lab.demo.words import (
    FOLLOW,
    INTERNAL,
    LANGUAGE,
    LATEST,
    OFFICE,
    RELEASES,
    SEARCH,
    SECTIONS,
    STATISTICS,
)

_TOPBAR = (Section.ABOUT, Section.NEWS, Section.PRESS, Section.EVENTS, Section.STAFF)
_MENU_END = (Section.BULK, Section.METHODS, Section.GLOSSARY)
_FOOTER = (Section.CAREERS, Section.EVENTS, Section.GLOSSARY, Section.PRESS, Section.NEWS)
_SIDEBAR = {Section.NEWS: 5, Section.PRESS: 4, Section.EVENTS: 3}
_SOCIAL = ("mastodon", "linkedin", "youtube", "facebook", "instagram")


_AREAS = {
    Section.NEWS: "news",
    Section.PRESS: "news",
    Section.EVENTS: "news",
    Section.BULK: "data",
}


@dataclass(frozen=True, slots=True)
class Content:
    """The inside of a page, before the frame is put around it."""

    title: str
    main: str
    crumbs: tuple[Page, ...] = ()
    side: str = ""


class Frame:
    """Puts the site's frame around contents; what is the same on all pages is written once."""

    def __init__(self, addresses: Addresses, titles: Titles, base: str) -> None:
        self.addresses = addresses
        self.titles = titles
        self.base = base
        self._fixed = lru_cache(maxsize=8)(self._write_fixed)

    def page(self, page: Page, content: Content) -> bytes:
        """The whole page."""
        lang, path = page.lang, self.addresses.path(page)
        header, sidebar, footer = self._fixed(lang)
        twin = self.addresses.path(replace(page, lang=lang.other))
        area, name = _template(page)
        crumbs = "".join(
            f'<li class="crumb"><a href="{self.addresses.path(crumb)}">{self.label(crumb)}</a></li>'
            for crumb in content.crumbs
        )
        return f"""<!DOCTYPE html>
<html lang="{lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{content.title} - {OFFICE.of(lang)}</title>
<meta name="description" content="{content.title}">
<link rel="canonical" href="{self.base}{path}">
<link rel="alternate" hreflang="{lang.other}" href="{twin}">
<link rel="stylesheet" href="/static/site.css">
<link rel="icon" href="/static/img/0.png" type="image/png">
</head>
<body class="page page-{area}">
<a class="skip" href="#content">&rarr;</a>
<div id="wrapper">
{header.replace("{twin}", twin)}
<nav class="breadcrumb"><ol class="crumbs">
{crumbs}<li class="crumb here">{content.title}</li>
</ol></nav>
<div class="layout">
<aside id="sidebar">{content.side}{sidebar}</aside>
<main id="content" class="content content-{name}">
<h1>{content.title}</h1>
{content.main}
</main>
</div>
{footer}
</div>
</body>
</html>
""".encode()

    def splash(self, content: Content) -> bytes:
        """A page without navigation, for the root."""
        return f"""<!DOCTYPE html>
<html lang="{Lang.EN}">
<head><meta charset="utf-8"><title>{content.title}</title>
<link rel="stylesheet" href="/static/site.css"></head>
<body class="page page-splash"><div id="wrapper"><main id="content" class="content content-splash">
<h1>{content.title}</h1>
{content.main}
</main></div></body>
</html>
""".encode()

    def label(self, page: Page) -> str:
        """What a link to a page says in navigation."""
        match page.kind:
            case Kind.SPLASH | Kind.HOME | Kind.PREVIEW:
                name = OFFICE
            case Kind.STATISTICS:
                name = STATISTICS
            case Kind.TOPIC | Kind.ARCHIVE:
                name = TOPICS[page.index].name
            case Kind.SUBTOPIC:
                name = self.titles.subtopic(page.index)
            case Kind.DATASET:
                name = self.titles.dataset(page.index)
            case Kind.LIST:
                name = SECTIONS[page.section]
            case Kind.ITEM:
                name = self.titles.item(page.section, page.index)
            case Kind.RELEASES | Kind.RELEASE_YEAR | Kind.RELEASE_MONTH:
                name = RELEASES
        return name.of(page.lang)

    def link(self, page: Page) -> Link:
        """A link to a page with its name."""
        return Link(self.addresses.path(page), self.label(page))

    def _lists(self, lang: Lang, sections: tuple[Section, ...]) -> list[Link]:
        here = self.addresses.plan.items
        return [
            self.link(Page(Kind.LIST, lang, section=section))
            for section in sections
            if section in here
        ]

    def _write_fixed(self, lang: Lang) -> tuple[str, str, str]:
        return self._header(lang), self._sidebar(lang), self._footer(lang)

    def _header(self, lang: Lang) -> str:
        plain = Markup()
        topbar = plain.bullets(self._lists(lang, _TOPBAR), "topbar-links", "topbar-item", "top")
        topics = [self.link(Page(Kind.TOPIC, lang, at)) for at in range(self.addresses.plan.topics)]
        ends = [
            self.link(Page(Kind.STATISTICS, lang)),
            self.link(Page(Kind.RELEASES, lang)),
            *self._lists(lang, _MENU_END),
        ]
        searches = [
            Link(f"/{lang}/search?q={topic.name.slug(lang)}", topic.name.of(lang))
            for topic in TOPICS[:3]
        ]
        switch = f'<a class="language" href="{{twin}}">{LANGUAGE.of(lang.other)}</a>'
        logo = f'<img src="/static/logo.svg" alt="{OFFICE.of(lang)}">'
        words = f'<input name="q" type="search" aria-label="{SEARCH.of(lang)}">'
        return f"""<header id="site-header">
<div class="topbar">{topbar}{switch}</div>
<div class="brand"><a class="logo" href="/{lang}/?utm_source=logo">{logo}</a>
<form class="search" action="/{lang}/search">{words}</form>
{plain.bullets(searches, "searches", "search-item", "search-link")}</div>
<nav id="main-nav">
{plain.bullets(topics, "menu menu-topics", "menu-item", "menu-link")}
{plain.bullets(ends, "menu menu-more", "menu-item", "menu-more-link")}
</nav>
</header>"""

    def _sidebar(self, lang: Lang) -> str:
        blocks = []
        for section, shown in _SIDEBAR.items():
            count = min(shown, self.addresses.plan.items.get(section, 0))
            links = [
                self.link(Page(Kind.ITEM, lang, item, section=section)) for item in range(count)
            ]
            listed = Markup().bullets(links, "side-list", "side-item", "side-link")
            heading = f"{LATEST.of(lang)}: {SECTIONS[section].of(lang)}"
            blocks.append(f'<div class="side-block side-latest"><h3>{heading}</h3>{listed}</div>')
        return "\n".join(blocks)

    def _footer(self, lang: Lang) -> str:
        plain = Markup()
        about = [
            self.link(Page(Kind.ITEM, lang, item, section=Section.ABOUT))
            for item in range(self.addresses.plan.items[Section.ABOUT])
        ]
        # The same pages under other spellings, as campaigns and old servers leave them behind.
        more = [
            Link(f"{link.href}?utm_source=footer&amp;utm_medium=web", link.text)
            for link in self._lists(lang, _FOOTER)
        ]
        more.append(Link(f"{about[0].href};jsessionid=6F1D0C2A9B7E4583A1C0FF3E", about[0].text))
        more.append(Link(f"{about[1].href}#top", about[1].text))
        more.append(Link("/internal/", INTERNAL.of(lang)))
        social = [Link(f"https://{name}.example/norvenia-stat", name) for name in _SOCIAL]
        columns = "\n".join(
            f'<div class="footer-column">{listed}</div>'
            for listed in (
                plain.bullets(about, "footer-about", "footer-item", "footer-link"),
                plain.bullets(more, "footer-more", "footer-item", "footer-link"),
            )
        )
        return f"""<footer id="site-footer">
{columns}
<div class="footer-column"><h4>{FOLLOW.of(lang)}</h4>
{plain.bullets(social, "social", "social-item", "social-link")}
<p><a class="mail" href="mailto:info@stat.norvenia.example">info@stat.norvenia.example</a>
<a class="phone" href="tel:+99900000000">+999 0000 0000</a></p></div>
</footer>"""


def _template(page: Page) -> tuple[str, str]:
    """Area and template of a page, as its classes tell: sections of one area share a template."""
    if page.kind in (Kind.LIST, Kind.ITEM):
        area = _AREAS.get(page.section, "office")
        return area, f"{area}-{page.kind.value}"
    area = "home" if page.kind is Kind.HOME else "data"
    return area, page.kind.value
