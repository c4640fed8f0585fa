"""Which URLs belong to a site: `scope`."""

from typing import Annotated

from pydantic import BeforeValidator, Field

from crawler.config.section import Pattern, Section
from crawler.config.web_address import Host

ANY_HOST = "any"


def _one_word(value: object) -> object:
    """`file_hosts: any` is the one value that may be given without a list."""
    if value == ANY_HOST:
        return (ANY_HOST,)
    if isinstance(value, str):
        raise ValueError(f"must be a list of host names, or the word {ANY_HOST}")
    return value


class ScopeConfig(Section):
    """Which URLs belong to the site. Its own host with all subdomains always does."""

    hosts: Annotated[tuple[Host, ...], Field(strict=False)] = ()
    """More hosts that are part of the site, each with its subdomains."""

    file_hosts: Annotated[
        tuple[Host, ...],
        Field(strict=False),
        BeforeValidator(_one_word, json_schema_input_type=tuple[str, ...] | str),
    ] = ()
    """Other hosts from which linked data files, never pages, may be fetched; or the word any."""

    include: Annotated[tuple[Pattern, ...], Field(strict=False)] = ()
    """Regular expressions; if given, only URLs that match one of them are fetched."""

    exclude: Annotated[tuple[Pattern, ...], Field(strict=False)] = ()
    """Regular expressions; URLs that match one of them are never fetched."""
