"""What a search does when no dataset has all that was asked for.

First words that no dataset has are taken for the beginning of one, or for a misspelt one. If there
is still no dataset with all words, those with the most of them are the answer.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from crawler.catalog.search.matching import count_of, matches
from crawler.catalog.search.parsing import prefix_group, word_group
from crawler.catalog.search.question import Group, Question
from crawler.catalog.search.spelling import mistakes, similar_words, words_beginning
from crawler.catalog.search.thesaurus import Thesaurus
from crawler.catalog.search.tokens import ANYWHERE
from crawler.catalog.search.words import normalised

_MAX_CANDIDATES = 12
_MAX_GROUPS = 5
"""Of a long question, the rarest words."""
MAX_SUGGESTIONS = 6
_ENOUGH = 300
"""Asked for one document alone, PostgreSQL reads on from the newest, hoping to meet it soon."""


@dataclass(frozen=True, slots=True)
class Repaired:
    """Another question that has an answer, and how it differs."""

    asked: Question
    rows: list[Any]
    """The first documents that it finds."""
    corrections: tuple[tuple[str, str], ...] = ()
    """Words as they were asked, and as they are spelt here."""
    partial: bool = False
    """Whether only some of the words are asked for."""


def repair(connection: Connection, asked: Question, thesaurus: Thesaurus, limit: int) -> Repaired:
    """The nearest question that finds something; the same one, which finds nothing, if none does.

    No question is asked twice, not even the one that had no answer: each takes its time.
    """
    counts = [count_of(connection, group) for group in asked.groups]
    groups, corrections = list(asked.groups), list[tuple[str, str]]()
    for place, group in enumerate(asked.groups):
        if counts[place] or " " in group.text or group.is_exact:
            continue
        begins = prefix_group(group.text)
        if times := count_of(connection, begins):
            groups[place], counts[place] = begins, times
        elif found := _correction(connection, group.text, thesaurus):
            word, counts[place] = found
            groups[place] = word_group(word, thesaurus)
            corrections.append((group.text, word))
    repaired = asked.with_groups(groups)
    if repaired.groups != asked.groups and (rows := matches(connection, repaired, ANYWHERE, limit)):
        return Repaired(repaired, rows, tuple(corrections))
    for relaxed in _relaxed(repaired, counts):
        if rows := matches(connection, relaxed, ANYWHERE, limit):
            return Repaired(relaxed, rows, tuple(corrections), partial=True)
    return Repaired(asked, [])


def corrected_text(text: str, corrections: Sequence[tuple[str, str]]) -> str:
    """The question with its words as they are spelt here."""
    known = dict(corrections)
    return re.sub(r"[^\W_]+", lambda word: known.get(normalised(word[0]), word[0]), text)


def suggestions(
    connection: Connection, asked: Question, thesaurus: Thesaurus, common: Sequence[str]
) -> list[str]:
    """Words that do find something: those that begin alike, then the most common ones."""
    listed: dict[str, None] = {}
    for group in asked.groups:
        word = group.text.split()[0]
        listed.update(dict.fromkeys(similar_words(connection, word, thesaurus.words)))
        for letters in range(min(6, len(word)), 2, -1):
            listed.update(dict.fromkeys(words_beginning(connection, word[:letters], 10)))
    listed.update(dict.fromkeys(common))
    found: list[str] = []
    for word in list(listed)[:40]:
        if count_of(connection, word_group(word, thesaurus), _ENOUGH):
            found.append(word)
            if len(found) == MAX_SUGGESTIONS:
                break
    return found


def _correction(connection: Connection, word: str, thesaurus: Thesaurus) -> tuple[str, int] | None:
    """The nearest word that finds something, and how often; of those as near, the most frequent."""
    candidates = similar_words(connection, word, thesaurus.words)[:_MAX_CANDIDATES]
    counted = [
        (other, times)
        for other in candidates
        if (times := count_of(connection, word_group(other, thesaurus)))
    ]
    if not counted:
        return None
    return min(
        counted,
        key=lambda one: (mistakes(word, one[0]), one[0][0] != word[0], -one[1], one[0]),
    )


def _relaxed(asked: Question, counts: Sequence[int]) -> Iterator[Question]:
    """The question for as many of its words as some dataset has; the rare ones count most."""
    known: list[tuple[int, Group]] = [
        (times, group) for times, group in zip(counts, asked.groups, strict=True) if times
    ]
    rarest = sorted(range(len(known)), key=lambda place: known[place][0])[:_MAX_GROUPS]
    groups = [known[place][1] for place in sorted(rarest)]
    most = min(len(groups), len(asked.groups) - 1)
    return (asked.with_groups(groups, needed) for needed in range(most, 0, -1))
