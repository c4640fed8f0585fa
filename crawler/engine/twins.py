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


def same_links(page: Page, url: str, parameter: str, packed: bytes) -> bool:
    """Whether a page has the links of its twin, however many of its own carry the parameter."""
    theirs = set(unpack(packed).tolist())
    ours = set(unpack(pack(_prints(page, url, parameter))).tolist())
    # Both sets keep their smallest fingerprints only, so the smallest of their union are compared.
    union = sorted(ours | theirs)[: max(len(ours), len(theirs))]
    if len(union) < _FEW_LINKS:
        return False
    return sum(one in ours and one in theirs for one in union) >= _ALIKE * len(union)


def _prints(page: Page, url: str, parameter: str) -> list[int]:
    own = fingerprint(canonical(url))
    marked = f"{parameter}="
    prints = []
    for link in page.links:
        number = link.fingerprint
        # The link to the print version itself is on both pages, and the same on both.
        if marked in link.url and number != own:
            number = fingerprint(canonical(without(link.url, parameter)))
        prints.append(unsigned(number))
    return prints
