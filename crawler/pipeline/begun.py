"""What a crawl was begun with, and how to begin it again."""

import json
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from crawler.config.site import SiteConfig
from crawler.errors import ConfigError
from crawler.state.crawl_state import CrawlState


def check_identity(site: SiteConfig, state: CrawlState) -> None:
    """A crawl goes on only as what it was begun: its decisions depend on these values."""
    wanted = {
        "site": site.name,
        "start_url": site.start_url,
        "strategy": json.dumps(site.strategy.model_dump(mode="json"), sort_keys=True),
        "seed": str(site.seed),
    }
    known = state.meta()
    if "site" not in known:
        state.set_meta(wanted | {"created_at": datetime.now(UTC).isoformat()})
        return
    for key, value in wanted.items():
        if known.get(key) != value:
            raise ConfigError(
                f"the crawl in {state.path} was begun with {key} {known.get(key)}, and now it is "
                f"{value}: set it back, or begin again with --fresh",
                site=site.name,
            )


def set_aside(*paths: Path) -> None:
    """Begin again, but keep one generation of what was there."""
    for path in paths:
        for part in ("", "-wal", "-shm"):  # the log of a killed run belongs to its database
            old, new = path.name + part, f"{path.stem}.previous{path.suffix}{part}"
            if path.with_name(old).exists():
                path.with_name(old).replace(path.with_name(new))
            else:
                path.with_name(new).unlink(missing_ok=True)


def last_fence(path: Path) -> int | None:
    """The fence under which a state of this machine was last written; None without a state."""
    if not path.exists():
        return None
    with closing(CrawlState(path)) as state:
        return int(state.meta().get("fence", "0"))
