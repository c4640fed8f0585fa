"""What a browser does where no sheet says anything: the sheet of the HTML standard, in short."""

from functools import cache

from crawler.pages.styles.nodes import Node
from crawler.pages.styles.sheet import Declaration, Sheet, declarations_of, sheet_of

_SHEET = """
head, link, meta, script, style, title, template, base, area, datalist, param, rp { display: none }
html, body, address, blockquote, center, dialog, div, figure, figcaption, footer, form, header, hr,
legend, main, nav, ol, p, pre, section, article, aside, h1, h2, h3, h4, h5, h6, hgroup, search, ul,
dl, dt, dd, dir, menu, fieldset, details, summary, optgroup, option { display: block }
li { display: list-item }
table { display: table } caption { display: table-caption; text-align: center }
colgroup { display: table-column-group } col { display: table-column }
thead { display: table-header-group } tbody { display: table-row-group }
tfoot { display: table-footer-group } tr { display: table-row }
thead, tbody, tfoot, table > tr { vertical-align: middle }
tr, td, th { vertical-align: inherit }
td, th { display: table-cell; padding: 1px } th { text-align: center }
button, input, select, textarea, meter, progress { display: inline-block }
body { margin: 8px }
p, dl, ul, ol, menu, dir, pre { margin-top: 1em; margin-bottom: 1em }
blockquote, figure { margin: 1em 40px } dd { margin-left: 40px }
ul, ol, menu, dir { padding-left: 40px }
ul ul, ul ol, ol ul, ol ol { margin-top: 0; margin-bottom: 0 }
h1 { font-size: 2em; margin-top: 0.67em; margin-bottom: 0.67em }
h2 { font-size: 1.5em; margin-top: 0.83em; margin-bottom: 0.83em }
h3 { font-size: 1.17em; margin-top: 1em; margin-bottom: 1em }
h4 { margin-top: 1.33em; margin-bottom: 1.33em }
h5 { font-size: 0.83em; margin-top: 1.67em; margin-bottom: 1.67em }
h6 { font-size: 0.67em; margin-top: 2.33em; margin-bottom: 2.33em }
a:link { color: #0000ee; text-decoration: underline } u, ins { text-decoration: underline }
s, strike, del { text-decoration: line-through }
em, i, cite, var, dfn, address { font-style: italic }
small { font-size: smaller } big { font-size: larger }
sub { vertical-align: sub; font-size: smaller } sup { vertical-align: super; font-size: smaller }
code, kbd, samp, tt, pre { font-family: monospace; font-size: 13px }
center { text-align: center }
"""

ATTRIBUTES = ("align", "bgcolor", "color", "face", "height", "hidden", "size", "valign", "width")
"""The attributes that say how an element looks."""

_SIZES = ("x-small", "x-small", "small", "medium", "large", "x-large", "xx-large", "xx-large")
_SIZED = frozenset({"table", "td", "th", "tr", "img", "iframe", "col", "hr", "object", "video"})


@cache
def default_sheet() -> Sheet:
    """The rules of the browser."""
    return sheet_of(_SHEET)


def attribute_declarations(node: Node) -> tuple[Declaration, ...]:
    """What the attributes of an element say, for which any rule of a sheet goes first."""
    said = []
    for attribute in ATTRIBUTES:
        value = node.get(attribute)
        if value is None:
            continue
        declaration = _declaration(node.tag, attribute, value.strip()[:100])
        if declaration:
            said.append(declaration)
    return declarations_of(";".join(said)) if said else ()


def _declaration(tag: str, attribute: str, value: str) -> str:
    if not value.replace("#", "").replace(" ", "").replace("%", "").replace("-", "").isalnum():
        return "display: none" if attribute == "hidden" else ""
    match attribute:
        case "hidden":
            return "display: none"
        case "align":
            if tag in ("img", "table", "iframe", "object"):
                return f"float: {value}" if value in ("left", "right") else ""
            return f"text-align: {value}"
        case "valign":
            return f"vertical-align: {value}"
        case "bgcolor":
            return f"background-color: {value}"
        case "color":
            return f"color: {value}" if tag in ("font", "basefont") else ""
        case "face":
            return f"font-family: {value}" if tag == "font" else ""
        case "size":
            known = tag == "font" and value.isascii() and value.isdigit()
            return f"font-size: {_SIZES[min(int(value[:2]), 7)]}" if known else ""
        case _:
            unit = "px" if value.isascii() and value.isdigit() else ""
            return f"{attribute}: {value}{unit}" if tag in _SIZED else ""
