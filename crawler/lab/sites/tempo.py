"""How lively a kind of site is: what is published, replaced and removed, and how often."""

from dataclasses import dataclass

from crawler.lab.sites.calendar import Pace

_D, _W, _M, _Q, _N = Pace.DAILY, Pace.WEEKLY, Pace.MONTHLY, Pace.QUARTERLY, Pace.NEVER


@dataclass(frozen=True, slots=True)
class Tempo:
    """The habits of an office. Where paces are listed, every list, page or file draws one."""

    data_lists: tuple[Pace, ...]
    """Lists of data sections: how often they get a new page (or sheet) with files."""
    other_lists: tuple[Pace, ...]
    """Lists of the other sections, whose new pages rarely have files."""
    pages: tuple[Pace, ...]
    """Pages with files: how often a further file is put on them."""
    files: tuple[Pace, ...]
    """Files: how often they are replaced in place."""
    home_news: bool = True
    """Whether the start page shows the newest pages of every section."""
    items: int = 1
    """New pages on an average night of publication; some nights have none."""
    correction: float = 0.0005
    """Chance of a file to be corrected out of turn, per night."""
    file_loss: float = 0.0003
    """Chance of a file to be removed, per night."""
    page_loss: float = 0.0001
    """Chance of a page to be removed with its files, per night."""
    redesign: bool = True
    """Whether the templates, and with them all tag paths, change once."""


BUSY = Tempo(
    data_lists=(_D, _D, _W, _W, _W, _M),
    other_lists=(_D, _W, _W, _M),
    pages=(_W, _M, _M, _Q, *(_N,) * 12),
    files=(_D, _W, _M, _M, *(_N,) * 36),
    correction=0.001,
)
"""An agency: most lists have something new every day or week."""

STEADY = Tempo(
    data_lists=(_W, _W, _W, _M, _M, _M, _Q, _N),
    other_lists=(_D, _W, _W, _M, _N),
    pages=(_M, _M, _M, _Q, _Q, *(_N,) * 10),
    files=(_W, _M, _M, _Q, *(_N,) * 26),
)
"""A statistics office with a release calendar: Mondays and fixed days of the month."""

SLOW = Tempo(
    data_lists=(_W, _M, _M, _Q, _Q, _N),
    other_lists=(_W, _M, _N),
    pages=(_W, _M, _M, _Q, _Q, *(_N,) * 4),
    files=(_M, _Q, *(_N,) * 18),
    home_news=False,
    items=2,
    redesign=False,
)
"""A ministry: few new pages, but further files on old ones."""

BULLETIN = Tempo(
    data_lists=(_D, _W, _D),
    other_lists=(_D, _D, _W, _M),
    pages=(_N,),
    files=(_M, *(_N,) * 30),
    file_loss=0.0001,
)
"""A gazette: a few lists that grow at their head every day, and shift all their sheets.

What was printed once gets no further files."""

ARCHIVE = Tempo(
    data_lists=(_M, _Q, _Q, _N),
    other_lists=(_W, _W, _M, _N),
    pages=(_W, _W, _M, _M, _Q, _N, _N),
    files=(_W, _M, _Q, _Q, *(_N,) * 12),
    home_news=False,
    items=3,
    correction=0.002,
    file_loss=0.0006,
)
"""A portal whose old pages are kept up: files are added and replaced far from any list."""
