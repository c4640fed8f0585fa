"""Questions that are asked once when the pages begin to be served, so that no visitor is the first.

The first time a kind of question is asked, its statements and its page are compiled, and PostgreSQL
reads what it knows of the tables: together as long as the answer itself.
"""

import logging

from crawler.catalog.facade import Catalog
from crawler.catalog.read.standings import standings
from crawler.errors import TallyhoError
from crawler.webapp.rendering import compile_templates

log = logging.getLogger(__name__)

_NOWHERE = "qzqzqzqz"
"""No catalog has it, so that what a search does for mistakes is asked for, too."""


def ask_first_questions(catalog: Catalog) -> None:
    """Asks about the newest dataset what pages, feeds and API ask; failures are for visitors."""
    compile_templates()
    try:
        _ask(catalog)
    except TallyhoError as error:
        log.info("the first questions got no answer: %s", error)


def _ask(catalog: Catalog) -> None:
    catalog.sites()
    standings(catalog.database, history=False)
    catalog.news(limit=1)
    for hit in catalog.search(limit=1).items:
        for words in (hit.title, f"{hit.title} {_NOWHERE}"):
            catalog.search(words, limit=1)
        catalog.search(hit.title, limit=1, format=hit.format, since="7d")
        catalog.search(hit.title, limit=1, as_of=hit.last_seen)
        catalog.news(hit.title, limit=1)
        catalog.news(dataset=hit.dataset_id, limit=1)
        catalog.news(file=hit.id, limit=1)
        for since in (None, "7d"):
            catalog.news(site=hit.site, since=since, limit=1)
        catalog.newest(site=hit.site, limit=1)
        catalog.dataset(hit.dataset_id)
        catalog.site(hit.site)
        for file in hit.files[:1]:
            catalog.show(file.id)
            catalog.history(file.id)
            catalog.lookup(file.url)
        for run in catalog.runs(hit.site, limit=1).items:
            catalog.changes(run.id)
            catalog.visits(run.id)
