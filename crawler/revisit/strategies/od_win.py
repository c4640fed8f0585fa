"""OD-WIN: pages with the highest average of new targets in their latest visits (paper 003, 5.3)."""

import numpy as np

from crawler.revisit.averages import windowed_yields
from crawler.revisit.night_plan import PageReason
from crawler.revisit.strategies.interface import Choice, Night, Selection


class OdWin:
    """Pages by their average yield."""

    def choose(self, night: Night) -> Selection:
        """The pages with the best average, older visits first on a tie."""
        pages = night.pages
        mean, _ = windowed_yields(pages, night.config.window)
        rows = np.flatnonzero(pages.can_ask)
        best = rows[np.lexsort((-pages.age[rows], -mean[rows]))][: night.budget]
        choices = [Choice(int(row), PageReason.PAST_YIELD, float(mean[row])) for row in best]
        return Selection(choices, night.state)
