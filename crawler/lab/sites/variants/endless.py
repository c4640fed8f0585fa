"""Endless parts: a calendar, facets, and a print version of every page."""

import re

from crawler.lab.sites.answer import HTML, Answer, answer
from crawler.lab.sites.variants.variant import Variant, page, with_links

_MONTH = re.compile(r"/events/([12][0-9]{3})/(0[1-9]|1[0-2])/")
_DAY = re.compile(r"/events/([12][0-9]{3})/(0[1-9]|1[0-2])/([0-2][0-9]|3[01])/")
_BROWSE = re.compile(r"/browse(?:\?((?:topic|sort|view|year)=[a-z0-9]{1,20}(?:&|\Z))*)?")
_PRINTED = re.compile(r"[?&]print=1\Z")
_FACETS = {
    "topic": [f"t{number}" for number in range(12)],
    "sort": ["asc", "desc", "name"],
    "view": ["list", "grid"],
    "year": [str(year) for year in range(2005, 2025)],
}
_LISTED = 10


class Endless(Variant):
    """The pages of the site below are all there; the endless parts lead back to them alone."""

    def written(self, path: str, html: bytes) -> bytes:
        """The page with links to its print version, the calendar and the facets."""
        separator = "&" if "?" in path else "?"
        links = [
            (f"{path}{separator}print=1", "Print"),
            ("/events/2025/12/", "Events"),
            ("/browse", "Browse"),
        ]
        return with_links(html, "tools", links)

    def added(self, path: str) -> Answer | None:
        """A page of an endless part."""
        if month := _MONTH.fullmatch(path):
            return self._month(int(month[1]), int(month[2]))
        if day := _DAY.fullmatch(path):
            month_path = f"/events/{day[1]}/{day[2]}/"
            around = [f"{month_path}{number:02d}/" for number in _around(int(day[3]))]
            return page("No events", [(month_path, "Month"), *((one, one) for one in around)])
        if _BROWSE.fullmatch(path):
            return self._browse(path)
        if _PRINTED.search(path):
            bare = _PRINTED.sub("", path)
            below = self.site.respond(self.base + bare)
            if below.status == 200 and below.headers["Content-Type"].startswith("text/html"):
                return answer(self.written(bare, below.body), HTML)
        return None

    def _month(self, year: int, month: int) -> Answer:
        before = f"/events/{year - (month == 1)}/{(month - 2) % 12 + 1:02d}/"
        after = f"/events/{year + (month == 12)}/{month % 12 + 1:02d}/"
        days = [f"/events/{year}/{month:02d}/{day:02d}/" for day in range(1, 29)]
        return page("Events", [(before, "Before"), (after, "After"), *((one, one) for one in days)])

    def _browse(self, path: str) -> Answer:
        chosen = dict(part.split("=") for part in path.partition("?")[2].split("&") if part)
        links = []
        for name, values in _FACETS.items():
            for value in values:
                asked = {**chosen, name: value}
                query = "&".join(f"{one}={asked[one]}" for one in _FACETS if one in asked)
                links.append((f"/browse?{query}", value))
        known = [found for found, _ in zip(self.site.page_paths(), range(400), strict=False)]
        stream = self.chance.stream("browse", path)
        links += [(one, one) for one in (stream.pick(known) for _ in range(_LISTED))]
        return page("Browse", links)


def _around(day: int) -> list[int]:
    return [number for number in (day - 1, day + 1) if 1 <= number <= 28]
