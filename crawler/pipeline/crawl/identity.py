"""What a crawl was begun with, and how to begin it again."""

import json
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from crawler.config.site import SiteConfig
from crawler.config.strategy import StrategyConfig
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


def as_begun(site: SiteConfig, state: CrawlState, *, planned: bool) -> SiteConfig:
    """The site with the strategy and the seed that its crawl was begun with.

    Nobody is there at night to set a changed file back: in a planned run the new values count from
    the next beginning on. Otherwise only what nobody chose gives way: a newer version may have
    another default.
    """
    known = state.meta()
    chosen = site.model_fields_set & {"strategy", "seed"}
    if "site" not in known or (chosen and not planned):
        return site
    strategy = strategy_of(known)
    if strategy is None:
        return site  # `check_identity` says what to do
    return site.model_copy(update={"strategy": strategy, "seed": int(known["seed"])})


def strategy_of(known: dict[str, str]) -> StrategyConfig | None:
    """The strategy in what a crawl was begun with; None when another version wrote it."""
    saved = json.loads(known.get("strategy", "{}"))
    fields = StrategyConfig.model_fields
    # A strategy without parameters refuses them, also with the values that they have anyway.
    given = {key: value for key, value in saved.items() if key == "name" or key in fields}
    given = {key: value for key, value in given.items() if value != fields[key].default}
    try:
        return StrategyConfig.model_validate_json(json.dumps(given))
    except ValidationError:
        return None


def is_of_another_site(site: SiteConfig, state: CrawlState) -> bool:
    """Whether a crawl was begun from another start page, or under another name."""
    known = state.meta()
    return "site" in known and (known["site"], known["start_url"]) != (site.name, site.start_url)


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
