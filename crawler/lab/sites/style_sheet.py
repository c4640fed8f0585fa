"""The style sheet of a synthetic site: every template has sizes and colours of its own."""

from crawler.lab.sites.addresses import Addresses
from crawler.lab.sites.chance import Chance
from crawler.lab.sites.looks import Look, looks_of

STYLE_SHEET = "/assets/site.css"
"""Where it is."""
_PAGE = """\
body { margin: 0; font: 16px/1.5 "Open Sans", Arial, sans-serif; color: #222 }
header, footer { background-color: #eef1f4; padding: 8px 16px }
header a { text-decoration: none; margin-right: 12px }
footer a { font-size: 13px }
.layout { display: flex }
.sidebar { width: 260px; font-size: 14px }
h1 { font-size: 28px; line-height: 1.2 }
"""
_SIZES = (14, 15, 16, 17, 18, 20)
_DECORATIONS = ("none", "underline")


def style_sheet(addresses: Addresses) -> str:
    """The sheet of all templates of a site."""
    looks, chance = dict.fromkeys(looks_of(addresses)), addresses.chance
    rules = [rule for number, look in enumerate(looks) for rule in _rules(look, chance, number)]
    return _PAGE + "\n".join(rules) + "\n"


def _rules(look: Look, chance: Chance, number: int) -> list[str]:
    """Lists, files and pages of one template, each under the class of its body."""
    places = {
        "listing": f".{look.listing[1]} .{look.item[1]}",
        "files": f".{look.files[1]} .{look.file[1]}",
        "pager": f".{look.pager}",
        "box": f".{look.box}",
    }
    return [
        rule
        for name, place in places.items()
        for rule in (
            f".{look.body} {place} {{ padding: {chance.below(13, 'padding', name, number)}px }}",
            f".{look.body} {place} a {{ font-size: {chance.pick(_SIZES, 'size', name, number)}px;"
            f" color: #{chance.below(1 << 24, 'color', name, number):06x};"
            f" text-decoration: {chance.pick(_DECORATIONS, 'line', name, number)} }}",
        )
    ]
