"""The list of a site's files, one JSON object per line, made from the crawl state."""

import json
import os
from pathlib import Path
from typing import TextIO

from crawler.errors import StorageError
from crawler.pages.kept_file import KeptFile
from crawler.state.crawl_state import CrawlState
from crawler.state.kept_files import kept_files
from crawler.storage.interface import object_key


class Manifest:
    """Follows the crawl state: rewritten at the start of a run, then line by line.

    A line is added after its step was committed. If the process dies in between, the next run
    writes the line; so the manifest never has a file twice, and ends with every one.
    """

    def __init__(self, path: Path, state: CrawlState) -> None:
        self.path = path
        self._file = self._rewrite(state)

    def _rewrite(self, state: CrawlState) -> TextIO:
        draft = self.path.with_suffix(".draft")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with draft.open("w", encoding="utf-8") as file:
                file.writelines(_line(kept) for kept in kept_files(state))
                file.flush()
                os.fsync(file.fileno())
            draft.replace(self.path)
            return self.path.open("a", encoding="utf-8")
        except OSError as error:
            raise StorageError(f"manifest {self.path}: {error}") from error

    def add(self, kept: KeptFile) -> None:
        """Add a kept file."""
        try:
            self._file.write(_line(kept))
            self._file.flush()
        except OSError as error:
            raise StorageError(f"manifest {self.path}: {error}") from error

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


def _line(kept: KeptFile) -> str:
    entry = kept.as_dict()
    entry["fetched_at"] = kept.fetched_at.isoformat()
    entry["file"] = object_key(kept.download.sha256)
    return json.dumps(entry, ensure_ascii=False) + "\n"
