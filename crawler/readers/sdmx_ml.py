"""Observations of SDMX-ML messages, generic and structure-specific, of versions 2 and 3."""

from typing import TYPE_CHECKING, Any, BinaryIO

from crawler.readers.bounds import DEFAULT_BOUNDS, Bounds
from crawler.readers.content import Content, Table
from crawler.readers.figures import column_of
from crawler.readers.kinds import Kind
from crawler.readers.records import column_names
from crawler.readers.xml_events import Enough, local_name, read_events

if TYPE_CHECKING:
    import pandas as pd

_CONTAINERS = ("SeriesKey", "ObsKey", "Attributes", "GroupKey")
_SCHEMA = "xsi:"
_VALUE = "OBS_VALUE"
MAX_CONCEPTS = 1000
"""Columns of one message: dimensions, attributes and values. Structures have some dozens."""


def read_sdmx_ml(
    stream: BinaryIO, bounds: Bounds = DEFAULT_BOUNDS, *, whole: bool = True
) -> Content:
    """The observations of a message; a message of structures holds none, and is no table.

    Without `whole` observations beyond the bounds are not counted.
    """
    message = _Message(bounds, whole)
    read_events(stream, bounds, message.start, message.end, message.say)
    if not message.total:
        return Content(Kind.SDMX_ML, detail="the SDMX message holds no observations")
    frame = message.frame()
    cut = message.total > len(frame) or message.columns > frame.shape[1]
    return Content(Kind.SDMX_ML, (Table("", Kind.SDMX_ML, frame, message.total, cut=cut),))


class _Message:
    """Collects the observations, each with the number of its series."""

    def __init__(self, bounds: Bounds, whole: bool) -> None:
        self._bounds = bounds
        self._whole = whole
        self._most = bounds.rows
        self._series: list[dict[str, str]] = [{}]
        self._observations: list[dict[str, str]] = []
        self._of_series: list[int] = []
        self._observation: dict[str, str] | None = None
        self._inside: str = ""
        self._text: list[str] | None = None
        self._in_group = False
        self.total = 0
        self.columns = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        name = local_name(name)
        if name == "Obs":
            self._begin_observation(attributes)
        elif name == "Series":
            self._begin_series(_plain(attributes))
        elif name == "Group":
            self._in_group = True
        elif name in _CONTAINERS:
            self._inside = name
        elif name == "Value" and self._inside and not self._in_group:
            # Version 2.0 names the concept otherwise than 2.1.
            concept = attributes.get("id") or attributes.get("concept", "")
            self._holder()[concept] = attributes.get("value", "")
        elif self._observation is not None:
            self._part(name, attributes)

    def end(self, name: str) -> None:
        name = local_name(name)
        if name == "Obs":
            self._end_observation()
        elif name == "Series":
            self._begin_series({})
        elif name == "Group":
            self._in_group = False
        elif name in _CONTAINERS:
            self._inside = ""
        elif name == "Time" and self._text is not None:
            if self._observation is not None:
                self._observation["TIME_PERIOD"] = "".join(self._text).strip()
            self._text = None

    def say(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)

    def frame(self) -> "pd.DataFrame":
        """A row per observation: the key of its series, then its own values."""
        import pyarrow as pa

        outer = column_names(self._series)
        known = set(outer)
        inner = [name for name in column_names(self._observations) if name not in known]
        self.columns = len(outer) + len(inner)
        most = min(self._bounds.columns, MAX_CONCEPTS)
        # Half of the room at most for what observations say of themselves, the value among it.
        inner = inner[: most - min(len(outer), most // 2)]
        outer = outer[: most - len(inner)]
        # Rows beyond the bound are left out first: names times series may be any number.
        kept = max(1, self._bounds.cells // max(1, len(outer) + len(inner)))
        of_series = pa.array(self._of_series[:kept], pa.int64())
        series_kept = self._series[: self._of_series[:kept][-1] + 1]
        columns: dict[str, Any] = {}
        for name in outer:
            values = pa.array([series.get(name) for series in series_kept], pa.string())
            columns[name] = values.take(of_series)
        for name in inner:
            values = [observation.get(name) for observation in self._observations[:kept]]
            columns[name] = pa.array(values, pa.string())
        # Codes and periods stay texts, also those that are digits; only the values are numbers.
        if _VALUE in columns:
            columns[_VALUE] = column_of(pa.chunked_array([columns[_VALUE]]))
        return pa.table(columns).to_pandas()

    def _begin_series(self, key: dict[str, str]) -> None:
        """A series that got no observation makes room for the next."""
        if self._of_series and self._of_series[-1] == len(self._series) - 1:
            self._series.append(key)
        else:
            self._series[-1] = key

    def _begin_observation(self, attributes: dict[str, str]) -> None:
        self.total += 1
        if self.total <= self._most:
            self._observation = _plain(attributes)
        elif not self._whole:
            raise Enough

    def _end_observation(self) -> None:
        if self._observation is not None:
            self._observations.append(self._observation)
            self._of_series.append(len(self._series) - 1)
            self._observation = None

    def _part(self, name: str, attributes: dict[str, str]) -> None:
        assert self._observation is not None  # noqa: S101 - for the type checker
        if name == "ObsValue":
            self._observation[_VALUE] = attributes.get("value", "")
        elif name == "ObsDimension":
            self._observation[attributes.get("id", "TIME_PERIOD")] = attributes.get("value", "")
        elif name == "Time":
            self._text = []

    def _holder(self) -> dict[str, str]:
        return self._series[-1] if self._observation is None else self._observation


def _plain(attributes: dict[str, str]) -> dict[str, str]:
    if any(":" in name for name in attributes):
        return {
            local_name(name): value
            for name, value in attributes.items()
            if not name.startswith((_SCHEMA, "xmlns"))
        }
    return attributes
