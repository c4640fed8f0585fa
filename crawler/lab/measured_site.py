"""A site whose every answer is known, so that crawls over it can be measured without a network."""

from pathlib import Path
from typing import Protocol

from crawler.config.scope import ScopeConfig
from crawler.errors import ConfigError
from crawler.lab.replay import SiteAnswer
from crawler.lab.replicas.replica import Replica
from crawler.lab.sites.demo import demo_site
from crawler.lab.sites.kinds import KINDS
from crawler.lab.sites.site import SyntheticSite
from crawler.lab.sites.variants import VARIANTS, variant_site
from crawler.lab.volumes import Volumes
from crawler.pages.mime import UrlClass

DEFAULT_PAGES = {"demo": 600, "demo-ids": 600, "synth": 4000}
MAX_PAGES = 1_000_000


class MeasuredSite(Protocol):
    """What comparisons of strategies need of a site: its answers, and the truth about it."""

    @property
    def name(self) -> str:
        """What to call it in tables and file names."""

    @property
    def start_url(self) -> str:
        """Where a crawl starts."""

    @property
    def target_types(self) -> tuple[str, ...]:
        """The `targets` of the site's YAML: which types count as targets."""

    @property
    def scope(self) -> ScopeConfig:
        """The `scope` of the site's YAML: which hosts belong to it."""

    def respond(self, url: str) -> SiteAnswer:
        """What a GET of this URL is answered; 404 where nothing is known of it."""

    def url_class(self, url: str) -> UrlClass:
        """The truth, for oracles: a redirection is what it leads to, an error is NEITHER."""

    def targets(self) -> int:
        """How many targets there are."""

    def available(self) -> int:
        """Everything that is no error, as column "#Available" of Table I counts it."""

    def volumes(self) -> Volumes:
        """The bytes of all targets and pages; reads or makes the whole site once."""

    def close(self) -> None:
        """Let go of files."""


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
