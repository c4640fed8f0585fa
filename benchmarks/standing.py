"""What the comparison was made for: `sb` against the baselines, and `tallyho` against `sb`."""

import math

from crawler.lab.compare import Compared, mean
from crawler.lab.measured_run import SiteTruth
from crawler.lab.paper_tables import Table
from crawler.lab.ratios import geometric_mean, written

BASELINES = ("bfs", "dfs", "random", "focused", "dom-off")
TUNED_ON = ("be", "cl", "ju", "ed", "qa", "demo", "fema")
"""Sites that were looked at while `tallyho` was made; the others were measured when it was done."""


def is_tuned_on(site: SiteTruth) -> bool:
    """Whether `tallyho` was made with an eye on this site, or on one of its kind."""
    return site.name.split("-")[0] in TUNED_ON


def is_synthetic(site: SiteTruth) -> bool:
    """Whether it is one of the kinds after paper 000."""
    return site.spec.startswith("synth:")


def table_of_baselines(compared: Compared) -> Table:
    """On which synthetic kinds `sb` needs fewer requests than each of the baselines."""
    rows, won = [], 0
    for site in filter(is_synthetic, compared.sites):
        others = {
            name: requests
            for name in BASELINES
            if (requests := _requests(compared, site, name)) is not None
        }
        ours = _requests(compared, site, "sb")
        if ours is None or not others:
            continue
        best = min(others, key=lambda name: others[name])
        won += ours < others[best]
        rows.append(
            (site.name, f"{ours:,.0f}", best, f"{others[best]:,.0f}", written(ours / others[best]))
        )
    title = f"sb against the best of the baselines: fewer requests on {won} of {len(rows)} kinds"
    return Table(title, ("site", "sb", "best baseline", "its requests", "ratio"), tuple(rows))


def table_of_ours(compared: Compared) -> Table:
    """`tallyho` against `sb`, site by site, and the means over sites it was tuned on or not."""
    rows, ratios = [], dict[bool, list[float]]()
    for site in compared.sites:
        ours, theirs = (_requests(compared, site, name) for name in ("tallyho", "sb"))
        if ours is None or theirs is None or not math.isfinite(theirs):
            continue
        tuned = is_tuned_on(site)
        ratios.setdefault(tuned, []).append(ours / theirs)
        rows.append(
            (
                site.name,
                "yes" if tuned else "no",
                f"{theirs:,.0f}",
                f"{ours:,.0f}",
                written(ours / theirs),
            )
        )
    for tuned, what in ((True, "tuned on"), (False, "not tuned on")):
        if found := ratios.get(tuned):
            rows.append((f"geometric mean, {what}", "", "", "", written(geometric_mean(found))))
            rows.append((f"worst, {what}", "", "", "", written(max(found))))
    title = "tallyho against sb, requests until 90% of the targets, mean over the runs"
    return Table(title, ("site", "tuned on", "sb", "tallyho", "ratio"), tuple(rows))


def _requests(compared: Compared, site: SiteTruth, strategy: str) -> float | None:
    cell = compared.of(site, strategy)
    return mean(cell.requests) if cell else None
