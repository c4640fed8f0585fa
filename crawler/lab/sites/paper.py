"""What paper 000 reports about its websites: Table I, Table V and the confusion matrices."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SiteProfile:
    """The statistics of one website, as the paper measures them."""

    available: int
    """Pages and files without errors (Table I, in units)."""
    targets: int
    html_to_target: float
    """Percentage of HTML pages with a link to a target."""
    size_mean: float
    """Of a target, in MB."""
    size_deviation: float
    depth_mean: float
    """Links from the start page to a target."""
    depth_deviation: float
    reward_mean: float
    """Targets of a page that gave any (Table V)."""
    reward_deviation: float
    neither_per_page: float
    """URLs that are dead or of another type, for each HTML page (Tables VII to XVII)."""
    neither_like_files: float
    """Share of them that a classifier takes for targets."""

    @property
    def density(self) -> float:
        """Targets by everything that is available."""
        return self.targets / self.available

    @property
    def spread(self) -> float:
        """Standard deviation by mean of the targets of a page that has any."""
        return self.reward_deviation / self.reward_mean


UNKNOWN_NEITHER = 0.1
"""The paper does not report it for sites that were not crawled to their end."""

PAPER = {
    "be": SiteProfile(31_230, 15_840, 32.19, 2.03, 6.99, 5.73, 3.21, 4.5, 20.9, 0.411, 0.485),
    "ce": SiteProfile(
        988_370, 257_680, 3.47, 1.51, 15.77, 4.23, 0.48, 30.2, 290.3, UNKNOWN_NEITHER, 0.3
    ),
    "cl": SiteProfile(5_540, 3_700, 5.40, 1.15, 4.91, 2.80, 0.82, 12.4, 2.8, 0.265, 0.766),
    "ed": SiteProfile(102_710, 10_470, 3.95, 1.00, 3.07, 11.89, 13.22, 2.5, 7.1, 0.113, 0.135),
    "il": SiteProfile(
        990_710, 81_010, 2.53, 13.40, 110.01, 4.26, 1.28, 3.1, 53.9, UNKNOWN_NEITHER, 0.3
    ),
    "in": SiteProfile(922_460, 22_980, 1.54, 1.12, 3.06, 66.94, 39.43, 1.6, 4.2, 0.109, 0.041),
    "is": SiteProfile(285_550, 168_880, 41.34, 3.13, 21.43, 5.20, 1.81, 3.5, 11.1, 0.029, 0.659),
    "ju": SiteProfile(56_610, 14_850, 4.85, 0.48, 1.34, 86.91, 86.30, 5.4, 10.5, 0.036, 0.721),
    "ok": SiteProfile(423_120, 12_950, 0.74, 0.04, 0.24, 2.64, 2.89, 5.5, 13.9, 0.037, 0.150),
    "qa": SiteProfile(4_360, 2_450, 4.15, 2.97, 19.28, 3.03, 0.61, 15.4, 18.8, 1.168, 0.158),
    "wo": SiteProfile(
        223_670, 23_100, 2.38, 2.80, 27.16, 4.52, 0.69, 2.1, 43.5, UNKNOWN_NEITHER, 0.3
    ),
}
