"""OD-WIN: pages with the highest average of new targets in their latest visits (paper 003, 5.3)."""

import numpy as np

from crawler.revisit.features import average_yields
from crawler.revisit.night_plan import PageReason
from crawler.revisit.page_columns import Floats, Ints, PageColumns
from crawler.revisit.strategies.interface import Choice, Night, Selection


def past_yields(pages: PageColumns, window: int) -> Floats:
    """The average new targets of each page's latest visits."""
    mean, _ = average_yields(pages, np.arange(len(pages)), pages.log_start[1:], window)
    return mean


def ranked_by(score: Floats, pages: PageColumns) -> Ints:
    """Rows that can be asked, the best score first; on a tie the older visit."""
    rows = np.flatnonzero(pages.can_ask)
    return rows[np.lexsort((-pages.age[rows], -score[rows]))]


class OdWin:
    """Pages by their average yield."""

    def choose(self, night: Night) -> Selection:
        """The pages with the best average, older visits first on a tie."""
        mean = past_yields(night.pages, night.config.window)
        best = ranked_by(mean, night.pages)[: night.budget]
        choices = [Choice(int(row), PageReason.PAST_YIELD, float(mean[row])) for row in best]
        return Selection(choices, night.state)
