"""From the text of a question to its groups: words, "phrases", OR, minus, `name:value`.

Words that say nothing of the subject are left out, others are widened by their stems and by what
the thesaurus calls them; a year is also found in the periods that a table covers.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from crawler.catalog.search.covered import MAX_YEAR, MIN_YEAR
from crawler.catalog.search.question import Group, Token, Way
from crawler.catalog.search.stemming import stems
from crawler.catalog.search.stop_words import SOFT_WORDS, STOP_WORDS
from crawler.catalog.search.thesaurus import Thesaurus, ThesaurusTerm
from crawler.catalog.search.tokens import pair_token, word_token, year_token
from crawler.catalog.search.words import MAX_WORDS, joined, words_in_order
from crawler.readers.periods import MONTH_NAMES

SYNONYM = 0.8
PERIOD = 0.9
PREFIX = 0.7
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"'})
_ITEM = re.compile(r'(-)?(?:([^\W\d_]+):)?(?:"([^"]*)"?|([^\s"]+))')
_YEAR_PART = re.compile(r"(\d{4})(?:[-/]?[qtms]?(?:0?[1-9]|1[0-2])|[qtsh][1-4]|m\d\d)", re.I)
_OR = frozenset({"OR", "|", "||"})


@dataclass(frozen=True, slots=True)
class NamedValue:
    """A filter that stands among the words: `language:fr`."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Parsed:
    """A question taken apart."""

    groups: tuple[Group, ...] = ()
    soft: tuple[Group, ...] = ()
    excluded: tuple[Group, ...] = ()
    named: tuple[NamedValue, ...] = ()
    empty: bool = False
    """Whether there was text, but no letter or digit to look for."""


@dataclass(frozen=True, slots=True)
class _Item:
    words: tuple[str, ...]
    phrase: bool = False
    begins: bool = False
    """Whether a `*` says that a word may go on."""


def parse(text: str, names: frozenset[str], thesaurus: Thesaurus) -> Parsed:
    """The groups of a question; `names` are those that a filter may have."""
    alternatives: list[list[_Item]] = []
    excluded: list[_Item] = []
    named: list[NamedValue] = []
    joins = False
    for minus, name, item in _items(text):
        if isinstance(item, NamedValue):
            if name in names:
                named.append(NamedValue(name, item.value))
                continue
            item = _Item(tuple(words_in_order(f"{name} {item.value}")))
        if item is None:
            joins = bool(alternatives)
        elif minus:
            excluded.append(item)
        elif joins:
            alternatives[-1].append(item)
            joins = False
        else:
            alternatives.append([item])
    plain: list[str] = []
    groups: list[Group] = []
    for items in alternatives:
        if len(items) == 1 and not items[0].phrase and not items[0].begins:
            plain += [word for word in items[0].words if word not in plain]
        else:
            text_of = " OR ".join(" ".join(item.words) for item in items)
            ways = tuple(way for item in items for way in _ways_of_item(item, thesaurus))
            groups.append(Group(text_of, ways))
    needed, soft = _by_weight(plain, bool(groups))
    groups += _groups_of(needed, thesaurus)
    return Parsed(
        groups=tuple(groups[:MAX_WORDS]),
        soft=tuple(_groups_of(soft, thesaurus)),
        excluded=tuple(Group(" ".join(item.words), _exact_ways(item)) for item in excluded),
        named=tuple(named),
        empty=bool(text.strip()) and not (groups or excluded or named),
    )


def word_group(word: str, thesaurus: Thesaurus) -> Group:
    """The group of one word, as if it had been asked for."""
    return next(iter(_groups_of([word], thesaurus)))


def prefix_group(word: str) -> Group:
    """The group of all words that begin so."""
    return Group(word, (Way(((Token(word_token(word), tiered=False, prefix=True),),), PREFIX),))


def _items(text: str) -> Iterator[tuple[bool, str, _Item | NamedValue | None]]:
    """What stands between blanks and in quotes; None is an OR."""
    for minus, name, phrase, word in _ITEM.findall(text.translate(_QUOTES)):
        if word in _OR and not minus and not name:
            yield False, "", None
        elif name:
            yield False, name.lower(), NamedValue(name.lower(), phrase or word)
        elif phrase:
            if words := tuple(words_in_order(phrase)):
                yield bool(minus), "", _Item(words, phrase=True)
        elif match := _YEAR_PART.fullmatch(word):
            yield bool(minus), "", _Item((match[1],))
        elif words := tuple(words_in_order(word)):
            yield bool(minus), "", _Item(words, begins=word.endswith("*"))


def _by_weight(words: Sequence[str], others: bool) -> tuple[list[str], list[str]]:
    """The words that must be there, and those that need not."""
    has_year = any(map(_is_year, words))
    telling = [word for word in words if word not in STOP_WORDS]
    soft = [word for word in telling if word in SOFT_WORDS or (has_year and word in MONTH_NAMES)]
    needed = [word for word in telling if word not in soft]
    if needed or others:
        return needed, soft
    return telling or list(words), []


def _groups_of(words: Sequence[str], thesaurus: Thesaurus) -> Iterator[Group]:
    place = 0
    while place < len(words):
        length, others = thesaurus.others(words[place:])
        taken = words[place : place + max(1, length)]
        ways = [_way(taken), *_year_ways(taken), *(_synonym(term) for term in others)]
        yield Group(" ".join(taken), tuple(ways))
        place += len(taken)


def _ways_of_item(item: _Item, thesaurus: Thesaurus) -> Iterator[Way]:
    if item.phrase or item.begins:
        yield from _exact_ways(item)
        return
    yield _way(item.words)
    yield from _year_ways(item.words)
    length, others = thesaurus.others(item.words)
    if length == len(item.words):
        yield from map(_synonym, others)


def _exact_ways(item: _Item) -> tuple[Way, ...]:
    """As it is written: the words of a phrase, beside each other and in their order."""
    if item.begins:
        parts = [(Token(word_token(word), tiered=False),) for word in item.words[:-1]]
        last = Token(word_token(item.words[-1]), tiered=False, prefix=True)
        return (Way((*parts, (last,))),)
    if not item.phrase:
        return (_way(item.words),)
    if len(item.words) == 1:
        return (Way(((Token(word_token(item.words[0]), tiered=False),),)),)
    pairs = (joined(*pair) for pair in pairwise(item.words))
    return (Way(tuple((Token(pair_token(pair), tiered=False),) for pair in pairs)),)


def _way(words: Sequence[str]) -> Way:
    return Way(tuple(tuple(map(Token, stems(word))) for word in words))


def _synonym(term: ThesaurusTerm) -> Way:
    return Way(tuple(tuple(map(Token, part)) for part in term.stems), SYNONYM)


def _year_ways(words: Sequence[str]) -> Iterator[Way]:
    if len(words) == 1 and _is_year(words[0]):
        yield Way(((Token(year_token(int(words[0])), tiered=False),),), PERIOD)


def _is_year(word: str) -> bool:
    return len(word) == 4 and word.isdecimal() and MIN_YEAR <= int(word) <= MAX_YEAR
