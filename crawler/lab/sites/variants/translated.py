"""Several languages: every page in five, linked by hreflang, a few with files of their own."""

import re
from collections.abc import Iterator

from crawler.lab.sites.answer import HTML, Answer, answer
from crawler.lab.sites.variants.variant import PDF, Variant, with_links

_LANGUAGES = ("de", "es", "pt", "so")
_PATH = re.compile(rf"/({'|'.join(_LANGUAGES)})(/.*)")
_OWN = re.compile(r"/documents/([0-9a-f]{16})\.pdf")
_HREF = re.compile(rb'(<a[^>]* href=")(/(?!files/|download/)[^"]*)')
_ONE_IN = 25
"""Translations that have a file of their own."""


class Translated(Variant):
    """The same pages and files in every language; one translation in 25 has a file of its own."""

    def written(self, path: str, html: bytes) -> bytes:
        """The page with the links to its translations."""
        others = [(f"/{code}{path}", code) for code in _LANGUAGES]
        heads = "".join(
            f'<link rel="alternate" hreflang="{code}" href="{href}">' for href, code in others
        )
        html = html.replace(b"</head>", heads.encode() + b"</head>", 1)
        return with_links(html, "languages", [*others, (path, "en")])

    def added(self, path: str) -> Answer | None:
        """A translation, or the file of one."""
        if _OWN.fullmatch(path):
            return answer(PDF, "application/pdf")
        match = _PATH.fullmatch(path)
        if match is None:
            return None
        below = self.site.respond(self.base + match[2])
        if below.status != 200 or not below.headers["Content-Type"].startswith("text/html"):
            return Answer(404, {"Content-Type": HTML}, b"")
        html = _HREF.sub(rb"\1/" + match[1].encode() + rb"\2", below.body)
        if self._has_own(match[1], match[2]):
            html = with_links(html, "documents", [(self._own(match[1], match[2]), "PDF")])
        return answer(self.written(match[2], html), HTML)

    def added_targets(self) -> Iterator[str]:
        """The files of translations."""
        for path in self.site.page_paths():
            for code in _LANGUAGES:
                if self._has_own(code, path):
                    yield self._own(code, path)

    def _has_own(self, code: str, path: str) -> bool:
        return self.chance.below(_ONE_IN, "own", code, path) == 0

    def _own(self, code: str, path: str) -> str:
        return f"/documents/{self.chance.number('document', code, path):016x}.pdf"
