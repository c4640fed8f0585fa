"""The rules of one robots.txt group, compiled once and matched in linear time (RFC 9309).

A server chooses its robots.txt, and every link of every page is compared with it: matching must
stay cheap for any file. Plain rules cost one lookup per distinct length, whatever their number;
the number of rules with a `*` is limited.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

MAX_WILDCARD_RULES = 2000
"""Of more rules with a `*`, those that come later are read strictly: an Allow is dropped, and a
Disallow forbids everything that starts with its text before the `*`."""

MAX_QUICK_STARTS = 200

_PLAIN_PATH = re.compile(r"/(?!/)[A-Za-z0-9_.~/=-]*")
"""Paths that are spelt in one way only."""
_ESCAPE = re.compile(rb"%([0-9A-Fa-f]{2})")
_URL_KEPT = frozenset({b"2F", b"25"})
_PATTERN_KEPT = _URL_KEPT | {b"2A"}
_INDEX_PAGE = "index.html"


@dataclass(frozen=True, slots=True)
class PathRule:
    """One Allow or Disallow line."""

    allow: bool
    pattern: str


@dataclass(frozen=True, slots=True)
class _Wildcard:
    """A rule with a `*`: the pieces between its stars must follow one another in the path."""

    priority: int
    allow: bool
    pieces: tuple[str, ...]
    anchored: bool
    """It ends with `$`: the last piece is the end of the path."""
    literal: str
    """The longest piece: a path without it cannot match."""

    def matches(self, path: str) -> bool:
        first, *middle = self.pieces[:-1]
        if not path.startswith(first):
            return False
        position = len(first)
        for piece in middle:
            index = path.find(piece, position)
            if index < 0:
                return False
            position = index + len(piece)
        last = self.pieces[-1]
        if self.anchored:
            return len(path) - len(last) >= position and path.endswith(last)
        return path.find(last, position) >= 0


class RuleTable:
    """Whether a path may be fetched: the longest rule that matches wins, Allow on a tie."""

    __slots__ = ("_exact", "_lengths", "_plain", "_starts", "_wildcards")

    def __init__(self, rules: Iterable[PathRule]) -> None:
        self._plain: dict[str, bool] = {}
        self._exact: dict[str, bool] = {}
        self._wildcards: list[_Wildcard] = []
        wildcards: dict[tuple[str, bool], None] = {}
        for pattern, allow in _normalised(rules):
            if "*" in pattern:
                self._admit_wildcard(wildcards, pattern, allow=allow)
            elif pattern.endswith("$"):
                _merge(self._exact, pattern[:-1], allow=allow)
            else:
                _merge(self._plain, pattern, allow=allow)
        self._wildcards = [_wildcard(pattern, allow=allow) for pattern, allow in wildcards]
        self._wildcards.sort(key=lambda rule: (rule.priority, rule.allow), reverse=True)
        self._lengths = tuple(sorted({len(pattern) for pattern in self._plain}, reverse=True))
        self._starts = self._quick_starts()

    def _admit_wildcard(
        self, wildcards: dict[tuple[str, bool], None], pattern: str, *, allow: bool
    ) -> None:
        if len(wildcards) < MAX_WILDCARD_RULES:
            wildcards[pattern, allow] = None
        elif not allow:
            _merge(self._plain, pattern.partition("*")[0], allow=False)

    def _quick_starts(self) -> tuple[str, ...]:
        """What a path must start with to be touched by a rule; ("",) when no such list is short."""
        starts = {*self._plain, *self._exact, *(rule.pieces[0] for rule in self._wildcards)}
        return tuple(starts) if len(starts) <= MAX_QUICK_STARTS else ("",)

    def __bool__(self) -> bool:
        return bool(self._plain or self._exact or self._wildcards)

    def allows(self, url: str) -> bool:
        """Whether the rules allow a URL. Raises ValueError for what is no URL."""
        path = url[url.find("/", url.find("//") + 2) :]
        if _PLAIN_PATH.fullmatch(path) is None:
            path = _path_of(url)
        # Nearly every URL starts like none of the rules, and need not be compared with them.
        if not path.startswith(self._starts):
            return True
        return self._decide(path)

    def _decide(self, path: str) -> bool:
        priority, allowed = -1, True
        for length in self._lengths:
            if length <= len(path):
                verdict = self._plain.get(path[:length])
                if verdict is not None:
                    priority, allowed = length, verdict
                    break
        exact = self._exact.get(path)
        if exact is not None:
            priority, allowed = len(path) + 1, exact
        for rule in self._wildcards:
            if rule.priority < priority:
                break
            if rule.literal in path and rule.matches(path):
                return rule.allow or (allowed and rule.priority == priority)
        return allowed


def _merge(rules: dict[str, bool], pattern: str, *, allow: bool) -> None:
    rules[pattern] = allow or rules.get(pattern, False)


def _normalised(rules: Iterable[PathRule]) -> Iterable[tuple[str, bool]]:
    for rule in rules:
        pattern = _spelt_pattern(rule.pattern)
        if not pattern:
            continue
        if "$" in rule.pattern:
            # A dollar sign may be meant as itself.
            yield _spelt_pattern(rule.pattern.replace("$", "%24")), rule.allow
        yield pattern, rule.allow
        if rule.allow and pattern.endswith(f"/{_INDEX_PAGE}"):
            yield pattern.removesuffix(_INDEX_PAGE) + "$", True


def _wildcard(pattern: str, *, allow: bool) -> _Wildcard:
    anchored = pattern.endswith("$")
    pieces = tuple(re.sub(r"\*+", "*", pattern.removesuffix("$")).split("*"))
    return _Wildcard(len(pattern), allow, pieces, anchored, max(pieces, key=len))


def _path_of(url: str) -> str:
    """Path and query of a URL in the one spelling that rules are compared in."""
    url = url.partition("#")[0]
    parts = urlsplit(url)
    path = parts.path
    if "?" in url:
        path += f"?{parts.query}"
    path = _spelt(path, _URL_KEPT, safe="/%=")
    return path if path.startswith("/") else f"/{path}"


def _spelt_pattern(pattern: str) -> str:
    if pattern.startswith(("https://", "http://")):
        pattern = f"/{pattern}"
    anchor = "$" if pattern.endswith("$") else ""
    return _spelt(pattern.removesuffix("$"), _PATTERN_KEPT, safe="/%=*") + anchor


def _spelt(text: str, kept: frozenset[bytes], *, safe: str) -> str:
    """Escapes undone where they are not needed, and set where they are."""

    def decoded(match: re.Match[bytes]) -> bytes:
        digits = match[1].upper()
        return b"%" + digits if digits in kept else bytes.fromhex(digits.decode("ascii"))

    return quote(_ESCAPE.sub(decoded, text.encode("utf-8", "surrogatepass")), safe=safe)
