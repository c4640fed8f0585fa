"""The navigation patterns of sites in the store: learned by a crawl, followed by later ones."""

from collections.abc import Sequence
from pathlib import Path

from crawler.config.document import read_document
from crawler.config.load import read_bytes, read_site
from crawler.config.problem import Problem
from crawler.config.site import SiteConfig
from crawler.config.strategy import AcebotConfig, is_pattern_file
from crawler.errors import ConfigError
from crawler.state.crawl_state import CrawlState
from crawler.storage.interface import ObjectStore
from crawler.strategies.pattern_set import (
    LEARNED,
    MAX_BYTES,
    PATTERNS,
    PatternSet,
    read_pattern_set,
)


def patterns_to_follow(site: SiteConfig, store: ObjectStore) -> PatternSet | None:
    """What a crawl that starts now follows without a sample; None where it has to take one.

    ConfigError when the site file names patterns that are not there.
    """
    strategy = site.strategy
    if not isinstance(strategy, AcebotConfig):
        return None
    if strategy.patterns is None:
        own = saved_patterns(store, site.name)
        # With other parameters than now they would not have been learned.
        alike = own is not None and (own.attributes, own.scored_by) == (
            strategy.attributes,
            strategy.items,
        )
        return own if alike else None
    if is_pattern_file(strategy.patterns):
        return _read_file(Path(strategy.patterns), site.name)
    found = saved_patterns(store, strategy.patterns)
    if found is None:
        raise ConfigError(
            f"strategy.patterns: {strategy.patterns} has no patterns yet; crawl it with the "
            "strategy acebot first, or name a pattern file",
            site=site.name,
        )
    return found


def _read_file(path: Path, site: str) -> PatternSet:
    try:
        return read_pattern_set(_bytes_of(path))
    except (OSError, ValueError) as error:
        raise ConfigError(f"strategy.patterns: {path}: {_reason(error)}", site=site) from None


def _bytes_of(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)


def check_pattern_files(files: Sequence[Path]) -> list[Problem]:
    """What is wrong with the pattern files that site files name."""
    problems = []
    for file in files:
        site, _ = read_site(file)
        strategy = site.strategy if site is not None else None
        if not isinstance(strategy, AcebotConfig) or not is_pattern_file(strategy.patterns or ""):
            continue
        path = Path(strategy.patterns or "")
        try:
            read_pattern_set(_bytes_of(path))
        except (OSError, ValueError) as error:
            line = read_document(read_bytes(file)).line_of(("strategy", "patterns"))
            reason = f"{path}: {_reason(error)}"
            problems.append(Problem(file, line, "strategy.patterns", reason))
    return problems


def saved_patterns(store: ObjectStore, site: str) -> PatternSet | None:
    """What the last crawl that took a sample of this site has learned."""
    data = store.get_object(_key(site))
    if data is None:
        return None
    try:
        return read_pattern_set(data)
    except ValueError:
        return None  # of another version, or damaged: the next crawl takes a sample


def patterns_of_crawl(state: CrawlState) -> PatternSet | None:
    """The patterns that a crawl follows now; None in its sample, and with another strategy."""
    data = dict(state.memory()).get(PATTERNS)
    return read_pattern_set(data) if data else None


def save_patterns(state: CrawlState, store: ObjectStore, site: str) -> None:
    """Keep what a crawl has learned for later ones; what it was given is not its own."""
    if LEARNED not in dict(state.memory()):
        return
    learned = patterns_of_crawl(state)
    if learned is not None and learned.patterns:
        store.put_object(_key(site), learned.encode())


def forget_patterns(store: ObjectStore, site: str) -> bool:
    """The next crawl from the start takes a sample again; False when there was nothing."""
    known = store.get_object(_key(site)) is not None
    store.delete_object(_key(site))
    return known


def _key(site: str) -> str:
    return f"patterns/{site}.json"
