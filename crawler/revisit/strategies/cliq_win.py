"""CLIQ-WIN*: OD-WIN with one page of every group of pages whose links overlap (paper 003, 5.3)."""

from crawler.revisit.night_plan import PageReason
from crawler.revisit.overlap import select_apart
from crawler.revisit.strategies.interface import Choice, Night, Selection
from crawler.revisit.strategies.od_win import past_yields, ranked_by


class CliqWin:
    """Pages by their average yield, one of those alike."""

    def choose(self, night: Night) -> Selection:
        """The page with the best average of each group."""
        pages, config = night.pages, night.config
        mean = past_yields(pages, config.window)
        ranked = ranked_by(mean, pages).tolist()
        rows = select_apart(ranked, pages.outlinks, night.budget, config.overlap)
        choices = [Choice(row, PageReason.PAST_YIELD, float(mean[row])) for row in rows]
        return Selection(choices, night.state)
