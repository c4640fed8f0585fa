"""A site with endless parts of many kinds, through which alone some of its files are reached."""

from crawler.pages.calendar_dates import date_in
from tests.engine.scripted_site import Answer, ScriptedSite, file, page

MENU = tuple(f"/about/{name}" for name in ("us", "you", "press", "jobs", "law", "help", "map"))
TOPICS = [f"/topics/{number}-figures" for number in range(60)]
FACETS = {
    "topic": [f"t{number}" for number in range(12)],
    "year": [str(year) for year in range(2007, 2022)],
    "sort": ["asc", "desc"],
}
LISTED = [f"/tables/{number}" for number in range(30)]
ARTICLES = 80
NEAR = {
    "/events/2026/03/17/": "births",
    "/events/2025/08/02/": "deaths",
    "/agenda?month=2026-04": "wages",
    "/agenda?month=2025-11": "prices",
    "/browse?topic=t7": "trade",
    "/tables?sort=desc": "rents",
    "/index.php?view=article&id=37": "crime",
    "/index.php?view=article&id=74": "roads",
}
"""Where a file is that no other page leads to."""
FAR = {"/events/2022/10/11/": "floods", "/browse?topic=t3&year=2011": "fires"}
"""The same behind years of empty months, or where two certain facets meet."""


class EndlessAnswers(dict[str, Answer]):
    """What every path answers, as long as anybody asks."""

    def get(self, path: str, default: object = None) -> Answer | None:  # type: ignore[override]
        """The answer; None for what is not there."""
        bare, _, query = path.partition("?")
        if path.endswith(".csv"):
            return file(f"table,figure\n{path},1\n")
        shown = _links(bare, query)
        if shown is None:
            return None
        hidden = (NEAR | FAR).get(path)
        release = [f"/releases/{hidden}-this-year"] if hidden else []
        return page(*MENU, *shown, *release)


def endless_site() -> ScriptedSite:
    """The site; its log says what was asked."""
    return ScriptedSite(EndlessAnswers())


def targets(hidden: dict[str, str]) -> int:
    """Files of the ordinary pages, and those that are hidden."""
    return len(TOPICS) // 3 + len(hidden)


def _links(path: str, query: str) -> list[str] | None:
    chosen = dict(part.partition("=")[::2] for part in query.split("&") if part)
    if path in MENU or path in LISTED:
        return []
    if path == "/":
        start = ["/events/2026/05/", "/agenda?month=2026-05", "/browse", "/tables"]
        return [*start, "/index.php?view=article&id=1", *TOPICS]
    if path.startswith("/releases/"):
        return [f"/files/{path.rpartition('/')[2]}.csv"]
    if path in TOPICS:
        return _topic(path)
    if path == "/tables":
        shown = LISTED[:10] if chosen.get("sort") != "desc" else LISTED[-10:]
        return [*shown, "/tables?sort=asc", "/tables?sort=desc", "/tables?view=print"]
    if path == "/browse":
        return _facets(chosen)
    if path == "/index.php":
        number = int(chosen["id"])
        return [f"/index.php?view=article&id={number + 1}"] if number < ARTICLES else []
    return _calendar(path, query)


def _topic(path: str) -> list[str]:
    """Twins of every kind, and a file on every third page."""
    number = int(path.partition("-")[0].rpartition("/")[2])
    twins = ["print=1", "view=print", "sort=asc", "sort=desc", f"sid={number * 7919 % 1000:x}"]
    files = [f"/files/topic-{number}.csv"] if number % 3 == 0 else []
    return [*(f"{path}?{twin}" for twin in twins), *files]


def _facets(chosen: dict[str, str]) -> list[str]:
    links = []
    for name, values in FACETS.items():
        for value in values:
            asked = chosen | {name: value}
            query = "&".join(f"{one}={asked[one]}" for one in FACETS if one in asked)
            links.append(f"/browse?{query}")
    return [*links, *TOPICS[: len(chosen) + 3]]


def _calendar(path: str, query: str) -> list[str] | None:
    """A month leads to those around it, and to its days where there is something."""
    if date_in(path, query) is None:
        return None
    if path == "/agenda":
        year, month = map(int, query.partition("=")[2].split("-"))
        return [f"/agenda?month={one[0]}-{one[1]:02d}" for one in _around(year, month)]
    year, month, *day = (int(part) for part in path.split("/")[2:-1])
    if day:
        return [f"/events/{year}/{month:02d}/"]
    days = [one for one in NEAR | FAR if one.startswith(path) and one != path]
    return [*(f"/events/{one[0]}/{one[1]:02d}/" for one in _around(year, month)), *days]


def _around(year: int, month: int) -> list[tuple[int, int]]:
    return [(year - (month == 1), (month - 2) % 12 + 1), (year + (month == 12), month % 12 + 1)]
