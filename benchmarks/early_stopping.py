"""What early stopping of `tallyho` leaves and saves, beside the rule that it had before.

    python -m benchmarks.early_stopping [--sites FOLDER] [--write docs/strategies.md]

Every site is crawled with early stopping, and then to its end from where that ended it: a crawl
that is resumed makes the requests that it would have made. The rule of before (commit 75c2d23: the
yield alone, from an average that starts at one) is applied to the crawl to the end.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from benchmarks.markdown import markdown, write_between_markers
from benchmarks.recorded_sites import recorded_sites
from crawler.config.strategy import EarlyStopping, TallyhoConfig
from crawler.engine.crawl import Crawl
from crawler.lab.measured_run import site_for
from crawler.lab.measured_site import MeasuredSite, open_measured_site
from crawler.lab.paper_tables import Table
from crawler.lab.processes import each_in_a_process
from crawler.lab.replay import Replayed, replay
from crawler.lab.sites.kinds import KINDS
from crawler.lab.sites.variants import VARIANTS
from crawler.state.crawl_state import IN_MEMORY, CrawlState
from crawler.strategies.make import make_strategy

MARKER = "early stopping"
KEPT, SAVED = 0.98, 1 / 3
"""What it is meant to come to: on every site, and in the mean."""


@dataclass(frozen=True, slots=True)
class Crawled:
    """One site to be crawled."""

    spec: str
    seed: int


@dataclass(frozen=True, slots=True)
class Ended:
    """A crawl to the end, and where two rules ended it."""

    name: str
    targets: int
    whole: int
    """Requests of the crawl to the end."""
    last: int
    """The request that gave the last target."""
    ended: int
    kept: int
    ended_before: int
    kept_before: int

    def saved(self, ended: int) -> float:
        """The share of the requests after the last target that were not made."""
        return (self.whole - max(ended, self.last)) / max(self.whole - self.last, 1)


def main() -> None:
    """Crawl, print, and write where asked."""
    options = arguments()
    with tempfile.TemporaryDirectory() as room:
        recorded = recorded_sites(options.sites, Path(room), say)
        first = options.first_site_seed
        pieces = [
            Crawled(f"synth:{kind}:{options.pages}:{seed}", options.seed)
            for kind in options.kinds.split(",")
            if kind
            for seed in range(first, first + options.site_seeds)
        ] + [Crawled(spec, options.seed) for spec in recorded]
        ended: dict[Crawled, Ended] = {}
        begin = time.monotonic()
        for done in each_in_a_process(measure, pieces, options.jobs):
            if done.result is None:
                raise SystemExit(f"{done.work.spec}: {done.failure}")
            ended[done.work] = done.result
            minutes = (time.monotonic() - begin) / 60
            sys.stderr.write(f"{len(ended)} of {len(pieces)}, {minutes:.1f} min: {done.result}\n")
    text = report([ended[piece] for piece in pieces], options)
    say(text)
    if options.write:
        write_between_markers(options.write, MARKER, text)


def measure(work: Crawled) -> Ended:
    """Crawl a site until it is ended, go on without the rule, and apply the rule of before."""
    with (
        closing(open_measured_site(work.spec)) as site,
        closing(CrawlState(IN_MEMORY, steps_per_commit=1000)) as state,
    ):
        early = crawl(site, state, work.seed, stopping=True)
        rest = crawl(site, state, work.seed, stopping=False)
    targets_after = [*early.targets_after, *rest.targets_after]
    before = ended_before(targets_after)
    return Ended(
        site.name,
        rest.targets,
        rest.requests,
        targets_after.index(rest.targets) + 1,
        early.requests,
        early.targets,
        before,
        targets_after[before - 1],
    )


def crawl(site: MeasuredSite, state: CrawlState, seed: int, *, stopping: bool) -> Replayed:
    """Replay `tallyho` with its defaults, from where the state is."""
    config = site_for(site.start_url, seed, targets=site.target_types, scope=site.scope)
    if stopping:
        config = config.model_copy(update={"early_stopping": EarlyStopping()})
    made = Crawl(
        config,
        make_strategy(TallyhoConfig(), seed),
        state,
        agent="Tallyho",
        wall_clock=time.time,
        monotonic=time.monotonic,
    )
    return replay(made, state, site.respond)


def ended_before(targets_after: Sequence[int]) -> int:
    """The request after which the rule of commit 75c2d23 ended a crawl."""
    half_life, floor, patience = 500, 0.002, 3000
    decay, smoothed, under, known = 0.5 ** (1 / half_life), 1.0, 0, 0
    for number, targets in enumerate(targets_after, 1):
        smoothed = decay * smoothed + (1 - decay) * (targets - known)
        known = targets
        under = under + 1 if smoothed < floor else 0
        if under >= patience:
            return number
    return len(targets_after)


def report(ended: Sequence[Ended], options: argparse.Namespace) -> str:
    """The table, and what it comes to."""
    return "\n\n".join([told(options), markdown(table(ended)), *sentences(ended)])


def told(options: argparse.Namespace) -> str:
    """The command that prints it again."""
    sites = " --sites FOLDER" if options.sites else ""
    return (
        f"`python -m benchmarks.early_stopping --pages {options.pages} --site-seeds"
        f" {options.site_seeds} --first-site-seed {options.first_site_seed}{sites}`:"
    )


def table(ended: Sequence[Ended]) -> Table:
    """One row for each site."""
    columns = (
        "site",
        "targets",
        "requests to the end",
        "last target at",
        "ended at",
        "targets kept",
        "saved after the last",
        "before: ended at",
        "kept",
        "saved",
    )
    rows = [
        (
            one.name,
            f"{one.targets:,}",
            f"{one.whole:,}",
            f"{one.last:,}",
            f"{one.ended:,}",
            f"{one.kept / one.targets:.1%}",
            f"{one.saved(one.ended):.0%}",
            f"{one.ended_before:,}",
            f"{one.kept_before / one.targets:.1%}",
            f"{one.saved(one.ended_before):.0%}",
        )
        for one in ended
    ]
    return Table("Early stopping", columns, tuple(rows))


def sentences(ended: Sequence[Ended]) -> list[str]:
    """Means, the worst site, and whether they are what they are meant to be."""
    kept = [one.kept / one.targets for one in ended]
    saved = statistics.fmean(one.saved(one.ended) for one in ended)
    before = statistics.fmean(one.saved(one.ended_before) for one in ended)
    after_last = sum(one.whole - one.last for one in ended)
    of_all = sum(one.saved(one.ended) * (one.whole - one.last) for one in ended) / after_last
    under = sum(share < KEPT for share in kept)
    return [
        *_endless(ended),
        f"Fewest targets kept on a site: {min(kept):.1%}; under {KEPT:.0%}: {under} of"
        f" {len(ended)} sites. Saved of the requests after the last target: {saved:.0%} in the"
        f" mean over sites ({of_all:.0%} of all of them together), {before:.0%} by the rule of"
        f" before; {SAVED:.0%} is meant to be saved.",
    ]


def _endless(ended: Sequence[Ended]) -> list[str]:
    """What a calendar, facets and print versions cost: `endless` is `ce` with them."""
    by_name = {one.name: one for one in ended}
    pairs = [
        (one, by_name[plain])
        for one in ended
        if (plain := one.name.replace("endless-", "ce-", 1)) in by_name and plain != one.name
    ]
    if not pairs:
        return []
    cost = [f"{one.ended / plain.ended:.2f}" for one, plain in pairs]
    mean = statistics.geometric_mean(one.ended / plain.ended for one, plain in pairs)
    return [
        f"Requests of `endless` with early stopping against `ce`, the same site without endless"
        f" parts: {', '.join(cost)} times, {mean:.2f} in the geometric mean."
    ]


def say(line: str) -> None:
    """A line on standard output, at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def arguments() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sites", type=Path, help="folder of recorded sites")
    kinds = ",".join((*KINDS, *VARIANTS))
    parser.add_argument("--kinds", default=kinds, help="synthetic kinds; empty for none")
    parser.add_argument("--pages", type=int, default=3000, help="pages of a synthetic site")
    parser.add_argument("--site-seeds", type=int, default=3, help="sites of each kind")
    parser.add_argument("--first-site-seed", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1, help="of the crawls")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--write", type=Path, help="document with the markers")
    return parser.parse_args()


if __name__ == "__main__":
    main()
