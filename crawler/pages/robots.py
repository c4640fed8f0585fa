"""What robots.txt says to us (RFC 9309), over protego; fetching the file is crawler.web's part."""

import re

from protego import Protego

_READ_BYTES = 500 * 1024
_LONGEST_DELAY = 3600.0

_AGENT_LINE = re.compile(r"user[- ]?agent\s*(?::|\s)\s*(.*)", re.IGNORECASE)
_SITE_WIDE_LINE = re.compile(r"(?:site-?maps?|host)\s*(?::|\s)", re.IGNORECASE)
_TOKEN = re.compile(r"[a-z0-9_-]+")
_VALUE = re.compile(r"[^:\s]*\s*(?::|\s)\s*|[^:\s]*\Z")
_PLAIN = re.compile(r"/[A-Za-z0-9_.~/?=&-]*")
"""Paths that are spelt in one way only."""
_COMPATIBLE = re.compile(r"\(compatible;\s*([a-z0-9_-]+)")
_ROBOTS_TXT = re.compile(r"[a-z]+://[^/?#]*/robots\.txt(?:[?#]|\Z)", re.IGNORECASE)


class RobotsRules:
    """The rules of one robots.txt that concern one user agent."""

    __slots__ = ("_forbid", "_protego", "_starts", "crawl_delay", "sitemaps")

    def __init__(
        self,
        protego: Protego | None = None,
        *,
        forbid: bool = False,
        crawl_delay: float | None = None,
        sitemaps: tuple[str, ...] = (),
        starts: tuple[str, ...] = ("",),
    ) -> None:
        self._protego = protego
        # Nearly every URL begins like none of the rules, and need not be compared with them.
        self._starts = starts
        self._forbid = forbid
        self.crawl_delay = crawl_delay
        """Seconds between two requests that the site asks for; never more than an hour."""
        self.sitemaps = list(sitemaps)

    @classmethod
    def from_text(cls, text: bytes | str, agent: str) -> "RobotsRules":
        """Read a robots.txt for a product token, or for the User-Agent that carries it."""
        raw = text.encode("utf-8", "replace") if isinstance(text, str) else text
        decoded = raw[:_READ_BYTES].decode("utf-8", "replace").removeprefix("\ufeff")
        rules, site_wide = _concerning(decoded, product_token(agent))
        protego = Protego.parse("\n".join(["User-agent: *", *rules, *site_wide]))
        delay = protego.crawl_delay("*")
        return cls(
            protego if rules else None,
            crawl_delay=None if delay is None else min(delay, _LONGEST_DELAY),
            sitemaps=tuple(protego.sitemaps),
            starts=_plain_starts(rules),
        )

    def allows(self, url: str) -> bool:
        """Whether the URL may be requested; /robots.txt itself always may."""
        if self._forbid:
            return _ROBOTS_TXT.match(url) is not None
        if self._protego is None:
            return True
        path = url[url.find("/", url.find("//") + 2) :]
        if _PLAIN.fullmatch(path) and not path.startswith(self._starts):
            return True
        try:
            return self._protego.can_fetch(url, "*")
        except ValueError:
            return False


def _plain_starts(rules: list[str]) -> tuple[str, ...]:
    """What a URL must begin with to be touched by a rule; ("",) when that cannot be told."""
    starts = []
    for line in rules:
        value = _VALUE.sub("", line.partition("#")[0].strip(), count=1)
        start = re.split(r"[*$]", value, maxsplit=1)[0]
        if not value or value.replace(".", "", 1).isdigit():
            continue  # nothing is forbidden, or a Crawl-delay
        if not start.startswith("/") or not _PLAIN.fullmatch(start):
            return ("",)
        starts.append(start)
    return tuple(starts)


def product_token(agent: str) -> str:
    """The name that robots.txt calls us by, in lower case: `Tallyho/1.0 (+…)` is `tallyho`."""
    agent = agent.strip().lower()
    match = _COMPATIBLE.search(agent) if agent.startswith("mozilla/") else None
    if match is not None:
        return match[1]
    match = _TOKEN.match(agent)
    return match[0] if match is not None else ""


def _concerning(text: str, token: str) -> tuple[list[str], list[str]]:
    """The rules of the groups that name us, else of the groups for all; and the site-wide lines.

    protego also takes a group for `tally` as one for `tallyho`; RFC 9309 wants the whole token.
    """
    ours: list[str] = []
    anyone: list[str] = []
    site_wide: list[str] = []
    named = False
    agents: set[str] = set()
    heading = False
    for raw_line in text.splitlines():
        line = raw_line.partition("#")[0].strip()
        if not line:
            continue
        agent_line = _AGENT_LINE.match(line)
        if agent_line is not None:
            if not heading:
                agents = set()
            heading = True
            agents.add(_addressed(agent_line[1]))
            named = named or token in agents
        elif _SITE_WIDE_LINE.match(line):
            site_wide.append(raw_line)
        else:
            heading = False
            if token in agents:
                ours.append(raw_line)
            if "*" in agents:
                anyone.append(raw_line)
    return (ours if named else anyone), site_wide


def _addressed(value: str) -> str:
    value = value.strip().lower()
    if value == "*":
        return value
    match = _TOKEN.match(value)
    # "?" is no token, so that a malformed name addresses nobody.
    return match[0] if match is not None else "?"


ALLOW_ALL = RobotsRules()
FORBID_ALL = RobotsRules(forbid=True)
