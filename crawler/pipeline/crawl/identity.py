"""What a crawl was started with, and how to start it again."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from crawler.config.site import SiteConfig
from crawler.config.strategy import STRATEGIES, StrategyConfig
from crawler.errors import ConfigError
from crawler.state.crawl_state import CrawlState
from crawler.state.run import CrawlIdentity


def identity_of(site: SiteConfig) -> CrawlIdentity:
    """What a crawl of this site is started with."""
    strategy = json.dumps(site.strategy.model_dump(mode="json"), sort_keys=True)
    return CrawlIdentity(site.name, site.start_url, strategy, site.seed)


def check_identity(site: SiteConfig, state: CrawlState) -> None:
    """A crawl is resumed only with what it was started with: its decisions depend on it."""
    wanted, known = identity_of(site), state.identity()
    if known is None:
        state.set_identity(replace(wanted, created_at=datetime.now(UTC)))
        return
    for name in ("site", "start_url", "strategy", "seed"):
        before, now = getattr(known, name), getattr(wanted, name)
        if before != now:
            raise ConfigError(
                f"the crawl in {state.path} was started with {name} {before}, and now it is "
                f"{now}: set it back, or start again with --fresh",
                site=site.name,
            )


def as_started(site: SiteConfig, state: CrawlState, *, planned: bool) -> SiteConfig:
    """The site with the strategy and the seed that its crawl was started with.

    In a planned run a changed site file counts only when the crawl is started again: nobody is
    there at night to set the file back. Otherwise only what the file says itself counts: defaults
    give way, as a newer version may have other ones.
    """
    known = state.identity()
    strategy = None if known is None else strategy_of(known)
    if known is None or strategy is None:
        return site  # `check_identity` says what to do
    said = set() if planned else site.model_fields_set
    if "strategy" in said:
        strategy = _with_what_is_said(strategy, site.strategy)
    seed = site.seed if "seed" in said else known.seed
    return site.model_copy(update={"strategy": strategy, "seed": seed})


def _with_what_is_said(started: StrategyConfig, now: StrategyConfig) -> StrategyConfig:
    """The strategy that a crawl was started with, but for the parameters that are named now."""
    if now.name != started.name:
        return now
    return started.model_copy(update={name: getattr(now, name) for name in now.model_fields_set})


def strategy_of(identity: CrawlIdentity) -> StrategyConfig | None:
    """The strategy that a crawl was started with; None when this version cannot read it."""
    saved = json.loads(identity.strategy)
    model = STRATEGIES.get(saved.get("name"))
    if model is None:
        return None
    # An older version may have had parameters that are gone.
    given = {key: value for key, value in saved.items() if key in model.model_fields}
    try:
        return model.model_validate_json(json.dumps(given))
    except ValidationError:
        return None


def is_of_another_site(site: SiteConfig, state: CrawlState) -> bool:
    """Whether the crawl was started from another start page, or under another name."""
    known = state.identity()
    return known is not None and (known.site, known.start_url) != (site.name, site.start_url)


def set_aside(*paths: Path) -> None:
    """Make room for a new start, and keep one generation of what was there."""
    for path in paths:
        for part in ("", "-wal", "-shm"):  # the log of a killed run belongs to its database
            old, new = path.name + part, f"{previous_of(path).name}{part}"
            if path.with_name(old).exists():
                path.with_name(old).replace(path.with_name(new))
            else:
                path.with_name(new).unlink(missing_ok=True)


def previous_of(path: Path) -> Path:
    """Where a file is set aside."""
    return path.with_name(f"{path.stem}.previous{path.suffix}")
