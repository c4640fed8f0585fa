"""Words of the catalog, and those that are spelt much like a word that it does not have.

A word is found by what is left when one of its letters is left out, two of a long word: what two
spellings have in common is among it whichever letter is wrong, missing, too many or swapped. This
needs nothing but a table with a key, so it is the same on SQLite and PostgreSQL.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import TypeVar
from weakref import WeakKeyDictionary
from zlib import crc32

from sqlalchemy import Connection, Engine, Pool, select, text

from crawler.catalog.db.search_schema import search_spelling, search_word

MIN_LETTERS, MAX_LETTERS = 4, 24
LONG_WORD = 8
"""A word of so many letters may have two mistakes, a shorter one only one."""
_COMPARED_LETTERS = 7
"""Only the first letters make keys; the rest is compared afterwards."""
_MAX_NEW_WORDS = 5_000
_AT_ONCE = 400
_MAX_CANDIDATES = 200
_MAX_REMEMBERED = 100_000

Row = TypeVar("Row")

# What every process has seen in a database: words are never removed, so it stays true.
_seen: "WeakKeyDictionary[Pool, set[str]]" = WeakKeyDictionary()


def learn_words(connection: Connection, words: Iterable[str]) -> None:
    """Adds the words that are not known yet; in one order, and each once."""
    seen = _seen.setdefault(connection.engine.pool, set())
    fresh = sorted({word for word in words if is_spelt(word)} - seen)[:_MAX_NEW_WORDS]
    if not fresh:
        return
    known = set(_known(connection, fresh))
    if len(seen) + len(known) > _MAX_REMEMBERED:
        seen.clear()
    seen.update(known)
    new = [word for word in fresh if word not in known]
    for part in _parts(new):
        _insert(connection, "search_word (word)", [{"word": word} for word in part], "(:word)")
    keys = sorted({(key, word) for word in new for key in spelling_keys(word)})
    for rows in _parts(keys):
        values = [{"key": key, "word": word} for key, word in rows]
        _insert(connection, "search_spelling (key, word)", values, "(:key, :word)")


def forget_words(engine: Engine) -> None:
    """Looks every word up again: its table may have been made anew."""
    _seen.pop(engine.pool, None)


def is_spelt(word: str) -> bool:
    """Whether a word can be misspelt: letters only, neither a code nor a sentence."""
    return MIN_LETTERS <= len(word) <= MAX_LETTERS and word.isalpha()


def similar_words(connection: Connection, word: str, others: Iterable[str]) -> list[str]:
    """Words of the catalog and among others that differ by a mistake or two, the nearest first."""
    if not is_spelt(word):
        return []
    query = (
        select(search_spelling.c.word)
        .where(search_spelling.c.key.in_(sorted(spelling_keys(word))))
        .distinct()
        .order_by(search_spelling.c.word)
        .limit(_MAX_CANDIDATES)
    )
    candidates = set(connection.execute(query).scalars())
    candidates.update(other for other in others if _may_be(word, other))
    distances = {
        other: distance
        for other in candidates
        if other != word and (distance := mistakes(word, other)) <= _allowed(word, other)
    }
    return sorted(distances, key=lambda other: (distances[other], other[0] != word[0], other))


def words_beginning(connection: Connection, beginning: str, limit: int) -> list[str]:
    """Words of the catalog that begin with these letters."""
    word = search_word.c.word
    query = select(word).where(word >= beginning, word < f"{beginning}\uffff")
    return list(connection.execute(query.order_by(word).limit(limit)).scalars())


def spelling_keys(word: str) -> set[int]:
    """The keys that a word shares with its misspellings."""
    letters = word[:_COMPARED_LETTERS]
    left_out = 2 if len(word) >= LONG_WORD - 1 else 1
    kept = (
        "".join(combination)
        for missing in range(left_out + 1)
        for combination in combinations(letters, len(letters) - missing)
    )
    return {crc32(key.encode("utf-8", "replace")) for key in kept}


def mistakes(first: str, second: str) -> int:
    """Letters that are wrong, missing, too many or swapped with their neighbour."""
    before: list[int] = []
    previous = list(range(len(second) + 1))
    for row, letter in enumerate(first, start=1):
        current = [row]
        for column, other in enumerate(second, start=1):
            cost = min(
                previous[column] + 1,
                current[column - 1] + 1,
                previous[column - 1] + (letter != other),
            )
            if row > 1 and column > 1 and (letter, first[row - 2]) == (second[column - 2], other):
                cost = min(cost, before[column - 2] + 1)
            current.append(cost)
        before, previous = previous, current
    return previous[-1]


def _allowed(word: str, other: str) -> int:
    return 2 if max(len(word), len(other)) >= LONG_WORD else 1


def _may_be(word: str, other: str) -> bool:
    near = abs(len(word) - len(other)) <= 2 and is_spelt(other)
    return near and (word[0] == other[0] or word[-3:] == other[-3:])


def _known(connection: Connection, words: list[str]) -> Iterator[str]:
    for part in _parts(words):
        query = select(search_word.c.word).where(search_word.c.word.in_(part))
        yield from connection.execute(query).scalars()


def _insert(connection: Connection, into: str, rows: list[dict[str, object]], values: str) -> None:
    sql = text(f"INSERT INTO {into} VALUES {values} ON CONFLICT DO NOTHING")  # noqa: S608
    connection.execute(sql, rows)


def _parts(listed: list[Row]) -> Iterator[list[Row]]:
    for begin in range(0, len(listed), _AT_ONCE):
        yield listed[begin : begin + _AT_ONCE]
