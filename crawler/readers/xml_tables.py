"""Tables in XML of any kind: the element that comes most often with fields in it is a record."""

from collections import Counter
from dataclasses import dataclass, field
from typing import BinaryIO

from crawler.readers.bounds import DEFAULT_BOUNDS, Bounds
from crawler.readers.content import Content, Table
from crawler.readers.kinds import Kind
from crawler.readers.records import column_names, frame_of_columns
from crawler.readers.xml_events import local_name, read_events

_MAX_PATHS = 500
_MAX_FIELDS = 2000
_MAX_PARTS = 50
_MAX_TEXT = 100_000
_MIN_RECORDS = 2


def read_xml(stream: BinaryIO, bounds: Bounds = DEFAULT_BOUNDS, *, raw: bool = False) -> Content:
    """The records of an XML document; no table where nothing in it is repeated."""
    tree = _Tree(bounds)
    read_events(stream, bounds, tree.start, tree.end, tree.say)
    path = tree.path_of_records()
    if path is None:
        return Content(Kind.XML, detail="the XML holds no repeated records")
    records, total = tree.records[path], tree.counts[path]
    every = column_names(records)
    names = every[: bounds.columns]
    kept = min(len(records), bounds.rows_of(len(names)))
    frame = frame_of_columns(
        {name: [record.get(name) for record in records[:kept]] for name in names}, raw=raw
    )
    cut = kept < total or len(names) < len(every)
    return Content(Kind.XML, (Table("", Kind.XML, frame, total, cut=cut),))


@dataclass(slots=True)
class _Element:
    name: str
    path: str
    inherited: dict[str, str]
    """What the elements around it say in their attributes."""
    fields: dict[str, str]
    text: list[str] = field(default_factory=list)
    parts: dict[str, str] = field(default_factory=dict)
    """Fields of the elements in it that have fields themselves."""
    has_elements: bool = False


class _Tree:
    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._stack: list[_Element] = []
        self._cells = 0
        self.records: dict[str, list[dict[str, str]]] = {}
        self.counts: Counter[str] = Counter()

    def start(self, name: str, attributes: dict[str, str]) -> None:
        name = local_name(name)
        own = {
            local_name(key): value
            for key, value in attributes.items()
            if not key.startswith(("xmlns", "xsi:"))
        }
        if self._stack:
            around = self._stack[-1]
            around.has_elements = True
            inherited = around.inherited
            if around.fields and len(self._stack) > 1 and len(inherited) < _MAX_FIELDS:
                inherited = {**inherited, **around.fields}
            path = f"{around.path}/{name}"
        else:
            inherited, path = {}, name
        self._stack.append(_Element(name, path, inherited, own))

    def say(self, text: str) -> None:
        if self._stack:
            self._stack[-1].text.append(text[:_MAX_TEXT])

    def end(self, _name: str) -> None:
        element = self._stack.pop()
        text = "".join(element.text).strip()
        if not element.has_elements and len(element.fields) < 2:
            self._add_field(element, text)
            return
        if text and not element.has_elements:
            element.fields.setdefault(element.name, text)
        self._add_record(element)
        if self._stack and element.has_elements:
            self._hand_up(element)

    def path_of_records(self) -> str | None:
        """The path of the element that is the record of the table."""
        columns = {path: len(column_names(found[:100])) for path, found in self.records.items()}
        wide = [
            path
            for path, width in columns.items()
            if width > 1 and self.counts[path] >= _MIN_RECORDS
        ]
        return max(wide, key=lambda path: (self.counts[path], columns[path]), default=None)

    def _add_field(self, element: _Element, text: str) -> None:
        if not self._stack:
            return
        around = self._stack[-1]
        if len(around.fields) >= _MAX_FIELDS:
            return
        name = element.name
        if element.fields:
            # The one attribute says which field it is, or is the value itself.
            key, value = next(iter(element.fields.items()))
            if not text:
                name, text = (f"{name}.{key}", value)
            elif key in ("name", "id", "key", "code", "concept"):
                name = f"{name}.{value[:80]}"
        around.fields.setdefault(name, text)

    def _add_record(self, element: _Element) -> None:
        if not element.fields and not element.parts:
            return
        path = element.path
        self.counts[path] += 1
        found = self.records.get(path)
        if found is None:
            if len(self.records) >= _MAX_PATHS:
                return
            found = self.records[path] = []
        record = {**element.inherited, **element.fields, **element.parts}
        self._cells += len(record)
        if len(found) < self._bounds.rows and self._cells <= self._bounds.cells:
            found.append(record)

    def _hand_up(self, element: _Element) -> None:
        """A part of a record that has fields of its own is a part of its row as well."""
        around = self._stack[-1]
        if len(around.parts) >= _MAX_PARTS or len(element.fields) > _MAX_PARTS:
            return
        for name, value in element.fields.items():
            around.parts.setdefault(f"{element.name}.{name}", value)
