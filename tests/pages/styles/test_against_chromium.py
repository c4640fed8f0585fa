"""What we work out of a page's styles, beside what Chromium computes."""

import shutil
import socket
from contextlib import closing

import pytest
from lxml import html

from crawler.pages.styles.cascade import Cascade, PageStyles
from crawler.pages.styles.properties import CATEGORIES, COLORS, FONTS, LENGTHS, NUMBERS, Style
from crawler.pages.styles.rendered import RenderedStyles
from crawler.pages.styles.sheet import sheet_of
from crawler.web.chromium import NAMES, Chromium

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not any(map(shutil.which, NAMES)), reason="no chromium on this machine"),
]

SHEET = """
html { font-size: 18px } body { font: 14px/1.5 "Open Sans", Arial, sans-serif; color: #333 }
nav { background: #003366 url(x.png); text-align: right; letter-spacing: 1px }
nav li { display: inline-block; border-left: 2px dotted; padding: 0.25rem 1em }
nav li:first-child { border-left: none } nav a { color: white; text-decoration: none }
nav li + li a { font-style: italic } nav a:hover { color: red }
.card > h3 a { font-size: 120%; line-height: 2; margin: 4px 8px 2px } #main a { color: teal }
a.file { color: rgba(200, 10, 10, 0.5) !important; float: left; z-index: 3; text-indent: 2em }
a[href$=".pdf"] { border-bottom: medium double #00f; vertical-align: sub }
@media print { a { color: black } } @media (min-width: 900px) { .wide a { word-spacing: 3pt } }
ul:not(.plain) > li:nth-child(2n) { visibility: hidden; clear: both }
"""
PAGE = f"""<!DOCTYPE html><html><head><style>{SHEET}</style></head><body>
<nav><ul class="plain"><li><a href="/">Home</a></li><li><a href="/data">Data</a></li></ul></nav>
<div id="main" class="wide">
<div class="card"><h3><a href="/a" style="padding-left: 1em">A</a></h3>
<p>Text <a class="file" href="/x.csv">CSV</a> and <em><a href="/y.pdf">PDF</a></em></p></div>
<ul><li><a href="/1">1</a></li><li><a href="/2">2</a></li></ul>
<table><tr><th align="left"><a href="/t">T</a></th><td bgcolor="#ffeecc"><a href="/u">U</a></td>
</tr></table><small><a href="/s"><font size="5" color="green">S</font></a></small></div>
</body></html>"""
# Chromium gives the sizes that a layout came to, and we have none.
LAYOUT = {"width", "height", "left", "right", "top", "bottom"}


def test_parsed_values_are_those_that_chromium_computes() -> None:
    root = html.document_fromstring(PAGE)
    parsed = PageStyles(Cascade([sheet_of(SHEET)]))
    elements = [one for link in root.iter("a") for one in (link, link.getparent())]
    rendered = RenderedStyles(Chromium(), root, elements, [SHEET], parsed)
    assert len(elements) == 20
    assert all(element in rendered._styles for element in elements)
    names = [name for name in (*CATEGORIES, *LENGTHS, *COLORS, FONTS) if name not in LAYOUT]
    differences = [
        (element.tag, element.get("href"), name, ours, theirs)
        for element in elements
        for name in names
        if (ours := _value(parsed.of(element), name))
        != (theirs := _value(rendered.of(element), name))
    ]
    assert differences == []
    assert any(_value(rendered.of(element), "width") for element in elements)


HOSTILE = """<html><head><base href="AT/"><link rel="stylesheet" href="AT/x.css">
<meta http-equiv="refresh" content="0;url=AT/refresh">
<script src="AT/x.js"></script><script>location = "AT/script"</script></head>
<body onload="location='AT/load'" background="AT/body.png">
<img src="AT/i.png" onerror="fetch('AT/e')">
<iframe src="AT/frame"></iframe><object data="AT/object"></object>
<p style="background: url(AT/style.png)"><a href="/a">A</a></p>
<svg><image href="AT/svg.png"/></svg><video src="AT/video" autoplay></video></body></html>"""
HOSTILE_SHEET = """@import url(AT/imported.css); @font-face { font-family: f; src: url(AT/font) }
a { font-family: f; color: rgb(1, 2, 3); background: url(AT/sheet.png) } </style><script>
location = "AT/escaped"</script>"""


def test_page_that_is_rendered_asks_for_nothing_and_runs_nothing() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        server.settimeout(0.1)
        at = f"http://127.0.0.1:{server.getsockname()[1]}"
        root = html.document_fromstring(HOSTILE.replace("AT/", f"{at}/"))
        before = html.tostring(root)
        link = next(root.iter("a"))
        parsed, sheet = PageStyles(Cascade([])), HOSTILE_SHEET.replace("AT/", f"{at}/")
        rendered = RenderedStyles(Chromium(), root, [link], [sheet], parsed)
        assert _value(rendered.of(link), "color") == (1, 2, 3, 1)
        with pytest.raises(TimeoutError):
            server.accept()
    assert html.tostring(root) == before


def test_page_that_takes_too_long_is_styled_as_before() -> None:
    root = html.document_fromstring(PAGE)
    links = list(root.iter("a"))
    parsed = PageStyles(Cascade([sheet_of(SHEET)]))
    rendered = RenderedStyles(Chromium(seconds=0.001), root, links, [SHEET], parsed)
    assert [rendered.of(link) for link in links] == [parsed.of(link) for link in links]


def _value(style: Style, name: str) -> object:
    if name == FONTS:
        return style.fonts
    if name in CATEGORIES:
        return style.categories[CATEGORIES.index(name)]
    if name in COLORS:
        return tuple(style.numbers[NUMBERS.index(f"{name}{part}")] for part in range(1, 5))
    return round(style.numbers[NUMBERS.index(name)], 2)
