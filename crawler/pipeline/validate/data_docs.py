"""Data Docs into the store: one folder of pages per site, made from what the catalog has now."""

import logging
import tempfile
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from crawler.catalog.read.latest_verdicts import latest_verdicts, verdicts_stamp
from crawler.config.validation import ValidationConfig
from crawler.pipeline.services import Services
from crawler.validation.data_docs import LAYOUT, JudgedFile, build_data_docs
from crawler.validation.suites import Suites

PREFIX = "data-docs"
MAX_FILES = 5_000
"""Files of a site that are shown, those that were judged last."""

_STAMP = "as-of"
"""The state that the pages were made from: after a kill the next run sees that they are stale."""

log = logging.getLogger(__name__)


def publish_data_docs(
    services: Services, site: str, suites: Suites, config: ValidationConfig
) -> bool:
    """Writes the pages of a site if verdicts or rules have changed; whether it wrote them."""
    store, database = services.store, services.database
    mark = f"{PREFIX}/{site}/{_STAMP}"
    verdicts = verdicts_stamp(database, site)
    rules = sha256(f"{LAYOUT} {suites!r} {config!r}".encode()).hexdigest()
    stamp = f"{verdicts} {rules}".encode()
    if not verdicts or store.get_object(mark) == stamp:
        return False
    files = [
        JudgedFile(verdict.url, verdict.outcome)
        for verdict in latest_verdicts(database, site, MAX_FILES)
    ]
    with tempfile.TemporaryDirectory(prefix="data-docs-") as name:
        folder = Path(name)
        try:
            pages = build_data_docs(folder, site, suites, config, files, datetime.now(UTC))
        except Exception:  # the library's renderers; verdicts do not depend on them
            log.exception("the Data Docs of %s could not be made", site)
            return False
        keys = {f"{PREFIX}/{path.relative_to(folder).as_posix()}": path for path in pages}
        for key, path in keys.items():
            store.put_object(key, path.read_bytes())
    for key in list(store.objects(f"{PREFIX}/{site}/")):
        if key not in keys and key != mark:
            store.delete_object(key)
    store.put_object(mark, stamp)
    return True
