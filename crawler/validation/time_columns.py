"""Which columns tell the time that the figures are about."""

import re
from enum import StrEnum

from crawler.readers.names import SEPARATOR
from crawler.readers.periods import is_period


class TimeName(StrEnum):
    """What the name of a column says about time."""

    YEAR = "year"
    DATE = "date"
    PERIOD = "period"
    PART = "part"
    """A month, quarter or week without its year: its values may be 1 to 12, or names."""


_WORDS = {
    TimeName.YEAR: """
        year yr années année annee annees an jahr jahre berichtsjahr año años ano anos anno anni
        jaar jaren år rok vuosi 年 年度 年次 西暦 год 연도 年份 fiscalyear
    """,
    TimeName.DATE: """
        date dates datum fecha fechas data dia jour day tag giorno dag datetime timestamp
        stichtag 日付 年月日 年月 月日 дата 日期 timepoint
    """,
    TimeName.PERIOD: """
        time period periods période periode périodes perioden zeit zeitraum zeitpunkt tiempo
        periodo período períodos periodos tempo tijd timeperiod 時点 期間 時間軸 時期 период 时间
    """,
    TimeName.PART: """
        month months mois monat mes mese mesi maand maanden mês 月 quarter quarters qtr trimestre
        trimestres quartal kwartaal 四半期 week semaine woche semana settimana semestre halbjahr
        semester
    """,
}
_KIND_OF_WORD = {word: kind for kind, words in _WORDS.items() for word in words.split()}
# Words that stand beside: TIME_PERIOD, reference year, date de référence, année scolaire.
_BESIDE_TEXT = """
ref reference référence fiscal calendar end start begin beginning of de du la le der des di do da
del code id label school scolaire civile financial survey obs observation report reporting
statistical census and y m d yyyy mm dd iso name num no
"""
_BESIDE = frozenset(_BESIDE_TEXT.split())
# `data` is Italian and Portuguese for date, and English for anything.
_DOUBTFUL = frozenset({"data", "an", "dag", "tag", "no"})
_SPLIT = re.compile(r"[\W_]+|(?<=[a-zà-ÿ])(?=[A-ZÀ-Ý])")


def words_of(name: str) -> list[str]:
    """The words of a column's name in small letters: TIME_PERIOD, refYear, Année (1)."""
    return [word.lower() for word in _SPLIT.split(name[:200]) if word and not word.isdigit()]


def time_name(name: str) -> TimeName | None:
    """What a column's whole name says about time; a name that says more is none."""
    if SEPARATOR in name and is_period(name.rpartition(SEPARATOR)[2]):
        # `Reference date / 31.12.2020` says the time itself: below it stand figures of that day.
        return None
    words = words_of(name)
    kinds = [_KIND_OF_WORD[word] for word in words if word in _KIND_OF_WORD]
    if not kinds or any(word not in _KIND_OF_WORD and word not in _BESIDE for word in words):
        return None
    if all(word in _DOUBTFUL or word in _BESIDE for word in words):
        return None
    for kind in (TimeName.PART, TimeName.PERIOD, TimeName.DATE, TimeName.YEAR):
        if kind in kinds:
            return kind
    return None


def mentions_time(name: str) -> bool:
    """Whether any word of a column's name is about time."""
    return any(word in _KIND_OF_WORD and word not in _DOUBTFUL for word in words_of(name))
