"""How news is said: which files are new, changed or gone."""

from collections.abc import Mapping

from crawler.catalog.db.news_tables import What
from crawler.catalog.read.news import News

_BEFORE = {What.NEW: "New", What.CHANGED: "Changed", What.GONE: "Gone"}


def news_title(news: News) -> str:
    """What happened, and what the file is called."""
    return f"{_BEFORE[news.what]}: {news.name}"


def counted(counts: Mapping[What, int]) -> str:
    """'3 new, 1 changed'; 'nothing' when there is nothing."""
    said = [f"{counts[what]:,} {what.value}" for what in What if counts.get(what)]
    return ", ".join(said) or "nothing"
