"""Configuration: site files (YAML) and settings (environment), each with a reason when wrong.

For other code: `from crawler.config import load_settings, load_sites`. Imports are lazy, so that
importing a single module stays cheap.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from crawler.config.load import load_site, load_sites
    from crawler.config.problem import Problem
    from crawler.config.settings import Settings, load_settings
    from crawler.config.site import SiteConfig

__all__ = ["Problem", "Settings", "SiteConfig", "load_settings", "load_site", "load_sites"]

_MODULES = {"Settings": "settings", "load_settings": "settings", "SiteConfig": "site"}


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module(f"{__name__}.{_MODULES.get(name, 'load')}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
