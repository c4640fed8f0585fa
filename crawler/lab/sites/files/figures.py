"""Believable figures: a measure over periods and regions, with a trend, weights and noise."""

from dataclasses import dataclass, replace

from crawler.lab.sites.chance import Stream

LAST_YEAR = 2025
FIRST_YEAR = 1990
MAX_CELLS = 700
"""Keeps the largest file near 60 KB."""

REGIONS = (
    ("Norvenia", "Norvénie"),
    ("Ostrel Coast", "Côte d'Ostrel"),
    ("Upper Vell", "Haut-Vell"),
    ("Lower Vell", "Bas-Vell"),
    ("Carrin", "Carrin"),
    ("Sainte-Aude", "Sainte-Aude"),
    ("Merrowland", "Terre de Merrow"),
    ("Tarn Valley", "Vallée de la Tarne"),
    ("Isles of Dray", "Îles de Dray"),
    ("Kestrel Hills", "Collines de Crécelle"),
    ("Port Lorne", "Port-Lorne"),
    ("Fenwick Plain", "Plaine de Fenouil"),
)
"""In English and French; the country first, then its regions."""

EUROPE = (
    ("Europe", "Europe", "Europa"),
    ("Corsica", "Corse", "Korsika"),
    ("Brittany", "Bretagne", "Bretagne"),
    ("Bavaria", "Bavière", "Bayern"),
    ("Saxony", "Saxe", "Sachsen"),
    ("Tuscany", "Toscane", "Toskana"),
    ("Sicily", "Sicile", "Sizilien"),
    ("Catalonia", "Catalogne", "Katalonien"),
    ("Flanders", "Flandre", "Flandern"),
    ("Lombardy", "Lombardie", "Lombardei"),
    ("Thuringia", "Thuringe", "Thüringen"),
    ("Normandy", "Normandie", "Normandie"),
)
"""Places that exist, in English, French and German."""

Regions = tuple[tuple[str, ...], ...]
_NAMES_IN = {"en": 0, "fr": 1, "de": 2}

WEIGHTS = (1.0, 0.19, 0.08, 0.11, 0.06, 0.07, 0.1, 0.09, 0.03, 0.05, 0.16, 0.06)
"""The country, then each region's share of it."""


_LABELS = {
    "en": ("Period", "Region", "Value"),
    "fr": ("Période", "Région", "Valeur"),
    "de": ("Zeitraum", "Region", "Wert"),
}


@dataclass(frozen=True, slots=True)
class Cube:
    """The figures of one data file; every format writes the same thing."""

    code: str
    title: str
    language: str
    """Code of the language of title and labels: en, fr or de."""
    periods: tuple[str, ...]
    regions: tuple[tuple[str, str], ...]
    """Code and name of each."""
    values: tuple[tuple[float, ...], ...]
    """One row per period, one value per region."""
    decimals: int

    @property
    def labels(self) -> tuple[str, str, str]:
        """What period, region and value are called in the file's language."""
        return _LABELS[self.language]

    def text(self, value: float) -> str:
        """A value with its decimals."""
        return f"{value:.{self.decimals}f}"


def cube(code: str, title: str, language: str, stream: Stream, places: Regions = REGIONS) -> Cube:
    """The figures that belong to a stream of chance."""
    periods, steps_per_year = _periods(stream)
    count = min(len(places), 5 + stream.number() % 8, MAX_CELLS // len(periods))
    name = _NAMES_IN[language]
    regions = tuple((f"NV{index:02d}", places[index][name]) for index in range(count))
    decimals = stream.pick((0, 0, 1, 2))
    # Rates, indices and averages do not add up over regions; counts do.
    weights = (
        tuple(0.94 + 0.12 * stream.fraction() for _ in range(count))
        if decimals
        else WEIGHTS[:count]
    )
    level = 10 ** ((1 if decimals else 3.5) + 2 * stream.fraction())
    step = (0.98 + 0.06 * stream.fraction()) ** (1 / steps_per_year)
    rows = []
    for _ in periods:
        rows.append(
            tuple(
                round(level * weight * (0.98 + 0.04 * stream.fraction()), decimals)
                for weight in weights
            )
        )
        level *= step
    return Cube(code, title, language, periods, regions, tuple(rows), decimals)


def revised(table: Cube, version: int, stream: Stream) -> Cube:
    """A later version: the figures of the last periods are others, and often as long."""
    rows = list(table.values)
    for at in range(len(rows) - 1 - version % 3, len(rows)):
        rows[at] = tuple(
            round(value * (0.985 + 0.03 * stream.fraction()), table.decimals) for value in rows[at]
        )
    return replace(table, values=tuple(rows))


def _periods(stream: Stream) -> tuple[tuple[str, ...], int]:
    draw = stream.number() % 10
    if draw < 5:
        years = range(FIRST_YEAR + stream.number() % 16, LAST_YEAR + 1)
        return tuple(str(year) for year in years), 1
    if draw < 7:
        years = range(LAST_YEAR - 3 - stream.number() % 17, LAST_YEAR)
        return tuple(f"{year}-Q{quarter}" for year in years for quarter in range(1, 5)), 4
    years = range(LAST_YEAR - 2 - stream.number() % 14, LAST_YEAR)
    return tuple(f"{year}-{month:02d}" for year in years for month in range(1, 13)), 12
