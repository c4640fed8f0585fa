"""Imported in place of the readers' safety by `benchmarks.safety`: takes it off, to be measured.

The product has no switch for it. The process that forks the readers imports this module before it
forks, so that the readers it forks have no cell and measure no sheets.
"""

from crawler.readers import workbook_checks
from crawler.validation import child_process, inspector


def _nothing(*_: object) -> None:
    return None


child_process.lock_in = _nothing  # type: ignore[assignment]
inspector.limit_memory_of = _nothing
workbook_checks._check_sheets = _nothing
workbook_checks.check_old_workbook = _nothing
