"""COV*: the greedy cover of all targets that pages led to in the past (paper 003, 5.3)."""

import numpy as np

from crawler.revisit.cover import greedy_cover
from crawler.revisit.fingerprints import unpack
from crawler.revisit.night_plan import PageReason
from crawler.revisit.strategies.interface import Choice, Night, Selection, fill_up
from crawler.revisit.strategies.od_win import past_yields, ranked_by


class Cover:
    """Pages that together lead to all known targets."""

    def choose(self, night: Night) -> Selection:
        """The greedy cover; when fewer pages cover everything, OD-WIN fills the night."""
        pages = night.pages
        known = {
            int(row): frozenset(unpack(pages.target_links[row]).tolist())
            for row in np.flatnonzero(pages.can_ask)
            if pages.target_links[row]
        }
        choices = [
            Choice(row, PageReason.COVER, float(gain))
            for row, gain in greedy_cover(known, night.budget)
        ]
        mean = past_yields(pages, night.config.window)
        ranked = ranked_by(mean, pages).tolist()
        fill_up(choices, night, ranked, PageReason.PAST_YIELD, mean)
        return Selection(choices, night.state)
