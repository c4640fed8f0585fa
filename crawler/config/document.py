"""YAML with line numbers: plain values only, every mistake with its line.

The nodes are turned into values here and not by PyYAML's constructors: those let the second of two
equal keys win, expand aliases without bound, and know tags that make objects.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import yaml
from yaml.constructor import SafeConstructor
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

MAX_FILE_BYTES = 256 * 1024
MAX_VALUES = 20_000
"""Values after aliases are expanded; ten aliases in a chain can make a billion."""
MAX_DEPTH = 20

Path = tuple[str | int, ...]

_TAG = "tag:yaml.org,2002:"
_EXPONENT = re.compile(r"^[-+]?[0-9][0-9_]*(\.[0-9_]*)?[eE][-+]?[0-9]+$")


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader, used for its nodes only; it also reads 2e-3 as a number."""


_Loader.add_implicit_resolver(f"{_TAG}float", _EXPONENT, list("-+0123456789"))


@dataclass(frozen=True, slots=True)
class Mistake:
    """Something that is wrong in the YAML itself."""

    path: Path
    line: int
    reason: str


@dataclass(slots=True)
class Document:
    """The values of a YAML text, the line of each, and the mistakes in it."""

    value: object = None
    lines: dict[Path, int] = field(default_factory=dict)
    mistakes: list[Mistake] = field(default_factory=list)
    refused: set[Path] = field(default_factory=set)
    """Paths whose value could not be read; None stands there."""

    def line_of(self, path: Path) -> int:
        """The line of a value, or of the nearest mapping around it that is there."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)


def read_document(data: bytes) -> Document:
    """Reads one YAML document; never raises for its content, never makes objects from it."""
    document = Document()
    if len(data) > MAX_FILE_BYTES:
        document.mistakes.append(Mistake((), 1, f"is larger than {MAX_FILE_BYTES // 1024} KiB"))
        return document
    try:
        root = yaml.compose(data.decode("utf-8-sig"), Loader=_Loader)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        document.mistakes.append(Mistake((), line, "is not UTF-8 text"))
    except RecursionError:
        document.mistakes.append(Mistake((), 1, "is nested too deeply"))
    except yaml.YAMLError as error:
        document.mistakes.append(_syntax_mistake(error))
    else:
        if root is not None:
            document.value = _Builder(document).build(root, ())
    return document


def _syntax_mistake(error: yaml.YAMLError) -> Mistake:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    reason = getattr(error, "problem", None) or getattr(error, "reason", None) or "cannot be read"
    hint = "; indent with spaces, not with tabs" if "\\t" in reason else ""
    return Mistake((), mark.line + 1 if mark else 1, f"is not valid YAML: {reason}{hint}")


def _sane(number: int) -> int:
    """Refuses integers beyond 64 bits: Python cannot even print one of many thousand digits."""
    if number.bit_length() > 64:
        raise ValueError("too large")
    return number


class _TooMuchError(Exception):
    """Expanding the aliases would give too many values."""


class _Builder:
    """Turns nodes into values, once, and records their lines and mistakes."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._scalars = SafeConstructor()
        self._values = 0

    def build(self, node: Node, path: Path) -> object:
        """The value of the root node; None when its aliases expand to too many values."""
        try:
            return self._value(node, path)
        except _TooMuchError as error:
            self._document.mistakes.append(Mistake((), node.start_mark.line + 1, str(error)))
            return None

    def _value(self, node: Node, path: Path) -> object:
        self._values += 1
        if self._values > MAX_VALUES:
            raise _TooMuchError(f"has more than {MAX_VALUES} values, aliases followed")
        if len(path) > MAX_DEPTH:
            raise _TooMuchError("is nested too deeply, or contains itself by an alias")
        self._document.lines.setdefault(path, node.start_mark.line + 1)
        if isinstance(node, MappingNode) and node.tag == f"{_TAG}map":
            return self._mapping(node, path)
        if isinstance(node, SequenceNode) and node.tag == f"{_TAG}seq":
            return [self._value(item, (*path, index)) for index, item in enumerate(node.value)]
        if isinstance(node, ScalarNode):
            return self._scalar(node, path)
        self._refuse(node, path, f"the tag {node.tag[:60]} is not allowed")
        return None

    def _mapping(self, node: MappingNode, path: Path) -> dict[str, object]:
        return {key: self._value(value, (*path, key)) for key, value in self._keys(node, path)}

    def _keys(self, node: MappingNode, path: Path) -> Iterator[tuple[str, Node]]:
        first_lines: dict[str, int] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, ScalarNode):
                self._refuse(key_node, path, "a key must be a word")
                continue
            key = key_node.value
            if key_node.tag == f"{_TAG}merge":
                self._refuse(key_node, path, "the merge key << is not supported; repeat the keys")
            elif key in first_lines:
                reason = f"is given twice; it is already on line {first_lines[key]}"
                self._document.mistakes.append(Mistake((*path, key), line, reason))
            else:
                first_lines[key] = line
                self._document.lines.setdefault((*path, key), line)
                yield key, value_node

    def _scalar(self, node: ScalarNode, path: Path) -> object:
        kind = node.tag.removeprefix(_TAG)
        if kind in ("str", "timestamp"):
            return node.value
        try:
            match kind:
                case "int":
                    return _sane(self._scalars.construct_yaml_int(node))
                case "float":
                    return self._scalars.construct_yaml_float(node)
                case "bool":
                    return self._scalars.construct_yaml_bool(node)
                case "null":
                    return None
        except (ValueError, KeyError, IndexError, OverflowError):
            self._refuse(node, path, f"'{node.value[:40]}' cannot be read as {kind}")
            return None
        self._refuse(node, path, f"the tag {node.tag[:60]} is not allowed")
        return None

    def _refuse(self, node: Node, path: Path, reason: str) -> None:
        self._document.mistakes.append(Mistake(path, node.start_mark.line + 1, reason))
        self._document.refused.add(path)
