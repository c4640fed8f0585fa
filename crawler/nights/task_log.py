"""What a task tells: what it will do, what came of it, and where the run's page is."""

import logging
from collections.abc import Iterable, Mapping
from typing import Any

from crawler.log_lines import quiet_libraries


def begin(log: Any, sentence: str, **fields: Any) -> None:
    """The first line of a task's log, before its work; libraries are silent from here on."""
    if not logging.getLogger().isEnabledFor(logging.DEBUG):
        quiet_libraries()
    log.info(sentence, **fields)


def end(log: Any, lines: Iterable[str], fields: Mapping[str, Any], run_page: str = "") -> None:
    """The last lines of a task's log; the first of them has the same as fields for programs."""
    first, *others = [*lines] or ["there was nothing to do"]
    log.info(first, **fields)
    for line in others:
        log.info(line)
    if run_page:
        log.info(f"the run's page: {run_page}")
