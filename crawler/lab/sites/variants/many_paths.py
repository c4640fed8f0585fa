"""Thousands of tag paths: programs that write names of their own into classes."""

import re

from crawler.lab.sites.variants.variant import Variant

_TAG = re.compile(rb'<(ul|ol|li|div|td)( class="[^"]*)?(")?')
_SYLLABLES = ("ba", "de", "fi", "go", "lu", "ma", "ne", "pi", "ro", "su", "ta", "ve", "wi", "zo")
_LAYOUTS = 60
_PLACES = 40


class ManyPaths(Variant):
    """Every page has one of sixty layouts, and each layout its own classes at forty places."""

    def written(self, path: str, html: bytes) -> bytes:
        """The page with the classes of its layout."""
        layout = self.chance.below(_LAYOUTS, "layout", path)
        count = 0

        def named(match: re.Match[bytes]) -> bytes:
            nonlocal count
            count += 1
            name = self._name(layout, count % _PLACES).encode()
            if match[2] is None:
                return b"<" + match[1] + b' class="' + name + b'"' + (match[3] or b"")
            return b"<" + match[1] + match[2] + b" " + name + b'"'

        return _TAG.sub(named, html)

    def _name(self, layout: int, place: int) -> str:
        drawn = self.chance.number("class", layout, place)
        return "".join(_SYLLABLES[(drawn >> 8 * at) % len(_SYLLABLES)] for at in range(4))
