"""Average and deviation of what a page's latest visits yielded (paper 003, 4.2: avg and std)."""

import numpy as np

from crawler.revisit.page_columns import Floats, PageColumns
from crawler.revisit.visit_log import Outcome


def windowed_yields(pages: PageColumns, window: int) -> tuple[Floats, Floats]:
    """Mean and deviation of new targets over the latest `window` visits of each page.

    The first crawl counts as the paper counts its first cycle: all targets that the page led to
    were new. A page that has any revisit in its window is judged by its revisits alone.
    """
    size = len(pages)
    row = pages.log_row
    lengths = np.diff(pages.log_start)
    from_end = (pages.log_start[1:][row] - 1) - np.arange(len(row))
    is_revisit = pages.log["outcome"] != Outcome.NEW
    revisits = np.bincount(row[is_revisit & (from_end < window)], minlength=size)
    used = (from_end < window) & (is_revisit | (revisits[row] == 0))
    values = pages.log["targets"][used].astype(np.float64)
    rows = row[used]
    count = np.maximum(np.bincount(rows, minlength=size), 1)
    mean = np.bincount(rows, weights=values, minlength=size) / count
    square = np.bincount(rows, weights=values**2, minlength=size) / count
    mean[lengths == 0] = 0.0
    return mean, np.sqrt(np.maximum(square - mean**2, 0.0))
