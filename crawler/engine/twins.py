"""Pages that are the same but for a parameter of their URL."""

from crawler.engine.first_visit import unsigned
from crawler.pages.html import Page
from crawler.pages.idle_parameters import without
from crawler.pages.urls import canonical, fingerprint
from crawler.revisit.fingerprints import pack, unpack

_ALIKE = 0.9
"""Share of the links that both pages have."""
_FEW_LINKS = 3
"""Pages with fewer links say nothing by them."""


def same_links(page: Page, parameter: str, packed: bytes) -> bool:
    """Whether a page has the links of its twin, however many of its own carry the parameter."""
    ours = set(unpack(pack(_prints(page, parameter))).tolist())
    theirs = set(unpack(packed).tolist())
    # Both sets keep their smallest fingerprints only, so the smallest of their union are compared.
    union = sorted(ours | theirs)[: max(len(ours), len(theirs))]
    if len(union) < _FEW_LINKS:
        return False
    return sum(one in ours and one in theirs for one in union) >= _ALIKE * len(union)


def _prints(page: Page, parameter: str) -> list[int]:
    marked = f"{parameter}="
    prints = []
    for link in page.links:
        plain = without(link.url, parameter) if marked in link.url else link.url
        number = link.fingerprint if plain == link.url else fingerprint(canonical(plain))
        prints.append(unsigned(number))
    return prints
