"""Whether a night has to end because its site was removed, disabled or moved while it ran."""

from typing import TYPE_CHECKING

from crawler.config.site import SiteConfig
from crawler.nights.ended_sites import why_ended
from crawler.nights.project import Project

if TYPE_CHECKING:
    from crawler.pipeline.night.night import Night


def why_to_end(project: Project, site: SiteConfig, night: "Night") -> str:
    """Why this night makes no more requests, as the site files say now; empty when it goes on."""
    ended = "" if site.enabled else why_ended(site.name, *project.sites())
    if ended:
        return ended
    if site.enabled and night.start_url and night.start_url != site.start_url:
        return f"its start page was {night.start_url} and is {site.start_url} since"
    return ""
