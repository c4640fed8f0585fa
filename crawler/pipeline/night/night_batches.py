"""What a night has to validate, in as many batches as Airflow maps a task over."""

from crawler.config.settings import Settings
from crawler.pipeline.validate.batches import BATCH, pending_batches

MOST_BATCHES = 200
"""Airflow refuses to map over more than 1,024 by default, and each is a process of its own."""


def night_batches(settings: Settings, site: str) -> list[list[int]]:
    """The versions of a site that wait; after a huge night the batches are larger, not more."""
    batches = pending_batches(settings, site)
    if len(batches) > MOST_BATCHES:
        waiting = sum(map(len, batches))
        batches = pending_batches(settings, site, size=max(BATCH, -(-waiting // MOST_BATCHES)))
    return batches
