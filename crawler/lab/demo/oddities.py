"""Everything that is no regular page or file: redirects, dead ends, robots.txt, static files."""

import re
import struct
import zlib

from crawler.lab.demo.addresses import Addresses, Kind, Page
from crawler.lab.demo.answer import HTML, Answer, answer, redirect
from crawler.lab.demo.chance import Chance
from crawler.lab.demo.csv_files import plain_csv
from crawler.lab.demo.figures import cube
from crawler.lab.demo.files import Files
from crawler.lab.demo.plan import Section
from crawler.lab.demo.topics import TOPICS, Lang

ROBOTS = """User-agent: *
Disallow: /internal/
Disallow: /*/search

Sitemap: {base}/sitemap.xml
"""

_REDIRECT = re.compile(r"/r/(file|moved|chain|loop)/(?:(en|fr)/)?([0-9]{1,12})\Z")
_IMAGE = re.compile(r"/static/img/([0-9]{1,2})\.png\Z")
_DRAFT = re.compile(r"/internal/files/draft-([0-9]{1,2})\.csv\Z")
_DRAFT_PAGE = re.compile(r"/internal/(?:drafts/([0-9]{1,2}))?\Z")
_GONE = re.compile(r"/(?:en|fr)/discontinued/[0-9]{1,9}\Z")
_SEARCH = re.compile(r"/(?:en|fr)/search\Z")

_LOGO = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64">'
    '<rect x="6" y="34" width="12" height="24"/><rect x="26" y="18" width="12" height="40"/>'
    '<rect x="46" y="6" width="12" height="52"/></svg>'
)
_STYLE = "body{font-family:sans-serif;margin:0 auto;max-width:72em}nav ul{display:flex}"


class Oddities:
    """Answers what no list of pages or files contains."""

    def __init__(self, addresses: Addresses, files: Files, chance: Chance, base: str) -> None:
        self.addresses = addresses
        self.files = files
        self.chance = chance
        self.base = base

    def answer(self, path: str) -> Answer | None:
        """The answer for a path without its query, or None when there is nothing of the kind."""
        if path == "/robots.txt":
            return answer(ROBOTS.format(base=self.base).encode(), "text/plain; charset=utf-8")
        if path == "/sitemap.xml":
            return answer(self._sitemap(), "application/xml; charset=utf-8")
        if path.startswith("/static/"):
            return self._static(path)
        if path.startswith("/internal/"):
            return self._internal(path)
        if path.startswith("/r/"):
            return self._redirect(path)
        if _GONE.match(path):
            return answer(b"<html><body><h1>410 Gone</h1></body></html>", HTML, status=410)
        if _SEARCH.match(path):
            return answer(b"<html><body><p>No results.</p></body></html>", HTML)
        return None

    def _redirect(self, path: str) -> Answer | None:
        found = _REDIRECT.match(path)
        if not found:
            return None
        kind, lang, number = found[1], Lang(found[2] or "en"), int(found[3])
        match kind:
            case "file":
                file = self.files.by_id(number)
                return redirect(self.files.path(file), 302) if file else None
            case "moved" if number < self.addresses.plan.datasets:
                target = self.addresses.path(Page(Kind.DATASET, lang, number))
                return redirect(f"{self.base}{target}", 301)
            case "chain" if number == 1:
                return redirect(f"/r/chain/{lang}/2", 301)
            case "chain" if number == 2:
                about = Page(Kind.LIST, lang, section=Section.ABOUT)
                return redirect(self.addresses.path(about), 302)
            case "loop" if number in (1, 2):
                return redirect(f"/r/loop/{3 - number}", 302)
            case _:
                return None

    def _internal(self, path: str) -> Answer | None:
        """Linked, but forbidden by robots.txt; it answers, so that a rude crawler is caught."""
        if found := _DRAFT.match(path):
            number = int(found[1])
            measure = TOPICS[number % self.addresses.plan.topics].measures[0]
            stream = self.chance.stream("draft", number)
            draft = cube(f"DRAFT-{number}", measure.name.en, Lang.EN, measure, stream)
            return answer(plain_csv(draft), "text/csv; charset=utf-8")
        if found := _DRAFT_PAGE.match(path):
            first = int(found[1] or 0)
            rows = "".join(
                f'<li><a href="/internal/drafts/{at}">Draft {at}</a> '
                f'<a href="/internal/files/draft-{at}.csv">CSV</a></li>'
                for at in range(first, min(first + 5, 100))
            )
            return answer(f"<html><body><ul>{rows}</ul></body></html>".encode(), HTML)
        return None

    def _static(self, path: str) -> Answer | None:
        if path == "/static/site.css":
            return answer(_STYLE.encode(), "text/css; charset=utf-8")
        if path == "/static/logo.svg":
            return answer(_LOGO.encode(), "image/svg+xml")
        found = _IMAGE.match(path)
        return answer(_png(int(found[1])), "image/png") if found else None

    def _sitemap(self) -> bytes:
        """Entry pages only: a sitemap of everything would be as large as the site."""
        plan = self.addresses.plan
        pages = [Page(Kind.HOME, lang) for lang in Lang]
        pages += [Page(Kind.TOPIC, lang, at) for lang in Lang for at in range(plan.topics)]
        pages += [Page(Kind.LIST, lang, section=each) for lang in Lang for each in plan.items]
        urls = "".join(
            f"<url><loc>{self.base}{self.addresses.path(page)}</loc></url>" for page in pages
        )
        space = "http://www.sitemaps.org/schemas/sitemap/0.9"
        head = '<?xml version="1.0" encoding="UTF-8"?>'
        return f'{head}\n<urlset xmlns="{space}">{urls}</urlset>\n'.encode()


def _png(number: int) -> bytes:
    """A one-coloured picture of 16 by 16 points."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        )

    row = b"\x00" + bytes((number * 2, 120, 200 - number)) * 16
    header = struct.pack(">IIBBBBB", 16, 16, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(row * 16)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body
