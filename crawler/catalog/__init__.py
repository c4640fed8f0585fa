"""The catalog: what was acquired, from where, in which versions, and how to find it.

For analysts: `from crawler.catalog import open_catalog`, then `catalog.search("births")` and
`catalog.read(ID)`. Imports are lazy, so that importing a single module stays cheap.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from crawler.catalog.facade import Catalog, open_catalog

__all__ = ["Catalog", "open_catalog"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        from crawler.catalog import facade

        return getattr(facade, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
