"""Pages of Great Expectations' Data Docs, made safe and readable without anybody else's server.

The library's own renderers make the sections. They escape nothing and load scripts, styles and
pictures from afar, so that all text is escaped before it goes in, and only what is on a short list
of tags and attributes comes out again, in a page of ours with one small stylesheet.
"""

import re
from collections.abc import Sequence
from functools import cache
from html import escape
from typing import Any

from crawler.validation.running import library

STYLE_NAME = "style.css"
STYLE = """\
:root { color-scheme: light dark; background: #fff; color: #1a2128; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 0 auto; padding: 1rem; }
nav { padding: .3rem 0; display: flex; gap: 1rem; flex-wrap: wrap; border-bottom: 1px solid #8888; }
table { border-collapse: collapse; margin: .5rem 0 1rem; max-width: 100%; display: block;
  overflow-x: auto; }
th, td { border: 1px solid #8886; padding: .25rem .6rem; text-align: left; vertical-align: top;
  overflow-wrap: anywhere; }
th { white-space: nowrap; }
i { font-style: normal; white-space: nowrap; }
h1 { font-size: 1.5rem; }
h2, h5 { font-size: 1.15rem; margin: 1.2rem 0 .3rem; }
h6 { font-size: 1rem; margin: .8rem 0 .2rem; }
.text-danger { color: #b3261e; }
.text-success { color: #1b6e3c; }
@media (max-width: 40rem) {
  table, tbody, tr, td, th { display: block; overflow-wrap: anywhere; }
  thead { position: absolute; left: -10000px; }
  td { border-top: 0; }
  td:first-child { border-top: 1px solid #8886; }
  h1 { font-size: 1.25rem; }
}
@media (prefers-color-scheme: dark) {
  :root { background: #12171c; color: #e4e9ee; }
  a { color: #8ab4f8; }
  .text-danger { color: #ff8a80; }
  .text-success { color: #81c995; }
}
"""

_TAGS = frozenset(
    {"div", "p", "span", "h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th"}
    | {"td", "ul", "ol", "li", "strong", "em", "b", "i", "br", "hr", "code", "a"}
)
_ATTRIBUTES = frozenset({"id", "class", "hidden"})
_ICONS = {"text-success": "met", "text-danger": "not met", "text-warning": "error"}
# The library speaks of values that were not expected, where we have files that do not meet a check.
_WORDS = (
    (re.compile(r"^(0% unexpected|100% null)$"), "by every file"),
    (re.compile(r"^≈?(\S+)% unexpected$"), r"by \1% of the files"),
    (re.compile(r"^≈?(\S+)% null$"), r"met by \1% of the files"),
    (
        re.compile(r"^(\d+) unexpected values found\. ≈?\S+% of (\d+) total rows\.$"),
        r"\1 of \2 files do not meet it:",
    ),
    (re.compile("^Observed Value$"), "By how many"),
    (re.compile("^Unexpected Value$"), "What it has"),
    (re.compile("^Evaluated Expectations$"), "Checks"),
    (re.compile("^Successful Expectations$"), "Met by every file"),
    (re.compile("^Unsuccessful Expectations$"), "Not met by some files"),
    (re.compile("^Success Percent$"), "Share of checks met by every file"),
    (re.compile("^Expectation$"), "Check"),
    (re.compile("^Expectation Suite:$"), "Suite:"),
    (re.compile("^Data asset:"), "Site:"),
    (re.compile("^Succeeded$"), "by every file"),
    (re.compile("^Failed$"), "by some files"),
)


def safe_text(text: str) -> str:
    """Text for the library's renderers, which take it for HTML and for a template."""
    return escape(text, quote=True).replace("$", "&#36;")


def render_suite(suite: Any) -> str:
    """The sections of a suite's page, as HTML."""
    return _sections(_renderers().ExpectationSuitePageRenderer().render(suite))


def render_result(result: Any) -> str:
    """The sections of the page of a suite's results, as HTML."""
    return _sections(
        _renderers().ValidationResultsPageRenderer(run_info_at_end=True).render(result)
    )


def page(title: str, body: str, links: Sequence[tuple[str, str]], root: str) -> str:
    """A whole page; `body` is HTML, everything else is text. `root` leads to the style."""
    navigation = "".join(
        f'<a href="{escape(address, quote=True)}">{escape(text)}</a>' for text, address in links
    )
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title>"
        f'<link rel="stylesheet" href="{escape(root, quote=True)}{STYLE_NAME}"></head>\n'
        f"<body><nav>{navigation}</nav><h1>{escape(title)}</h1>\n{body}\n</body></html>\n"
    )


def _renderers() -> Any:
    """The library's renderers and views, which have no types of their own."""
    library()
    from great_expectations.render.renderer import page_renderer

    return page_renderer


@cache
def _view() -> Any:
    """One for all pages: a new one would compile the library's templates again."""
    from great_expectations.render import view

    views: Any = view
    return views.DefaultJinjaPageView()


def _sections(document: Any) -> str:
    from lxml import html

    root: Any = html.document_fromstring(_view().render(document))
    sections = root.xpath('//div[contains(concat(" ", @class, " "), " ge-section ")]')
    return "\n".join(
        html.tostring(_cleaned(section), encoding="unicode", with_tail=False)
        for section in sections
    )


def _cleaned(section: Any) -> Any:
    """The section without what is not on the list; what is left out keeps its text, not its tag."""
    for element in list(section.iter()):
        if not isinstance(element.tag, str) or element.tag in ("script", "style", "img", "footer"):
            element.drop_tree()
        elif element.tag not in _TAGS and element is not section:
            element.drop_tag()
        else:
            _name_icon(element)
            _keep_attributes(element)
            element.text, element.tail = _in_our_words(element.text), _in_our_words(element.tail)
    return section


def _in_our_words(text: str | None) -> str | None:
    """The library's phrases as ours; all else as it is."""
    said = (text or "").strip()
    for phrase, words in _WORDS:
        if said and phrase.search(said):
            return (text or "").replace(said, phrase.sub(words, said))
    return text


def _name_icon(element: Any) -> None:
    """Pictures from an icon font become words."""
    for word in (element.get("class") or "").split():
        if element.tag == "i" and word in _ICONS:
            element.text = _ICONS[word]


def _keep_attributes(element: Any) -> None:
    address = element.get("href", "")
    for name in list(element.attrib):
        if name not in _ATTRIBUTES:
            del element.attrib[name]
    if element.tag == "a" and address.startswith("#"):
        element.set("href", address)
