"""Dead links of every pattern: folders that are gone, an old address, files and single pages."""

from crawler.config.scope import ScopeConfig
from crawler.lab.sites.variants.variant import Variant, with_links
from crawler.lab.sites.words import WORDS, slug

_OLD = "http://old-office.invalid"
_FOLDERS = ("archive-2009", "v1/tables", "en-old/news")
_SUBJECTS = [slug(subject) for subject in WORDS["en"].subjects]
_SECTIONS = ("projects", "news", "bulletins", "data-archive")


class DeadLinks(Variant):
    """About six dead links on every page, of patterns that are dead always or now and then."""

    scope = ScopeConfig(hosts=("old-office.invalid",))

    def written(self, path: str, html: bytes) -> bytes:
        """The page with its dead links."""
        stream = self.chance.stream("dead", path)
        links = []
        for place in ("folder", "folder", "old", "file", "single", "query"):
            subject, number = stream.pick(_SUBJECTS), stream.number() % 400
            links.append((self._href(place, subject, number), subject))
        return with_links(html, "links", links)

    def _href(self, place: str, subject: str, number: int) -> str:
        match place:
            case "folder":
                return f"/{_FOLDERS[number % len(_FOLDERS)]}/{subject}-{number}"
            case "old":
                return f"{_OLD}/{subject}/{number}.html"
            case "file":
                return f"/files/{_SECTIONS[number % 4]}-en/{subject}-{number}-77.pdf"
            case "single":
                return f"/{_SECTIONS[number % 4]}/{subject}-{900000 + number}.html"
            case _:
                return f"/search.asp?subject={subject}&id={number}"
