"""What an alert says: JSON for a webhook, plain text for an e-mail."""

from typing import Any

from crawler.catalog.db.news_tables import What
from crawler.catalog.read.news import News
from crawler.catalog.search.untold import Untold
from crawler.config.alert import AlertConfig
from crawler.config.settings import Settings
from crawler.pipeline.report.news_words import counted, news_title

_MAX_TEXT = 500
FILTERS = ("site", "format", "verdict", "language", "period", "place", "publisher")
"""Of a search, as an alert and the search itself name them."""


def search_of(alert: AlertConfig) -> dict[str, str]:
    """What an alert looks for, as parameters of the catalog's pages."""
    named = {name: getattr(alert, name) or "" for name in FILTERS}
    return {name: value for name, value in {"q": alert.search, **named}.items() if value}


def headline(alert: AlertConfig, found: Untold) -> str:
    """The alert in one line."""
    return f"{alert.name}: {counted(found.counts)}"


def webhook_body(
    alert: AlertConfig, found: Untold, settings: Settings, *, test: bool = False
) -> dict[str, Any]:
    """The JSON of a webhook; docs/alerts.md has its keys."""
    about = "a test, nothing was recorded: " if test else ""
    return {
        "alert": alert.name,
        "text": f"{about}{headline(alert, found)}",
        "test": test,
        "search": search_of(alert),
        **{what.value: found.counts.get(what, 0) for what in What},
        "total": found.total,
        "more": found.total > len(found.items),
        "items": [_item(news, settings) for news in found.items],
    }


def mail_text(alert: AlertConfig, found: Untold, settings: Settings, *, test: bool = False) -> str:
    """The text of an e-mail."""
    asked = ", ".join(f"{name} {value}" for name, value in search_of(alert).items())
    lines = ["This is a test; nothing was recorded.", ""] if test else []
    lines += [f"{headline(alert, found)} ({asked.replace('q ', 'search ', 1) or 'everything'})", ""]
    for news in found.items:
        lines += _lines(news, settings)
    if found.total > len(found.items):
        lines += [f"and {found.total - len(found.items):,} more: `tallyho catalog news`", ""]
    return "\n".join(lines)


def _item(news: News, settings: Settings) -> dict[str, Any]:
    item = news.model_dump(mode="json")
    short = {key: value[:_MAX_TEXT] for key, value in item.items() if isinstance(value, str)}
    # An address that is cut leads nowhere.
    whole = {key: item[key] for key in ("url", "page_url")}
    return {**item, **short, **whole, "page": _page(news, settings)}


def _lines(news: News, settings: Settings) -> list[str]:
    facts = [news.site, news.format, f"version {news.version}"]
    facts += [news.change_summary] if news.change_summary else []
    shown = [f"- {_line(news_title(news))}", f"  {_line(', '.join(facts))}"]
    return [*shown, f"  {_line(_page(news, settings) or news.url)}", ""]


def _line(text: str) -> str:
    """What comes from the web, on one line without control characters."""
    plain = "".join(mark if mark.isprintable() else " " for mark in text)
    return " ".join(plain.split())[:_MAX_TEXT]


def _page(news: News, settings: Settings) -> str:
    return f"{settings.pages_url}/files/{news.id}" if settings.pages_url else ""
