"""What a site offers crawlers beside its pages: robots.txt and the sitemap."""

from crawler.lab.sites.addresses import Addresses
from crawler.lab.sites.kinds import Kind
from crawler.lab.sites.places import Page, Place
from crawler.lab.sites.plan import MAX_IN_FRONT, Section

_SPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def robots(kind: Kind, base: str) -> bytes:
    """The robots.txt of a site."""
    lines = ["User-agent: *", "Disallow: /internal/"]
    if kind.oddities:
        lines += ["Disallow: /*/search", "", f"Sitemap: {base}/sitemap.xml"]
    return "\n".join([*lines, ""]).encode()


def sitemap(base: str, sections: tuple[Section, ...], addresses: Addresses) -> bytes:
    """Entry pages only: a sitemap of everything would be as large as the site."""
    pages = [Page(Place.HOME, language) for language in {each.language for each in sections}]
    pages += [Page(Place.FRONT, section.number) for section in sections]
    pages += [
        Page(Place.SHEET, section.number, number)
        for section in sections
        if not section.flat
        for number in range(min(section.lists, MAX_IN_FRONT))
    ]
    urls = "".join(f"<url><loc>{base}{addresses.path(page)}</loc></url>" for page in pages)
    head = '<?xml version="1.0" encoding="UTF-8"?>'
    return f'{head}\n<urlset xmlns="{_SPACE}">{urls}</urlset>\n'.encode()
