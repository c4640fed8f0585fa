"""What a page showed when it was last read, as the state keeps it."""

from crawler.pages.html import Page
from crawler.state.records import PageRow


def page_row(page: Page, link: int, action: int, new_links: int) -> PageRow:
    """The record of a page."""
    metadata = page.metadata
    return PageRow(
        link=link,
        title=page.title,
        language=page.language,
        action=action,
        links=len(page.links),
        new_links=new_links,
        licence=metadata.licence,
        publisher=metadata.publisher,
        published=metadata.published,
    )
