"""A site whose every answer is known, so that crawls over it can be measured without a network."""

from pathlib import Path

from crawler.errors import ConfigError
from crawler.lab.replicas.replica import Replica
from crawler.lab.sites.demo import demo_site
from crawler.lab.sites.kinds import KINDS
from crawler.lab.sites.site import SyntheticSite
from crawler.lab.sites.variants import VARIANTS, variant_site
from crawler.lab.sites.variants.variant import Variant

DEFAULT_PAGES = {"demo": 600, "demo-ids": 600, "synth": 4000}
MAX_PAGES = 1_000_000


MeasuredSite = Replica | SyntheticSite | Variant
"""What strategies are compared on: its answers, and the truth about it, for oracles and tables."""


def open_measured_site(spec: str) -> MeasuredSite:
    """Open `PATH` of a replica, `demo[:PAGES[:SEED]]` or `synth:KIND[:PAGES[:SEED]]`.

    `demo-ids` is the demo site with unique ids on its tags. Opening is cheap; what comes back is
    not shared: every process opens its own.
    """
    family, *rest = spec.split(":")
    if family in ("demo", "demo-ids"):
        pages, seed = _size_and_seed(spec, family, rest)
        return demo_site(pages, seed, unique_ids=family == "demo-ids")
    if family == "synth":
        kind, *rest = rest or [""]
        if kind not in KINDS and kind not in VARIANTS:
            known = ", ".join((*KINDS, *VARIANTS))
            raise ConfigError(f"{spec}: there is no kind '{kind}'; there are: {known}")
        pages, seed = _size_and_seed(spec, family, rest)
        if kind in VARIANTS:
            return variant_site(kind, pages, seed)
        return SyntheticSite(KINDS[kind], pages, seed)
    path = Path(spec)
    if not path.is_file():
        raise ConfigError(
            f"{spec}: no such replica; synthetic sites are demo[:PAGES[:SEED]] and "
            "synth:KIND[:PAGES[:SEED]]"
        )
    return Replica(path)


def _size_and_seed(spec: str, family: str, numbers: list[str]) -> tuple[int, int]:
    if len(numbers) > 2 or not all(number.isascii() and number.isdigit() for number in numbers):
        raise ConfigError(f"{spec}: after the name come PAGES and SEED, both whole numbers")
    pages = int(numbers[0]) if numbers else DEFAULT_PAGES[family]
    if not 1 <= pages <= MAX_PAGES:
        raise ConfigError(f"{spec}: a synthetic site has 1 to {MAX_PAGES:,} pages")
    return pages, int(numbers[1]) if len(numbers) > 1 else 1
