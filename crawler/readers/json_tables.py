"""Tables in JSON: records, rows, columns, features of maps, one document per line."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

from crawler.readers.bounds import DEFAULT_BOUNDS, Bounds
from crawler.readers.content import Content, Table, Trouble
from crawler.readers.encoding import HEAD, encoding_of
from crawler.readers.json_loading import check_depth, loads, without_lone_surrogates
from crawler.readers.json_stat import is_json_stat, json_stat_tables
from crawler.readers.kinds import Kind
from crawler.readers.names import unique_names
from crawler.readers.records import column_names, flattened, frame_of_columns
from crawler.readers.unreadable import Unreadable, said

_LARGEST = 500 * 1000**2
_IN_MEMORY = 8
"""JSON is read at once, and takes this many times its size in memory."""
_LIST_NAMES = ("records", "data", "results", "items", "rows", "value", "features")
_HEADER_NAMES = ("columns", "fields", "header", "headers", "schema")
_LEVELS = 4


def read_json(stream: BinaryIO, bounds: Bounds = DEFAULT_BOUNDS, *, raw: bool = False) -> Content:
    """The tables of a JSON document; none when it holds no list of records."""
    document = _parsed(_text(stream, bounds), bounds)
    if is_json_stat(document):
        return Content(Kind.JSON_STAT, tuple(json_stat_tables(document, bounds)))
    found = _find(document, _LEVELS)
    if found is None:
        return Content(Kind.JSON, detail="the JSON holds no list of records")
    return Content(Kind.JSON, (_table(found, bounds, raw=raw),))


@dataclass(frozen=True, slots=True)
class _Rows:
    """Rows as they stand in the document: records, or lists with their names."""

    rows: Sequence[Any]
    names: tuple[str, ...] | None = None
    """For rows that are lists; None for records."""
    has_header: bool = True


def _text(stream: BinaryIO, bounds: Bounds) -> bytes:
    most = min(_LARGEST, bounds.memory // _IN_MEMORY)
    stream.seek(0)
    data = stream.read(most + 1)
    if len(data) > most:
        raise Unreadable(Trouble.TOO_LARGE, f"the JSON is larger than {most:,} bytes")
    encoding = encoding_of([data[:HEAD]]) or "utf-8"
    if encoding not in ("utf-8", "utf-8-sig"):
        data = data.decode(encoding, "replace").encode("utf-8")
    return data.removeprefix(b"\xef\xbb\xbf")


def _parsed(data: bytes, bounds: Bounds) -> Any:
    check_depth(data, bounds.depth)
    text = without_lone_surrogates(data.decode("utf-8", "replace"))
    try:
        return loads(text)
    except RecursionError:
        raise Unreadable(Trouble.TOO_DEEP, "the JSON is nested too deeply") from None
    except ValueError as error:
        return _lines(text, error)


def _lines(text: str, error: ValueError) -> Any:
    """One JSON document per line, and otherwise the error of the whole."""
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) > 1 and _is_json(lines[0]) and _is_json(lines[1]):
        try:
            return loads(f"[{','.join(lines)}]")
        except ValueError:
            if all(_is_json(line) for line in lines[:-1]):
                raise Unreadable(Trouble.TRUNCATED, "its last line is cut off") from None
    rest = text[error.pos :].strip() if isinstance(error, json.JSONDecodeError) else ""
    cut = not rest or "Unterminated string" in str(error)
    raise Unreadable(Trouble.TRUNCATED if cut else Trouble.CORRUPT, said(error)) from None


def _is_json(line: str) -> bool:
    try:
        return isinstance(loads(line), dict | list)
    except ValueError:
        return False


def _find(document: Any, levels: int) -> _Rows | None:
    if isinstance(document, list):
        return _of_list(document)
    if not isinstance(document, dict) or not levels:
        return None
    if document.get("type") == "FeatureCollection" and isinstance(document.get("features"), list):
        features = [part for part in document["features"] if isinstance(part, dict)]
        found = [part.get("properties") for part in features]
        return _Rows([part if isinstance(part, dict) else {} for part in found]) if found else None
    if (named := _with_names_beside(document)) is not None:
        return named
    names = dict.fromkeys([*_LIST_NAMES, *document])
    lists = [_find(document[name], levels) for name in names if _is_list(document.get(name))]
    found_here = [rows for rows in lists if rows is not None]
    if found_here:
        return found_here[0] if len(found_here) == 1 else max(found_here, key=_size)
    if (columns := _of_columns(document)) is not None:
        return columns
    below = (_find(part, levels - 1) for part in document.values() if isinstance(part, dict))
    return max((rows for rows in below if rows is not None), key=_size, default=None)


def _size(rows: _Rows) -> int:
    return len(rows.rows)


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and bool(value)


def _of_list(rows: list[Any]) -> _Rows | None:
    if (inner := _after_metadata(rows)) is not None:
        return _of_list(inner)
    if rows and all(isinstance(record, dict) for record in rows):
        return _Rows(rows)
    if len(rows) < 2 or not all(isinstance(row, list) for row in rows):
        return None
    header = rows[0]
    if header and all(isinstance(name, str) for name in header):
        return _Rows(rows[1:], tuple(unique_names([name.strip() for name in header])))
    width = max(len(row) for row in rows)
    if width < 2 or any(isinstance(cell, dict | list) for row in rows[:100] for cell in row):
        return None
    return _Rows(rows, tuple(unique_names([""] * width)), has_header=False)


def _after_metadata(document: list[Any]) -> list[Any] | None:
    """The rows of a document that is a record about them, then the list of them."""
    if len(document) != 2 or not isinstance(document[0], dict):
        return None
    rows = document[1]
    is_list = isinstance(rows, list) and rows and all(isinstance(row, dict) for row in rows)
    return rows if is_list else None


def _with_names_beside(document: dict[str, Any]) -> _Rows | None:
    """Names in one list, rows without names in another."""
    header = next((document[name] for name in _HEADER_NAMES if _is_list(document.get(name))), None)
    if header is None:
        return None
    names = [_label(part) for part in header]
    for name in ("data", "rows", "values", "records"):
        rows = document.get(name)
        if not _is_list(rows) or not isinstance(rows, list):
            continue
        if all(isinstance(row, list) for row in rows) and len(rows[0]) == len(names):
            return _Rows(rows, tuple(unique_names(names)))
        if all(isinstance(row, dict) and {"key", "values"} <= row.keys() for row in rows):
            # PC-Axis: the codes of the dimensions, and the values.
            joined = [[*_listed(row["key"]), *_listed(row["values"])] for row in rows]
            return _Rows(joined, tuple(unique_names(names)))
    return None


def _label(part: Any) -> str:
    if isinstance(part, dict):
        part = next((part[key] for key in ("name", "id", "code", "label") if part.get(key)), "")
    return str(part).strip()


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _of_columns(document: dict[str, Any]) -> _Rows | None:
    """Names with a list of values each, all of the same length."""
    lists = {name: values for name, values in document.items() if _is_list(values)}
    lengths = {len(values) for values in lists.values()}
    if len(lists) < 2 or len(lengths) != 1 or lengths == {1}:
        return None
    if any(isinstance(cell, dict | list) for values in lists.values() for cell in values[:10]):
        return None
    return _Rows(list(zip(*lists.values(), strict=True)), tuple(lists))


def _table(found: _Rows, bounds: Bounds, *, raw: bool) -> Table:
    total = len(found.rows)
    columns: dict[str, list[Any]]
    if found.names is not None:
        names = found.names[: bounds.columns]
        kept = min(total, bounds.rows_of(len(names)))
        rows = found.rows[:kept]
        columns = {
            name: [_plain(row[place]) if place < len(row) else None for row in rows]
            for place, name in enumerate(names)
        }
        widths = _widths(rows)
        wide = len(found.names)
    else:
        records = found.rows[: bounds.rows]
        if any(_is_nested(record) for record in records):
            records = [flattened(record) for record in records]
        every = column_names(records)
        names = tuple(every[: bounds.columns])
        kept = min(total, bounds.rows_of(len(names)))
        columns = {name: [record.get(name) for record in records[:kept]] for name in names}
        widths, wide = {}, len(every)
    return Table(
        name="",
        kind=Kind.JSON,
        frame=frame_of_columns(columns, raw=raw),
        rows=total,
        has_header=found.has_header,
        cut=kept < total or len(names) < wide,
        widths=widths,
    )


def _is_nested(record: dict[str, Any]) -> bool:
    return any(isinstance(value, dict | list) for value in record.values())


def _plain(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value


def _widths(rows: Sequence[Any]) -> dict[int, int]:
    step = max(1, len(rows) // 2000)
    widths: dict[int, int] = {}
    for row in rows[::step]:
        widths[len(row)] = widths.get(len(row), 0) + 1
    return widths
