"""What robots.txt says to us (RFC 9309); fetching the file is crawler.web's part."""

import math
import re
from collections.abc import Iterable

from crawler.pages.robots_rule_table import PathRule, RuleTable

MAX_BYTES = 500 * 1024
_MAX_DELAY = 3600.0
_MAX_SITEMAPS = 10_000

_DISALLOW = frozenset({"disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"})
_AGENT = frozenset({"user-agent", "useragent", "user agent"})
_SITEMAP = frozenset({"sitemap", "sitemaps", "site-map"})
_DELAY = frozenset({"crawl-delay", "crawl delay"})
_OTHER = frozenset({"allow", "host", "request-rate", "request rate", "visit-time", "visit time"})
_FIELDS = _DISALLOW | _AGENT | _SITEMAP | _DELAY | _OTHER
"""The fields that are known, with the misspellings that the big engines forgive."""

_TOKEN = re.compile(r"[a-z0-9_-]+")
_COMPATIBLE = re.compile(r"\(compatible;\s*([a-z0-9_-]+)")
_ROBOTS_TXT = re.compile(r"[a-z]+://[^/?#]*/robots\.txt(?:[?#]|\Z)", re.IGNORECASE)


class RobotsRules:
    """The rules of one robots.txt that concern one user agent."""

    __slots__ = ("_forbid", "_table", "crawl_delay", "sitemaps")

    def __init__(
        self,
        rules: Iterable[PathRule] = (),
        *,
        forbid: bool = False,
        crawl_delay: float | None = None,
        sitemaps: Iterable[str] = (),
    ) -> None:
        self._table = RuleTable(rules)
        self._forbid = forbid
        self.crawl_delay = crawl_delay
        """Seconds between two requests that the site asks for; never more than an hour."""
        self.sitemaps = list(sitemaps)

    @classmethod
    def from_text(cls, text: bytes | str, agent: str) -> "RobotsRules":
        """Read a robots.txt for a product token, or for the User-Agent that carries it."""
        raw = text.encode("utf-8", "replace") if isinstance(text, str) else text
        decoded = raw[:MAX_BYTES].decode("utf-8", "replace").removeprefix("\ufeff")
        lines, sitemaps = _concerning(decoded, product_token(agent))
        rules = [
            PathRule(field == "allow", value)
            for field, value in lines
            if value and (field == "allow" or field in _DISALLOW)
        ]
        return cls(rules, crawl_delay=_crawl_delay(lines), sitemaps=sitemaps)

    def allows(self, url: str) -> bool:
        """Whether the URL may be requested; /robots.txt itself always may."""
        if self._forbid:
            return _ROBOTS_TXT.match(url) is not None
        if not self._table:
            return True
        try:
            return self._table.allows(url) or _ROBOTS_TXT.match(url) is not None
        except ValueError:
            return False


def product_token(agent: str) -> str:
    """The name that robots.txt calls us by, in lower case: `Tallyho/1.0 (+…)` is `tallyho`.

    RFC 9309, section 2.2.1; an agent without a name of its own is ours.
    """
    agent = agent.strip().lower()
    match = _COMPATIBLE.search(agent) if agent.startswith("mozilla/") else None
    if match is not None:
        return match[1]
    match = _TOKEN.match(agent)
    return match[0] if match is not None else "tallyho"


def _crawl_delay(lines: list[tuple[str, str]]) -> float | None:
    delay = None
    for field, value in lines:
        if field in _DELAY:
            try:
                seconds = float(value)
            except ValueError:
                continue
            if math.isfinite(seconds) and seconds >= 0:
                delay = min(seconds, _MAX_DELAY)
    return delay


def _concerning(text: str, token: str) -> tuple[list[tuple[str, str]], list[str]]:
    """The lines of the groups that name us, else of the groups for all; and the sitemaps."""
    ours: list[tuple[str, str]] = []
    anyone: list[tuple[str, str]] = []
    sitemaps: list[str] = []
    named = False
    agents: set[str] = set()
    heading = False
    for raw_line in text.splitlines():
        line = raw_line.partition("#")[0].strip()
        directive = _directive(line) if line else None
        if directive is None:
            continue
        field, value = directive
        if field in _AGENT:
            if not heading:
                agents = set()
            heading = True
            agents.add(_addressed(value))
            named = named or token in agents
        elif field in _SITEMAP:
            if value and len(sitemaps) < _MAX_SITEMAPS:
                sitemaps.append(value)
        elif field != "host":
            heading = False
            if token in agents:
                ours.append(directive)
            if "*" in agents:
                anyone.append(directive)
    return (ours if named else anyone), sitemaps


def _directive(line: str) -> tuple[str, str] | None:
    """Field and value of a line; `Disallow /a` without its colon is forgiven."""
    field, colon, value = line.partition(":")
    field = field.strip().lower()
    if colon and (field in _FIELDS or not value or value[0].isspace()):
        return field, value.strip()
    words = line.split(None, 2)
    for count in (1, 2):
        candidate = " ".join(words[:count]).lower()
        if candidate in _FIELDS:
            return candidate, " ".join(" ".join(words[count:]).split())
    return (field, value.strip()) if colon else None


def _addressed(value: str) -> str:
    value = value.strip().lower()
    if value == "*":
        return value
    match = _TOKEN.match(value)
    # "?" is no token, so that a malformed name addresses nobody.
    return match[0] if match is not None else "?"


ALLOW_ALL = RobotsRules()
FORBID_ALL = RobotsRules(forbid=True)
