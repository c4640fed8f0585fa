"""When a complete site is crawled afresh: `revisit`."""

from pydantic import Field

from crawler.config.section import Section


class Revisit(Section):
    """How a site is kept up to date after its acquisition is complete."""

    every_days: float = Field(default=7, ge=0, le=3650)
    """Days after which a complete site is crawled afresh; until then its nights do nothing. 0 means
    every night."""
