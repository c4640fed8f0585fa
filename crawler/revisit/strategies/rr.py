"""RR: every page in its turn, the one not visited for the longest time first (paper 003, 5.3)."""

import numpy as np

from crawler.revisit.night_plan import PageReason
from crawler.revisit.page_columns import Ints
from crawler.revisit.strategies.interface import Choice, Night, Selection


def in_turn(night: Night) -> Ints:
    """Rows that can be asked, the oldest visit first; those with no usable time before all."""
    pages = night.pages
    rows = np.flatnonzero(pages.can_ask)
    age = np.where(pages.is_stamp_odd[rows], np.inf, pages.age[rows])
    return rows[np.argsort(-age, kind="stable")]


class RoundRobin:
    """Pages by age alone."""

    def choose(self, night: Night) -> Selection:
        """The pages with the highest age."""
        choices = [
            Choice(int(row), PageReason.IN_TURN, float(night.pages.age[row]))
            for row in in_turn(night)[: night.budget]
        ]
        return Selection(choices, night.state)
