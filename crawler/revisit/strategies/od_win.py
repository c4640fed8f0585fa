"""OD-WIN and CLIQ-WIN*: pages with the highest average of new targets of late (paper 003, 5.3)."""

import numpy as np

from crawler.revisit.features import average_yields
from crawler.revisit.night_plan import PageReason
from crawler.revisit.overlap import select_apart
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


class CliqWin:
    """OD-WIN with one page of every group of pages whose links overlap."""

    def choose(self, night: Night) -> Selection:
        """The page with the best average of each group."""
        pages, config = night.pages, night.config
        mean = past_yields(pages, config.window)
        ranked = ranked_by(mean, pages).tolist()
        rows = select_apart(ranked, pages.outlinks, night.budget, config.overlap)
        choices = [Choice(row, PageReason.PAST_YIELD, float(mean[row])) for row in rows]
        return Selection(choices, night.state)
