"""What each site expects of its files: by its site file, or by the suites alone without one."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from crawler.catalog.read import sites
from crawler.config.load import SUFFIXES, find_file, find_site, load_site
from crawler.config.settings import Settings
from crawler.config.site import SiteConfig
from crawler.config.validation import ValidationConfig
from crawler.errors import ConfigError
from crawler.pipeline.services import open_services


@dataclass(frozen=True, slots=True)
class KnownSite:
    """A site of the catalog or of a site file."""

    name: str
    config: SiteConfig | None = None
    """None when the catalog knows it, but no site file is left."""


class SiteRules:
    """The rules of the sites, read once each; a bad site file concerns its own site only."""

    def __init__(self, settings: Settings, sites: Iterable[SiteConfig] = ()) -> None:
        self._folder = settings.sites_dir
        self._known: dict[str, ValidationConfig | ConfigError] = {
            site.name: site.validation for site in sites
        }

    def of(self, site: str) -> ValidationConfig:
        """The rules of a site; ConfigError when its site file is wrong."""
        if site not in self._known:
            self._known[site] = self._look_up(site)
        rules = self._known[site]
        if isinstance(rules, ConfigError):
            raise rules
        return rules

    def _look_up(self, site: str) -> ValidationConfig | ConfigError:
        try:
            file = find_file(site, self._folder)
        except ConfigError:
            return ValidationConfig()
        try:
            return load_site(file).validation
        except ConfigError as error:
            return error


def find_known_site(settings: Settings, name_or_file: str) -> KnownSite:
    """The site of a name or a site file; ConfigError when neither catalog nor folder knows it."""
    if Path(name_or_file).suffix in SUFFIXES:
        config = find_site(name_or_file, settings.sites_dir)
        return KnownSite(config.name, config)
    try:
        file = find_file(name_or_file, settings.sites_dir)
    except ConfigError:
        with open_services(settings) as services, services.database.reading() as session:
            if sites.site(session, name_or_file) is None:
                raise
        return KnownSite(name_or_file)
    config = load_site(file)
    return KnownSite(config.name, config)
