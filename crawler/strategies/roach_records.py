"""What `roach` keeps of links, pages and looks, and how it is written into the state."""

import json
import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from enum import IntEnum
from zlib import compress, decompress

import numpy as np

from crawler.learning.cue_encoder import Cues
from crawler.pages.cues import MAX_WORDS, Looks
from crawler.pages.styles.computed import style_of
from crawler.pages.styles.properties import INITIAL, Style

MAX_LOOKS = 5_000
"""Looks that are kept apart; links whose look is new after that look like nothing special."""

_WORDS_BYTES = 4 * MAX_WORDS
_CUES = struct.Struct(f"<qqi{_WORDS_BYTES}s")
_EXAMPLE = struct.Struct(f"<qqqbqi{_WORDS_BYTES}s")
_PAGE = struct.Struct("<ddii")


class Outcome(IntEnum):
    """What following a link came to."""

    NOTHING = 0
    PAGE = 1
    TARGET = 2


@dataclass(frozen=True, slots=True)
class LinkCues:
    """What a link shows, and where: hashed words, the number of its looks, its page."""

    link: int
    page: int
    look: int
    words: bytes

    def save(self) -> bytes:
        """In a row of fixed length."""
        return _CUES.pack(self.link, self.page, self.look, self.words)

    @staticmethod
    def load(saved: bytes) -> "LinkCues":
        """Back from its row."""
        link, page, look, words = _CUES.unpack(saved)
        return LinkCues(link, page, look, words)


@dataclass(frozen=True, slots=True)
class Example:
    """A link that was followed."""

    number: int
    round: int
    led_to: int
    """The page that it led to; 0 when that was none."""
    outcome: Outcome
    cues: LinkCues

    def save(self) -> bytes:
        """In a row of fixed length."""
        cues = self.cues
        return _EXAMPLE.pack(
            self.number, self.round, self.led_to, self.outcome, cues.page, cues.look, cues.words
        )

    @staticmethod
    def load(saved: bytes) -> "Example":
        """Back from its row."""
        number, turn, led_to, outcome, page, look, words = _EXAMPLE.unpack(saved)
        return Example(number, turn, led_to, Outcome(outcome), LinkCues(0, page, look, words))


@dataclass(slots=True)
class PageNote:
    """A page that was read."""

    similarity: float = 0.0
    """What the critic said of its text."""
    published: float = 0.0
    """Its score as the apprentice knows it: it changes between rounds only."""
    targets: int = 0
    links: int = 0
    """New links on it."""

    def save(self) -> bytes:
        """In a row of fixed length."""
        return _PAGE.pack(self.similarity, self.published, self.targets, self.links)

    @staticmethod
    def load(saved: bytes) -> "PageNote":
        """Back from its row."""
        return PageNote(*_PAGE.unpack(saved))


class LookBook:
    """Every look of a link, with its number; 0 is what a browser shows without any styles."""

    def __init__(self) -> None:
        plain = style_of(INITIAL)
        self.looks = [Looks(plain, plain)]
        self._numbers = {self.looks[0]: 0}
        self._saved = 1

    def number(self, looks: Looks) -> int:
        """The number of a look."""
        number = self._numbers.get(looks)
        if number is None:
            if len(self.looks) >= MAX_LOOKS:
                return 0
            number = self._numbers[looks] = len(self.looks)
            self.looks.append(looks)
        return number

    def take_new(self) -> dict[str, bytes]:
        """The looks that were added since the last call, under their numbers."""
        new = range(self._saved, len(self.looks))
        self._saved = len(self.looks)
        return {f"{number:05}": json.dumps(asdict(self.looks[number])).encode() for number in new}

    def load(self, saved: bytes) -> None:
        """Bring the next look back."""
        values = json.loads(saved)
        self.number(Looks(_style(values["link"]), _style(values["around"])))
        self._saved = len(self.looks)


def _style(values: dict[str, list[object]]) -> Style:
    return Style(**{name: tuple(parts) for name, parts in values.items()})  # type: ignore[arg-type]


def pack_links(links: Iterable[LinkCues]) -> bytes:
    """The cues of several links."""
    return compress(b"".join(link.save() for link in links), 1)


def unpack_links(saved: bytes) -> Iterator[LinkCues]:
    """The cues of several links back."""
    rows = decompress(saved)
    for start in range(0, len(rows), _CUES.size):
        yield LinkCues.load(rows[start : start + _CUES.size])


def side_by_side(links: Sequence[LinkCues], parents: Iterable[float]) -> Cues:
    """The cues of links as the apprentice takes them."""
    words = np.frombuffer(b"".join(link.words for link in links), dtype=np.uint32)
    return Cues(
        words.reshape(len(links), MAX_WORDS),
        np.fromiter((link.look for link in links), dtype=np.int32, count=len(links)),
        np.fromiter(parents, dtype=np.float64, count=len(links)),
    )
