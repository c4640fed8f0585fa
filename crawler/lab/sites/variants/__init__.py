"""Variants: synthetic sites of a kind with one trait more that real sites have."""

from crawler.lab.sites.kinds import KINDS
from crawler.lab.sites.site import SyntheticSite
from crawler.lab.sites.variants.dead_links import DeadLinks
from crawler.lab.sites.variants.endless import Endless
from crawler.lab.sites.variants.many_paths import ManyPaths
from crawler.lab.sites.variants.translated import Translated
from crawler.lab.sites.variants.variant import Variant

VARIANTS: dict[str, tuple[type[Variant], str]] = {
    "many-paths": (ManyPaths, "ce"),
    "dead-links": (DeadLinks, "ce"),
    "translated": (Translated, "ce"),
    "endless": (Endless, "ce"),
}
"""By name: the trait, and the kind that has it."""


def variant_site(name: str, pages: int, seed: int) -> Variant:
    """A site of a variant; the site without the trait is of the same size and seed."""
    variant, kind = VARIANTS[name]
    return variant(SyntheticSite(KINDS[kind], pages, seed), f"{name}-{pages}-{seed}")
