"""HTML pieces whose classes tell what they lead to, as on sites made with a content system."""

from dataclasses import dataclass, field
from itertools import count

from crawler.lab.demo.plan import Section


@dataclass(frozen=True, slots=True)
class Link:
    """Where a link leads and what it says."""

    href: str
    text: str


@dataclass(slots=True)
class Markup:
    """Writes tags; with a key, every tag gets an id that no other page has."""

    key: str = ""
    _numbers: "count[int]" = field(default_factory=count)

    def tag(self, name: str, classes: str = "", attributes: str = "") -> str:
        """An opening tag."""
        mark = f' id="u{self.key}-{next(self._numbers)}"' if self.key else ""
        styled = f' class="{classes}"' if classes else ""
        return f"<{name}{mark}{styled}{attributes}>"

    def link(self, link: Link, classes: str) -> str:
        """An anchor."""
        opening = self.tag("a", classes, f' href="{link.href}"')
        return f"{opening}{link.text}</a>"

    def bullets(self, links: list[Link], classes: str, item: str, anchor: str) -> str:
        """A bulleted list of links."""
        rows = "\n".join(f"{self.tag('li', item)}{self.link(link, anchor)}</li>" for link in links)
        return f"{self.tag('ul', classes)}\n{rows}\n</ul>"

    def downloads(self, links: list[tuple[Link, str]], heading: str) -> str:
        """The block of files that a dataset page has; each link comes with its extension."""
        rows = "\n".join(
            f"{self.tag('li', 'download')}{self.link(link, f'file file-{kind}')} "
            f'<span class="format">{kind.upper()}</span></li>'
            for link, kind in links
        )
        return (
            f"{self.tag('section', 'downloads-block')}<h2>{heading}</h2>\n"
            f"{self.tag('ul', 'downloads')}\n{rows}\n</ul></section>"
        )

    def datasets(self, links: list[Link]) -> str:
        """The list of datasets on a subtopic's page."""
        rows = "\n".join(
            f"{self.tag('li', 'dataset')}{self.tag('h3', 'dataset-title')}"
            f"{self.link(link, 'dataset-link')}</h3></li>"
            for link in links
        )
        return f"{self.tag('div', 'dataset-list')}{self.tag('ul', 'datasets')}\n{rows}\n</ul></div>"

    def table(self, links: list[Link], classes: str, anchor: str) -> str:
        """A table with one link per row."""
        rows = "\n".join(
            f"{self.tag('tr', f'{classes}-row')}<td>{number}</td>"
            f"{self.tag('td', f'{classes}-title')}{self.link(link, anchor)}</td></tr>"
            for number, link in enumerate(links, start=1)
        )
        return f"{self.tag('table', classes)}<tbody>\n{rows}\n</tbody></table>"

    def section_list(self, section: Section, rows: list[tuple[Link, str]]) -> str:
        """A section's list, in that section's own tags; each link comes with a teaser."""
        outer, inner, item, heading = _SHAPES[section]
        name = section.value
        written = "\n".join(
            f"{self.tag(item, f'{name}-item')}{self.tag(heading, f'{name}-title')}"
            f"{self.link(link, f'{name}-link')}</{heading}> {teaser}</{item}>"
            for link, teaser in rows
        )
        opening = f"{self.tag(outer, f'{name}-list')}{self.tag(inner, f'{name}-entries')}"
        return f"{opening}\n{written}\n</{inner}></{outer}>"

    def pager(self, links: list[Link], name: str) -> str:
        """The links to other pages of a list; nothing when there is one page."""
        if not links:
            return ""
        rows = "".join(
            f"{self.tag('li', 'pager-item')}{self.link(link, 'pager-link')}</li>" for link in links
        )
        return f"{self.tag('nav', f'pager pager-{name}')}{self.tag('ul', 'pages')}{rows}</ul></nav>"


_SHAPES = {
    Section.NEWS: ("div", "section", "article", "h2"),
    Section.PRESS: ("div", "ol", "li", "strong"),
    Section.EVENTS: ("section", "div", "div", "h4"),
    Section.GLOSSARY: ("div", "dl", "dt", "dfn"),
    Section.METHODS: ("div", "ul", "li", "em"),
    Section.STAFF: ("section", "ul", "li", "address"),
    Section.CAREERS: ("section", "ol", "li", "h5"),
    Section.ABOUT: ("div", "ul", "li", "span"),
    Section.BULK: ("section", "ul", "li", "h3"),
}
"""Outer, inner, item and heading tag of each section's list."""


def pager_sheets(sheet: int, sheets: int) -> list[int]:
    """Which pages of a list a pager shows: ends, neighbours, and leaps of ten, a hundred, ..."""
    wanted = {1, sheets, sheet - 2, sheet - 1, sheet + 1, sheet + 2}
    leap = 10
    while leap < sheets:
        wanted |= {sheet - leap, sheet + leap}
        leap *= 10
    return sorted(number for number in wanted if 1 <= number <= sheets and number != sheet)
