"""What happened to a dataset last: it is new, it changed, or it is gone."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from crawler.catalog.db.news_tables import What


def what_happened(files: Sequence[Any]) -> tuple[What, datetime]:
    """What happened last, and when: by the newest file; gone when all files are."""
    if all(file.gone_since is not None for file in files):
        return What.GONE, max(file.gone_since for file in files)
    newest = max(files, key=lambda file: (file.fetched_at, file.id))
    return What.NEW if newest.version == 1 else What.CHANGED, newest.fetched_at
