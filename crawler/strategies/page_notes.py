"""What `anthelion` remembers of pages that were read, until it is known that they are relevant."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from crawler.learning.url_tokens import MAX_FEATURES, Row

MAX_KNOWN_LINKS = 200
"""Links to URLs that waited already, which are told when the page turns out to be relevant."""

_HEAD = struct.Struct("<q?")


@dataclass(slots=True)
class PageNote:
    """A page that was read, and has shown no file yet."""

    group: int
    row: Row | None
    """The features by which it was chosen; None for a start page."""
    known: list[int]
    """Links on it that waited already."""
    children: set[int] = field(default_factory=set)
    """Links that it was the first to show, and that are not fetched yet."""


class PageNotes:
    """Notes by page. One without children can never become relevant, and is dropped."""

    def __init__(self) -> None:
        self._notes: dict[int, PageNote] = {}
        self._changed: set[int] = set()

    def add(self, page: int, note: PageNote) -> None:
        """A page was read."""
        self._notes[page] = note
        self._changed.add(page)

    def get(self, page: int) -> PageNote | None:
        """The note of a page, while there is one."""
        return self._notes.get(page)

    def release(self, page: int, link: int) -> None:
        """A link of the page was fetched."""
        note = self._notes.get(page)
        if note is not None:
            note.children.discard(link)
            self.drop_if_childless(page)

    def drop_if_childless(self, page: int) -> None:
        """Forget a page that has no links left to fetch."""
        note = self._notes.get(page)
        if note is not None and not note.children:
            self.pop(page)

    def pop(self, page: int) -> PageNote | None:
        """Take the note of a page away."""
        note = self._notes.pop(page, None)
        if note is not None:
            self._changed.add(page)
        return note

    def take_changed(self) -> Iterator[tuple[str, bytes]]:
        """What changed since the last call, under names; an empty value forgets one."""
        for page in sorted(self._changed):
            note = self._notes.get(page)
            yield str(page), b"" if note is None else _packed(note)
        self._changed.clear()

    def load(self, name: str, value: bytes) -> None:
        """Bring one note back; its children are for the caller."""
        group, has_row = _HEAD.unpack_from(value)
        at, row = _HEAD.size, None
        if has_row:
            row = np.frombuffer(value, np.uint16, MAX_FEATURES, at)
            at += row.nbytes
        known = np.frombuffer(value, np.int64, offset=at).tolist()
        self._notes[int(name)] = PageNote(group, row, known)


def _packed(note: PageNote) -> bytes:
    row = b"" if note.row is None else note.row.tobytes()
    known = np.array(note.known, dtype=np.int64).tobytes()
    return _HEAD.pack(note.group, note.row is not None) + row + known
