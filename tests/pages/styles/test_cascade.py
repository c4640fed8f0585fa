"""What links look like by the style sheets, attributes and inline styles of a page."""

import pytest
from lxml import html

from crawler.pages.styles.cascade import STEPS_OF_A_PAGE, Cascade, PageStyles
from crawler.pages.styles.properties import CATEGORIES, FEATURES, NUMBERS, Style
from crawler.pages.styles.sheet import sheet_of


def style_at(page: str, *sheets: str, path: str = "//a") -> Style:
    root = html.document_fromstring(page)
    return PageStyles(Cascade(sheet_of(sheet) for sheet in sheets)).of(root.xpath(path)[0])


def number(style: Style, name: str) -> float:
    return style.numbers[NUMBERS.index(name)]


def category(style: Style, name: str) -> str:
    return style.categories[CATEGORIES.index(name)]


def color(style: Style, name: str = "color") -> tuple[float, ...]:
    return tuple(number(style, f"{name}{part}") for part in range(1, 5))


RED, GREEN, BLUE = (255, 0, 0, 1), (0, 128, 0, 1), (0, 0, 255, 1)


def test_figure_4_has_61_features() -> None:
    style = style_at("<a href='/x'>x</a>")
    assert len(style.numbers) + len(style.categories) + 1 == FEATURES == 61


def test_link_looks_like_a_link_without_any_sheet() -> None:
    style = style_at("<p><a href='/x'>x</a></p>")
    assert color(style) == (0, 0, 238, 1)
    assert category(style, "text-decoration") == "underline"
    assert category(style, "display") == "inline"
    assert number(style, "font-size") == 16


def test_inherited_properties_come_from_above_and_others_do_not() -> None:
    sheet = (
        "div { font-size: 20px; text-align: right; margin-left: 7px; font-family: Arial, serif }"
    )
    style = style_at("<div><p><a name='x'>x</a></p></div>", sheet)
    assert number(style, "font-size") == 20
    assert category(style, "text-align") == "right"
    assert number(style, "margin-left") == 0
    assert style.fonts == ("arial", "serif")


@pytest.mark.parametrize(
    ("sheet", "inline", "expected"),
    [
        ("a { color: red } a { color: green }", "", GREEN),
        (".k { color: red } a { color: green }", "", RED),
        ("#i { color: blue } .k.k { color: red }", "", BLUE),
        ("div > a { color: green } div a { color: red }", "", RED),
        ("#i { color: red }", "color: green", GREEN),
        ("a { color: red !important } #i { color: blue }", "color: green", RED),
        ("a { color: red !important }", "color: green !important", GREEN),
        ("a:hover { color: red } a:link { color: green }", "", GREEN),
        ("a { color: red } @media print { a { color: green } }", "", RED),
        ("@media screen and (min-width: 40em) { a { color: green } }", "", GREEN),
        ("@media (max-width: 600px) { a { color: green } } a { color: red }", "", RED),
        ("a { color: red; color: nonsense(3) }", "", RED),
        ("a { color: red } p + a { color: green }", "", RED),
        ("b ~ a { color: green }", "", GREEN),
        ("a:not(.other):not(:hover) { color: green }", "", GREEN),
        ("a[href$='.csv'] { color: green } a[href^='/y'] { color: red }", "", GREEN),
        ("a:nth-child(2) { color: green } a:first-child { color: red }", "", GREEN),
        ("a:nth-child(2n+1) { color: red } a:nth-last-child(n+1) { color: green }", "", GREEN),
        (":is(p, div) > .k { color: green }", "", GREEN),
        ("a::before { color: red } a { color: green }", "", GREEN),
        ("a { color: inherit } div { color: green }", "", GREEN),
    ],
)
def test_the_declaration_that_wins(sheet: str, inline: str, expected: tuple[float, ...]) -> None:
    page = f"<div><b>b</b><a id='i' class='k l' style='{inline}' href='/x.csv'>x</a></div>"
    assert color(style_at(page, sheet)) == expected


def test_later_sheets_go_before_earlier_ones() -> None:
    page = "<a href='/x'>x</a>"
    assert color(style_at(page, "a { color: red }", "a { color: green }")) == GREEN


def test_relative_units() -> None:
    sheet = """
      html { font-size: 10px } div { font-size: 2em }
      a { font-size: 150%; line-height: 1.5; padding: 1rem 0.5em; margin-top: 12pt; width: 50vw;
          text-indent: 1in; border-left: thin dotted }
    """
    style = style_at("<div><a href='/x'>x</a></div>", sheet)
    assert number(style, "font-size") == 30
    assert number(style, "line-height") == 45
    assert (number(style, "padding-top"), number(style, "padding-left")) == (10, 15)
    assert number(style, "margin-top") == 16
    assert number(style, "width") == 640
    assert number(style, "text-indent") == 96
    assert number(style, "border-left-width") == 1
    assert category(style, "border-left-style") == "dotted"
    assert color(style, "border-left-color") == color(style)


def test_line_height_without_a_unit_is_inherited_as_a_factor() -> None:
    page = "<div><a href='/x'>x</a></div>"
    factor = style_at(page, "div { line-height: 2 } a { font-size: 30px }")
    length = style_at(page, "div { line-height: 2em } a { font-size: 30px }")
    assert (number(factor, "line-height"), number(length, "line-height")) == (60, 32)


def test_font_shorthand() -> None:
    style = style_at("<a href='/x'>x</a>", "a { font: italic bold 20px/2 'Open Sans', Arial }")
    assert category(style, "font-style") == "italic"
    assert (number(style, "font-size"), number(style, "line-height")) == (20, 40)
    assert style.fonts == ("open sans", "arial")


def test_border_without_a_style_has_no_width() -> None:
    assert (
        number(style_at("<a href='/x'>x</a>", "a { border-width: 5px }"), "border-top-width") == 0
    )


def test_attributes_count_less_than_any_rule() -> None:
    page = "<table><tr><td align='center' bgcolor='#ff0000'><a href='/x'>x</a></td></tr></table>"
    plain = style_at(page, path="//td")
    assert category(plain, "text-align") == "center"
    assert color(plain, "background-color") == RED
    assert (
        color(style_at(page, "td { background: green }", path="//td"), "background-color") == GREEN
    )


def test_elements_beside_each_other_that_differ_by_their_place_alone() -> None:
    root = html.document_fromstring(
        "<ul><li><a href='/1'>1</a></li><li><a href='/2'>2</a></li><li><a href='/3'>3</a></li></ul>"
    )
    styles = PageStyles(
        Cascade([sheet_of("li:first-child a { color: red } li + li a { left: 9px }")])
    )
    links = [styles.of(link) for link in root.iter("a")]
    assert [color(link) == RED for link in links] == [True, False, False]
    assert [number(link, "left") for link in links] == [0, 9, 9]


def test_pages_look_the_same_whatever_was_seen_before() -> None:
    sheet = "".join(f".c{n} .d a {{ left: {n}px }}" for n in range(2000))
    page = "".join(
        f"<div class='c{n}'><p class='d'><a href='/{n}'>x</a></p></div>" for n in range(300)
    )
    root = html.document_fromstring(page)
    warm = Cascade([sheet_of(sheet)])
    first, second, fresh = (
        [styles.of(link) for link in root.iter("a")]
        for styles in (PageStyles(warm), PageStyles(warm), PageStyles(Cascade([sheet_of(sheet)])))
    )
    assert first == second == fresh
    assert number(first[5], "left") == 5
    assert number(first[299], "left") == 0  # 300 links times 2,000 rules is more than a page gets


def test_hostile_selectors_end() -> None:
    deep = "<div>" * 200 + "<a href='/x'>x</a>" + "</div>" * 200
    rules = "div div div div div div div div div div div.none a { color: red }"
    assert color(style_at(deep, rules)) == (0, 0, 238, 1)
    assert STEPS_OF_A_PAGE < 200 * 5_000


@pytest.mark.parametrize(
    "text",
    ["{" * 5000, "a{color:" + "(" * 5000, "@media " * 3000, "a" * 9000 + "{color:red}", "\0}"],
)
def test_broken_sheets_have_no_rules(text: str) -> None:
    assert sheet_of(text).rules == ()


def test_imports_before_the_rules() -> None:
    text = "@charset 'x'; @import 'a.css'; @import url(b.css) print; @import url('c.css') screen;"
    assert sheet_of(text + "a { left: 0 } @import 'd.css';").imports == ("a.css", "c.css")
