"""A replica that is read: the answers of a whole site, row by row, and the truth about it."""

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import ValidationError

from crawler.errors import StorageError
from crawler.lab.replay import Volumes
from crawler.lab.replicas.schema import (
    Headers,
    check_identity,
    open_readonly,
    read_headers,
    read_meta,
    read_pairs,
)
from crawler.lab.sites.answer import Answer
from crawler.pages.mime import MimeRules, UrlClass
from crawler.pages.urls import canonical, fingerprint, resolve
from crawler.web.messages import SNIFFED_BYTES

MAX_BODY_BYTES = 512 * 1024**2
"""A body that unpacks to more is cut here: replicas come from other people too."""

_MAX_HOPS = 5
_REMEMBERED = 100_000
_ABSENT = Answer(404, {"content-type": "text/html"}, b"", 0)


@dataclass(frozen=True, slots=True)
class Entry:
    """One recorded answer without its body."""

    id: int
    url: str
    status: int
    headers: dict[str, str]
    size: int


class Replica:
    """A replica file, opened for reading; serves one thread of one process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._db = open_readonly(path)
        except sqlite3.Error as error:
            raise StorageError(f"replica {path}: {error}") from error
        try:
            about = check_identity(self._db, path)
            self._mime = MimeRules(about.targets)
        except BaseException:
            self._db.close()
            raise
        self.name, self.start_url = about.name, about.start_url
        self.target_types, self.scope = about.targets, about.scope
        """Which types the recording took for targets, and which hosts belonged to the site."""
        self._charset = about.body_charset
        self.url_class = lru_cache(maxsize=_REMEMBERED)(self._find_class)
        """The truth about a URL: a redirection is what it leads to, an error is NEITHER."""

    def meta(self) -> dict[str, str]:
        """All that the file tells about itself."""
        with self._errors():
            return read_meta(self._db)

    def respond(self, url: str) -> Answer:
        """What a GET of this URL was answered; 404 for what was never recorded."""
        entry = self.find(url)
        if entry is None:
            return _ABSENT
        return Answer(entry.status, entry.headers, self.body(entry.id), entry.size)

    def targets(self) -> int:
        """How many targets there are."""
        return self._counts.targets

    def available(self) -> int:
        """Every answer that is no error, redirections included; robots.txt is not the site's."""
        return self._counts.available

    def volumes(self) -> Volumes:
        """The bytes of all targets and pages, at their true sizes."""
        return Volumes(self._counts.target_bytes, self._counts.page_bytes)

    def entries(self) -> Iterator[Entry]:
        """Every answer in the order of recording, without bodies."""
        query = "SELECT id, url, status, headers, size FROM answer ORDER BY id"
        with self._errors(), closing(self._db.execute(query)) as rows:
            for row in rows:
                yield self._read(row)

    def body(self, entry: int, most: int = MAX_BODY_BYTES) -> bytes:
        """The body of an answer, or as much of it as was kept."""
        with self._errors():
            row = self._db.execute("SELECT data FROM body WHERE id = ?", (entry,)).fetchone()
            return zlib.decompressobj().decompress(row[0], most) if row and row[0] else b""

    def sent_headers(self, entry: int) -> Headers:
        """The headers of an answer as they were sent."""
        with self._errors():
            query = "SELECT headers FROM answer WHERE id = ?"
            return read_pairs(self._db.execute(query, (entry,)).fetchone()[0])

    def class_of(self, entry: Entry) -> UrlClass:
        """What an answer is by itself; redirections are NEITHER here."""
        if not 200 <= entry.status <= 299:
            return UrlClass.NEITHER
        declared = entry.headers.get("content-type", "")
        disposition = entry.headers.get("content-disposition", "")
        is_html = declared.lower().startswith("text/html")
        first = b"" if is_html else self.body(entry.id, SNIFFED_BYTES)
        return self._mime.classify(entry.url, declared, disposition, first).url_class

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def find(self, url: str) -> Entry | None:
        """The answer to a URL, however it is spelt, without its body."""
        columns = "SELECT id, url, status, headers, size FROM answer WHERE"
        with self._errors():
            row = self._db.execute(f"{columns} url = ?", (url,)).fetchone()
            if row is None:
                # Another strategy may find another spelling of the same URL first.
                key = fingerprint(canonical(url))
                query = f"{columns} identity = ? ORDER BY id LIMIT 1"
                row = self._db.execute(query, (key,)).fetchone()
            return None if row is None else self._read(row)

    def _read(self, row: tuple[int, str, int, str, int]) -> Entry:
        entry = Entry(row[0], row[1], row[2], read_headers(row[3]), row[4])
        charset, declared = self._charset, entry.headers.get("content-type", "")
        if charset and "html" in declared.lower():
            media_type = declared.partition(";")[0].strip()
            entry.headers["content-type"] = f"{media_type}; charset={charset}"
        return entry

    def _find_class(self, url: str) -> UrlClass:
        for _ in range(_MAX_HOPS):
            entry = self.find(url)
            if entry is None:
                break
            location = entry.headers.get("location", "")
            next_url = resolve(url, location) if 300 <= entry.status <= 399 else None
            if next_url is None:
                return self.class_of(entry)
            url = next_url
        return UrlClass.NEITHER

    @cached_property
    def _counts(self) -> "_Counts":
        counts = _Counts()
        for entry in self.entries():
            if entry.status >= 400 or urlsplit(entry.url).path == "/robots.txt":
                continue
            counts.available += 1
            match self.class_of(entry):
                case UrlClass.TARGET:
                    counts.targets += 1
                    counts.target_bytes += entry.size
                case UrlClass.HTML:
                    counts.page_bytes += entry.size
        return counts

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, zlib.error, ValidationError) as error:
            raise StorageError(f"replica {self.path}: {error}") from error


@dataclass(slots=True)
class _Counts:
    available: int = 0
    targets: int = 0
    target_bytes: int = 0
    page_bytes: int = 0
