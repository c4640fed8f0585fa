"""Imported before the readers are forked by `benchmarks.safety`: takes their safety off.

The product has no switch for it. The environment of the process that forks names the layers that
are left out, so that the readers it forks do without them.
"""

import os

from crawler.readers import workbook_checks
from crawler.validation import child_process, inspector

VARIABLE = "TALLYHO_BENCHMARK_WITHOUT"
CELL, MEMORY_OF_A_FILE, SHEETS = "cell", "memory", "sheets"


def _nothing(*_: object) -> None:
    return None


_left_out = os.environ.get(VARIABLE, "").split()
if CELL in _left_out:
    child_process.lock_in = _nothing  # type: ignore[assignment]
if MEMORY_OF_A_FILE in _left_out:
    inspector.limit_memory_of = _nothing
if SHEETS in _left_out:
    workbook_checks._check_sheets = _nothing
    workbook_checks.check_old_workbook = _nothing
