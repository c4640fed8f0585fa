"""What a feed says of a piece of news below its title."""

from crawler.catalog.db.news_tables import What
from crawler.catalog.read.news import News
from crawler.webapp.wording import format_words, size_words


def news_summary(news: News) -> str:
    """Site, kind and size of the file, and what changed."""
    file = f"{news.site}: {format_words(news.format)} ({size_words(news.bytes)})"
    if news.what is What.CHANGED:
        return f"{file}, version {news.version}: {news.change_summary or 'other bytes'}"
    if news.what is What.GONE:
        return f"{file}, not on the site any more; version {news.version} stays in the catalog"
    return file
