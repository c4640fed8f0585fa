"""News as a JSON Feed 1.1 (jsonfeed.org), the same entries as in the Atom feed."""

import json
from typing import Any

from crawler.pipeline.report.news_words import news_title
from crawler.webapp.feed import Feed, FeedEntry, clean
from crawler.webapp.news_summary import news_summary
from crawler.webapp.rendering import web_link
from crawler.webapp.wording import machine_time

MEDIA_TYPE = "application/feed+json"


def write_json_feed(feed: Feed) -> bytes:
    """The feed as JSON; `_tallyho` of an item is the whole record."""
    document: dict[str, Any] = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": feed.title,
        "home_page_url": feed.page,
        "feed_url": feed.itself,
        "authors": [{"name": "Tallyho"}],
    }
    if feed.next:
        document["next_url"] = feed.next
    document["items"] = [_item(entry) for entry in feed.entries]
    return json.dumps(document, ensure_ascii=False).encode("utf-8", "replace")


def _item(entry: FeedEntry) -> dict[str, Any]:
    news = entry.news
    item: dict[str, Any] = {
        "id": entry.identity,
        "url": entry.page,
        "title": clean(news_title(news)),
        "content_text": clean(news_summary(news)),
        "date_published": machine_time(news.at),
        "date_modified": machine_time(news.updated_at),
        "tags": [news.what.value, clean(news.format)],
        "_tallyho": news.model_dump(mode="json"),
    }
    if link := web_link(news.url):
        item["external_url"] = clean(link)
    return item
