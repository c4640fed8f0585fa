"""What a text with angle brackets is: a page, statistics in XML, an error, or some other XML."""

import re

from crawler.readers.kinds import Kind
from crawler.readers.messages import is_error_root

_SMALL = 64 * 1024
_SKIPPED = re.compile(
    r"\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE(?:[^\[>]|\[(?:[^\]\"']|\"[^\"]*\"|'[^']*')*\])*>",
    re.DOTALL | re.IGNORECASE,
)
_ROOT = re.compile(r"<(?:[^\W\d][\w.-]{0,80}:)?([^\W\d][\w.-]{0,80})(?=[\s/>])")
_HTML_DOCTYPE = re.compile(r"<!doctype\s+html\b", re.IGNORECASE)
_HTML_PAGE = re.compile(r"<(?:!doctype\s+html|html)\b", re.IGNORECASE)
# fmt: off
_HTML_ELEMENTS = {
    "html", "head", "body", "title", "meta", "script", "style", "noscript", "table", "thead",
    "tbody", "tr", "td", "th", "caption", "div", "span", "p", "br", "hr", "b", "i", "em", "strong",
    "u", "font", "center", "pre", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "dl",
    "form", "input", "iframe", "frameset", "img", "blockquote",
}
# fmt: on
_LINK = re.compile(r"<a\s+(?:href|name|class)\s*=", re.IGNORECASE)
_SDMX = "sdmx.org/resources/sdmxml"
_SDMX_ERROR = re.compile(r"<(?:\w+:)?Error[\s>]")
_BEFORE_A_PAGE = 1024


def is_html(text: str) -> bool:
    """Whether a page begins soon: programs print warnings before it."""
    return _HTML_PAGE.search(text[:_BEFORE_A_PAGE]) is not None


def kind_of_xml(text: str, *, complete: bool) -> Kind:
    """The kind of a text that begins with a bracket, or holds a page."""
    start = _root_at(text)
    root = _ROOT.match(text, start)
    name = root[1] if root is not None else ""
    opening = text[start : start + 8192]
    if _SDMX in opening.partition(">")[0].lower() or _SDMX in text[:start].lower():
        if name.lower() == "error" or (complete and _SDMX_ERROR.search(text[:4096])):
            return Kind.ERROR_MESSAGE
        return Kind.SDMX_ML
    if _HTML_DOCTYPE.search(text[:start]) or _is_html_element(name, opening, text[:start]):
        return Kind.HTML
    if complete and len(text) <= _SMALL and _tells_error(name, text):
        return Kind.ERROR_MESSAGE
    if root is not None:
        return Kind.XML
    return Kind.HTML if is_html(text) else Kind.DOCUMENT


def _is_html_element(name: str, opening: str, before: str) -> bool:
    if "<?xml" in before:
        return name.lower() == "html"
    return name.lower() in _HTML_ELEMENTS or _LINK.match(opening) is not None


def _tells_error(root: str, text: str) -> bool:
    if is_error_root(root):
        return True
    return root == "Envelope" and re.search(r"<(?:\w+:)?Fault[\s/>]", text) is not None


def _root_at(text: str) -> int:
    place = 0
    while skipped := _SKIPPED.match(text, place):
        place = skipped.end()
    return place
