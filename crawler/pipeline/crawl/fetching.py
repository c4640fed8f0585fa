"""The fetcher that a site's YAML asks for."""

from crawler.config.site import SiteConfig
from crawler.pages.urls import origin
from crawler.web.addresses import AddressPolicy
from crawler.web.fetcher import Fetcher, FetchLimits
from crawler.web.pacer import Pacer
from crawler.web.user_agent import user_agent


def agent_of(site: SiteConfig) -> str:
    """The User-Agent that a site's crawls send."""
    return user_agent(site.politeness.user_agent, site.politeness.contact)


def fetcher_for(site: SiteConfig, pacer: Pacer) -> Fetcher:
    """A fetcher with the site's limits, headers, proxy and address rules."""
    max_seconds = site.limits.request_minutes * 60
    return Fetcher(
        user_agent=agent_of(site),
        limits=FetchLimits(
            file_bytes=site.limits.file_bytes,
            page_bytes=site.limits.page_bytes,
            timeout=site.limits.timeout,
            total=max_seconds,
            page_total=min(max_seconds, FetchLimits().page_total),
        ),
        addresses=AddressPolicy(allow_private=site.allow_private_hosts),
        pacer=pacer,
        headers=site.http.headers,
        own_origins=map(origin, (site.start_url, *site.start_also, *site.http.header_origins)),
        proxy=site.http.proxy,
        ca_bundle=site.http.ca_bundle,
    )
