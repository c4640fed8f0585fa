"""The list of a site's files, one JSON object per line, made from the crawl state."""

import json
import os
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from crawler.errors import StorageError
from crawler.state.crawl_state import CrawlState
from crawler.state.reports import KeptTarget, kept_target, kept_targets
from crawler.storage.interface import object_key


class Manifest:
    """Follows the crawl state: written anew at the start of a run, then line by line.

    A line is added after its step was committed. If the process dies in between, the next run
    writes the line; so the manifest never has a file twice, and ends with every one.
    """

    def __init__(self, path: Path, state: CrawlState) -> None:
        self.path = path
        self._state = state
        self._file = self._rewrite()

    def _rewrite(self) -> TextIO:
        draft = self.path.with_suffix(".draft")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with draft.open("w", encoding="utf-8") as file:
                file.writelines(_line(target) for target in kept_targets(self._state))
                file.flush()
                os.fsync(file.fileno())
            draft.replace(self.path)
            return self.path.open("a", encoding="utf-8")
        except OSError as error:
            raise StorageError(f"manifest {self.path}: {error}") from error

    def add(self, link: int) -> None:
        """Add the target that was kept for a link."""
        target = kept_target(self._state, link)
        if target is None:
            return
        try:
            self._file.write(_line(target))
            self._file.flush()
        except OSError as error:
            raise StorageError(f"manifest {self.path}: {error}") from error

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


def _line(target: KeptTarget) -> str:
    entry = asdict(target)
    entry["fetched_at"] = datetime.fromtimestamp(target.fetched_at, UTC).isoformat()
    entry["file"] = object_key(target.sha256)
    return json.dumps(entry, ensure_ascii=False) + "\n"
