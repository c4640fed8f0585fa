"""Which known files are checked tonight, within a budget of requests.

Kolobov et al. 2019: with crawl rate p and change rate r, the expected harmonic staleness of a file
is ln(1 + r / p). Under a budget of R checks a night the sum over all files is least where

    p = (sqrt(r^2 + 4 r / m) - r) / 2,  m such that all p add up to R.

No file gets rate zero, however fast it changes. A file is due when 1 / p nights have passed, or
when a day has come on which it is replaced (`file_calendar`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from crawler.revisit.change_rate import pooled_change_rates
from crawler.revisit.features import day_number
from crawler.revisit.file_calendar import FileTimes, PastChanges, chances_of_release, last_changes
from crawler.revisit.night_plan import CheckMethod, FileReason, PlannedFile
from crawler.revisit.page_columns import Bools, Floats, Ints
from crawler.revisit.page_history import FileHistory, Validators
from crawler.revisit.visit_log import CHECK, SECONDS_PER_DAY, Outcome, gap_in_days

FULL_CHECK_EVERY = 5
"""A file without validators is downloaded again after this many checks by length alone."""
GONE_CHECK_DAYS = 30.0
"""A file marked gone is asked for again this often, as it may come back."""
SUSPECT_SHARE = 0.5
"""Largest share of the night's checks that goes to files thought missing."""

GONE_RATE = 0.002
"""Chance per night that a file is removed, as long as nothing else is known: it bounds how seldom a
file that never changes is looked at."""
RELEASE_WEIGHT = 4.0
"""A file that was surely replaced since its last check is as urgent as one overdue this often."""

_HALVINGS = 60


def crawl_rates(rates: Floats, budget: float) -> Floats:
    """Checks per night of each file, for change rates per night; they add up to the budget."""
    if not len(rates) or budget <= 0:
        return np.zeros(len(rates))
    rates = np.maximum(rates, 1e-12)
    low, high = -60.0, 60.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _rates_at(rates, middle).sum() > budget:
            low = middle
        else:
            high = middle
    return _rates_at(rates, high)


def _rates_at(rates: Floats, log_multiplier: float) -> Floats:
    # The same as (sqrt(r^2 + 4 r / m) - r) / 2, without the difference of two large numbers.
    quarter = 4.0 * np.exp(-log_multiplier)
    wanted: Floats = quarter * rates / (2.0 * (np.sqrt(rates**2 + quarter * rates) + rates))
    # A night checks a file once at most.
    return np.minimum(wanted, 1.0)


def due_files(files: Sequence[FileHistory], budget: int, now: float) -> list[PlannedFile]:
    """The files to check tonight: those thought missing first, then the most overdue ones."""
    if budget <= 0 or not files:
        return []
    ages = np.array([_age(file, now) for file in files])
    order: list[tuple[int, FileReason, float]] = []
    suspects = [row for row, file in enumerate(files) if _is_suspect(file)]
    suspects.sort(key=lambda row: (files[row].missing == 0, -ages[row]))
    for row in suspects[: max(int(budget * SUSPECT_SHARE), 1)]:
        reason = FileReason.MISSING if files[row].missing else FileReason.UNLINKED
        order.append((row, reason, float(ages[row])))
    taken = {row for row, _, _ in order}
    for row, overdue in _by_rate(files, ages, budget, now):
        if len(order) >= budget:
            break
        waits = files[row].gone and ages[row] < GONE_CHECK_DAYS
        if row not in taken and not waits and _may_ask(files[row], now):
            order.append((row, FileReason.CHANGE_RATE, overdue))
    return [
        PlannedFile(files[row].id, reason, _method(files[row]), score)
        for row, reason, score in order
    ]


def _by_rate(
    files: Sequence[FileHistory], ages: Floats, budget: int, now: float
) -> list[tuple[int, float]]:
    """Rows with their urgency, the most urgent first: 1 is a file whose interval has passed."""
    checks = _checks(files)
    codes: dict[str, int] = {}
    group = np.array([codes.setdefault(file.template, len(codes)) for file in files])
    rates = pooled_change_rates(checks.gap, checks.changed, checks.row, group)
    urgency = ages * crawl_rates(rates + GONE_RATE, budget)
    urgency += RELEASE_WEIGHT * _released(files, checks, now)
    # Of two that are equally urgent, the one that was not checked for longer.
    best = np.lexsort((-ages, -np.round(urgency, 9)))
    return [(int(at), float(urgency[at])) for at in best]


def _released(files: Sequence[FileHistory], checks: "_Checks", now: float) -> Floats:
    """The chance of each file that a day on which it is replaced has come since its last check."""
    seen = [file.first_seen if file.last_check is None else file.last_check for file in files]
    changed = checks.changed
    past = PastChanges(checks.row[changed], checks.day[changed], checks.gap[changed])
    modified = [-1.0 if file.modified is None else file.modified for file in files]
    times = FileTimes(
        changed=last_changes(day_number(np.array(modified)), past),
        checked=day_number(np.array(seen)),
        today=int(day_number(np.array([now]))[0]),
    )
    return chances_of_release(times, past)


@dataclass(frozen=True, slots=True)
class _Checks:
    """All checks that were answered with the file."""

    row: Ints
    day: Ints
    gap: Floats
    changed: Bools


def _checks(files: Sequence[FileHistory]) -> _Checks:
    log = np.frombuffer(b"".join(file.checks for file in files), CHECK)
    lengths = np.array([len(file.checks) // CHECK.itemsize for file in files])
    row = np.repeat(np.arange(len(files)), lengths)
    said = log["outcome"] != Outcome.GONE
    log = log[said]
    return _Checks(
        row[said],
        day_number(log["at"]),
        log["gap"].astype(np.float64),
        log["outcome"] == Outcome.CHANGED,
    )


def _age(file: FileHistory, now: float) -> float:
    """Days since the last check; a check in the future (the clock was set back) counts as a day."""
    last = file.last_check if file.last_check is not None else file.first_seen
    return 1.0 if last > now else gap_in_days(last, now)


def _is_suspect(file: FileHistory) -> bool:
    return not file.gone and (file.missing > 0 or file.unlinked)


def _may_ask(file: FileHistory, now: float) -> bool:
    if not file.failures or file.last_try is None or file.last_try > now:
        return True
    return (now - file.last_try) / SECONDS_PER_DAY >= 2.0 ** min(file.failures - 1, 5) - 0.5


def _method(file: FileHistory) -> CheckMethod:
    if file.validators != Validators.NONE:
        return CheckMethod.CONDITIONAL
    return CheckMethod.FULL if file.unproven + 1 >= FULL_CHECK_EVERY else CheckMethod.LENGTH
