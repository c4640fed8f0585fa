"""No regular expression of ours can take quadratic time or worse on a long text.

Every expression of the sources is compiled and its parts looked at. Three shapes are refused: a
repetition inside a repetition, two neighbouring repetitions that can share characters, and a search
that starts with a repetition which anything long can feed and which may then fail. Each of the
exceptions says what limits its text.
"""

import ast
import re
import re._constants as codes  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MANY = 100
"""A repetition of up to so many is a constant factor."""
SAMPLES = [chr(code) for code in range(256)] + list("éßжα中あ。！\u2028\u00a0")


@dataclass(frozen=True, slots=True)
class Expression:
    """A regular expression of the sources."""

    where: str
    text: str
    flags: int
    anchored: bool
    """Only ever matched from the beginning."""


def expressions() -> Iterator[Expression]:
    for path in sorted((ROOT / "crawler").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        methods = _methods_used(tree)
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            if not (isinstance(node.func.value, ast.Name) and node.func.value.id == "re"):
                continue
            if not node.args or not isinstance(node.args[0], ast.Constant):
                continue
            text = node.args[0].value
            flags = sum(
                int(getattr(re, part.attr))
                for part in ast.walk(ast.Module([ast.Expr(a) for a in node.args[1:]], []))
                if isinstance(part, ast.Attribute) and hasattr(re, part.attr)
            )
            used = methods.get(node.lineno, {node.func.attr})
            where = f"{path.relative_to(ROOT)}:{node.lineno}"
            if isinstance(text, bytes):
                text = text.decode("latin-1")
            if node.func.attr != "escape":
                yield Expression(where, text, flags, used <= {"match", "fullmatch"})


def _methods_used(tree: ast.AST) -> dict[int, set[str]]:
    """By the line of a module's constant: the methods that are called on it."""
    lines = {
        target.id: node.value.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    used: dict[int, set[str]] = {}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in lines
        ):
            used.setdefault(lines[node.value.id], set()).add(node.attr)
    return used


def is_long(item: tuple[object, object]) -> bool:
    return item[0] in (codes.MAX_REPEAT, codes.MIN_REPEAT) and item[1][1] >= MANY  # type: ignore[index]


def first_characters(items: object, flags: int) -> set[str]:
    """The sampled characters that a part of an expression can begin with."""
    found: set[str] = set()
    for item in items:  # type: ignore[attr-defined]
        found |= characters_of(item, flags)
        if not _may_be_empty(item):
            return found
    return found


def _may_be_empty(item: tuple[object, object]) -> bool:
    kind, value = item
    if kind in (codes.MAX_REPEAT, codes.MIN_REPEAT):
        return value[0] == 0  # type: ignore[index]
    if kind is codes.SUBPATTERN:
        return all(map(_may_be_empty, value[3]))  # type: ignore[index]
    if kind is codes.BRANCH:
        return any(all(map(_may_be_empty, branch)) for branch in value[1])  # type: ignore[index]
    return kind in (codes.AT, codes.ASSERT, codes.ASSERT_NOT)


def characters_of(item: tuple[object, object], flags: int) -> set[str]:
    kind, value = item
    if kind in (codes.MAX_REPEAT, codes.MIN_REPEAT):
        return first_characters(value[2], flags)  # type: ignore[index]
    if kind is codes.SUBPATTERN:
        return first_characters(value[3], flags)  # type: ignore[index]
    if kind is codes.BRANCH:
        return set().union(*(first_characters(branch, flags) for branch in value[1]))  # type: ignore[index]
    if kind in (codes.LITERAL, codes.NOT_LITERAL, codes.IN, codes.ANY):
        matched = set()
        for sample in SAMPLES:
            if _takes(kind, value, sample, flags):
                matched.add(sample)
        return matched
    return set()


def _takes(kind: object, value: object, sample: str, flags: int) -> bool:
    if kind is codes.ANY:
        return sample != "\n" or bool(flags & re.DOTALL)
    if kind is codes.LITERAL:
        same = chr(value) == sample  # type: ignore[arg-type]
        return same or (bool(flags & re.I) and chr(value).lower() == sample.lower())  # type: ignore[arg-type]
    if kind is codes.NOT_LITERAL:
        return chr(value) != sample  # type: ignore[arg-type]
    negated, hit = False, False
    for part, detail in value:  # type: ignore[attr-defined]
        if part is codes.NEGATE:
            negated = True
        elif part is codes.LITERAL:
            hit |= chr(detail) == sample
        elif part is codes.RANGE:
            hit |= detail[0] <= ord(sample) <= detail[1]
        elif part is codes.CATEGORY:
            classes = {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w"}
            name = str(detail).removeprefix("CATEGORY_")
            plain = re.fullmatch(classes[name.removeprefix("NOT_")], sample) is not None
            hit |= plain != name.startswith("NOT_")
    return hit != negated


def is_delimited(body: list[tuple[object, object]], flags: int) -> bool:
    """Whether every round of a repetition begins or ends with a character of its own."""
    flat: list[tuple[object, object]] = []
    for kind, value in body:
        flat += list(value[3]) if kind is codes.SUBPATTERN else [(kind, value)]  # type: ignore[index]
    parts = [item for item in flat if item[0] not in (codes.AT, codes.ASSERT, codes.ASSERT_NOT)]
    singles = (codes.LITERAL, codes.IN)
    inner: set[str] = set()
    for item in parts:
        if is_long(item):
            inner |= characters_of(item, flags)
        elif item[0] in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.BRANCH):
            inner |= {each for part in _long_in(item) for each in characters_of(part, flags)}
    return any(
        place[0] in singles and not characters_of(place, flags) & inner
        for place in (parts[0], parts[-1])
    )


def _long_in(item: tuple[object, object]) -> Iterator[tuple[object, object]]:
    kind, value = item
    branches = value[1] if kind is codes.BRANCH else [value[2]]  # type: ignore[index]
    for branch in branches:
        for part in branch:
            if is_long(part):
                yield part
            if part[0] in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.BRANCH):
                yield from _long_in(part)


def complaints(text: str, flags: int, *, anchored: bool) -> list[str]:
    """What can go wrong with an expression."""
    found: list[str] = []
    tree = list(parser.parse(text, flags & (re.X | re.I | re.S | re.M)))

    def walk(items: list[tuple[object, object]], *, inside: bool) -> None:
        flat: list[tuple[object, object]] = []
        for kind, value in items:
            flat += list(value[3]) if kind is codes.SUBPATTERN else [(kind, value)]  # type: ignore[index]
        for item in flat:
            kind, value = item
            if is_long(item):
                if inside:
                    found.append("a repetition inside a repetition")
                body = list(value[2])  # type: ignore[index]
                walk(body, inside=not is_delimited(body, flags))
            elif kind is codes.BRANCH:
                for branch in value[1]:  # type: ignore[index]
                    walk(list(branch), inside=inside)
            elif kind in (codes.MAX_REPEAT, codes.MIN_REPEAT):
                walk(list(value[2]), inside=inside)  # type: ignore[index]
        for place, item in enumerate(flat):
            if not is_long(item):
                continue
            for other in flat[place + 1 :]:
                if is_long(other) and characters_of(item, flags) & characters_of(other, flags):
                    found.append("two repetitions that share characters")
                if not _may_be_empty(other):
                    break

    walk(tree, inside=False)
    if not anchored and tree and is_long(tree[0]) and tree[0][1][0] > 0 and len(tree) > 1:  # type: ignore[index]
        found.append("a search that starts with a repetition")
    return sorted(set(found))


@pytest.mark.parametrize(
    ("text", "anchored"),
    [(r"(a+)+$", True), (r"\s*,?\s*x", True), (r"[^\W\d_]{2,}[.!?]", False), (r"(?:a|b*)*c", True)],
)
def test_the_known_shapes_are_recognised(text: str, anchored: bool) -> None:
    assert complaints(text, 0, anchored=anchored)


@pytest.mark.parametrize("text", [r"[a-z]+\d+x", r"[^\W\d_]{2}[.!?]", r"(?:,[^,]*)*", r"a\s*b"])
def test_linear_shapes_are_left_alone(text: str) -> None:
    assert complaints(text, 0, anchored=True) == []


def is_limited(where: str) -> bool:
    return any(where.startswith(f"{place.split()[0]}:") for place in LIMITED)


LIMITED = {
    "crawler/pages/html.py _REFRESH": "an attribute of 4,096 characters",
    "crawler/pages/signal_kind.py _BEFORE_ROOT": "4,096 bytes, and nothing follows that could fail",
    "crawler/readers/markup.py _PROLOG": "every alternative begins with a character of its own",
    "crawler/readers/typed_times.py _DAY": "a cell of 40 characters",
}
"""Where an expression stands, to what limits it all the same."""


def test_no_expression_of_ours_can_go_quadratic() -> None:
    wrong = {
        f"{each.where} {each.text[:90]}": found
        for each in expressions()
        if not is_limited(each.where)
        and (found := complaints(each.text, each.flags, anchored=each.anchored))
    }
    assert wrong == {}


def test_no_exception_is_kept_for_nothing() -> None:
    flagged = {
        each.where.partition(":")[0]
        for each in expressions()
        if complaints(each.text, each.flags, anchored=each.anchored)
    }
    assert {place.split()[0] for place in LIMITED} == flagged
