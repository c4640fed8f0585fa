"""Parts of a site that never end: each page leads to more of its kind, and one to a file."""

import secrets
from datetime import UTC, datetime
from urllib.parse import parse_qs, urlsplit

from tests.web.bare_server import Exchange, Handler

CALENDAR_RUN = 30
COMBINATIONS = 5
URL_LENGTH = 300
"""What the site file says; a trap of one parameter is let go ten times as far."""

TODAY = datetime.now(UTC).date()


def calendar(x: Exchange) -> None:
    """Months for ever, into the past and into the future; one of them has a file."""
    _, _, year, month = x.seen.path.split("/")
    count = int(year) * 12 + int(month) - 1
    links = [_month(count - 1), _month(count + 1)]
    if count == TODAY.year * 12 + TODAY.month - 4:
        links.append("/calendar/report.csv")
    x.page(*links)


def _month(count: int) -> str:
    return f"/calendar/{count // 12:04}/{count % 12 + 1:02}"


def maze(x: Exchange) -> None:
    """/maze/left/right/left/right/ and so on."""
    turn = "right/" if x.seen.path.endswith("left/") else "left/"
    x.page(x.seen.path + turn, "/maze/exit.csv")


def growing(x: Exchange) -> None:
    """Every page is below the last one, under a new name."""
    x.page(f"{x.seen.path}{secrets.token_hex(16)}/", "/growing/end.csv")


def session(x: Exchange) -> None:
    """Every visit gets a session of its own, and every link carries it."""
    number = secrets.token_hex(16)
    x.page(
        f"/session/?PHPSESSID={number}",
        f"/session/other;jsessionid={number}",
        f"/session/data.csv?PHPSESSID={number}",
    )


def visits(x: Exchange) -> None:
    """A counter in one parameter."""
    number = int(_query(x).get("visit", ["0"])[0])
    x.page(f"/visits?visit={number + 1}", "/visits/data.csv")


def combinations(x: Exchange) -> None:
    """A table that can be sorted and cut in any way."""
    row, column = (int(_query(x).get(name, ["0"])[0]) for name in ("row", "column"))
    neighbours = ((row + 1, column), (row, column + 1), (row + 1, column + 1))
    x.page(*(f"/table?row={r}&column={c}" for r, c in neighbours), "/table/data.csv")


def _query(x: Exchange) -> dict[str, list[str]]:
    return parse_qs(urlsplit(x.seen.path).query)


PATTERNS: list[tuple[str, Handler]] = [
    (r"/calendar/\d+/\d+", calendar),
    (r"/maze/(left/|right/)*", maze),
    (r"/growing/([0-9a-f]+/)*", growing),
    (r"/session/|/session/other;jsessionid=\w+", session),
    (r"/visits", visits),
    (r"/table", combinations),
]
ENTRANCES = (
    _month(TODAY.year * 12 + TODAY.month - 1),
    "/maze/",
    "/growing/",
    "/session/",
    "/visits",
    "/table",
)
TARGETS = (
    "/calendar/report.csv",
    "/maze/exit.csv",
    "/growing/end.csv",
    "/session/data.csv",
    "/visits/data.csv",
    "/table/data.csv",
)
MAX_REQUESTS = {
    # The file among the months starts the count anew once, the one of the table and so on too.
    "/calendar/": 2 * CALENDAR_RUN + 3,
    "/maze/": 10,
    "/growing/": 12,
    "/session/": 4,
    "/visits": 2 * 10 * COMBINATIONS + 2,
    "/table": 2 * COMBINATIONS + 2,
}
"""How many GETs each trap may cost at most."""
REASONS = {"calendar_trap", "repeating_path", "url_too_long", "parameter_trap"}
"""What the ends of the traps are counted under."""
