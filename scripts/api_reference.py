"""Writes docs/api.md, the reference of what other code may import, from the code itself.

`make reference` runs it, and a test fails when the page is out of date. The page shows the source's
own words (its syntax tree), so that it is the same on every version of Python.
"""

import ast
import importlib
import inspect
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

PUBLIC = ("crawler.catalog", "crawler.config", "crawler.strategies.interface")
"""The public surface: of each module the names in its `__all__`, or all public names it defines."""
ELSEWHERE = {"SiteConfig": "site-yaml.md", "Settings": "settings.md"}
"""Classes whose fields have a generated page of their own."""
OURS = "crawler"
INTRODUCTION = """# What other code may import

<!-- Made by `python scripts/api_reference.py`; edit the docstrings instead. -->

These names are kept stable: a change of them is in the CHANGELOG. Everything else below `crawler`
may change in any release.
"""

Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Member:
    """An attribute, a property or a method of a class."""

    name: str
    written: str
    """As it stands in the source: name, arguments and types."""
    doc: str


def api_reference() -> str:
    """docs/api.md as Markdown."""
    parts = [INTRODUCTION]
    for name in PUBLIC:
        module = importlib.import_module(name)
        parts += [f"## `{name}`\n", f"{inspect.getdoc(module)}\n"]
        for public in _public_names(module):
            parts += _described(public, module)
    return "\n".join(parts)


def _public_names(module: ModuleType) -> list[str]:
    if hasattr(module, "__all__"):
        return list(module.__all__)
    return list(_definitions(module.__name__))


@cache
def _definitions(module: str) -> dict[str, tuple[ast.stmt, str]]:
    """The public names that a module defines at its top, each with the docstring of a constant."""
    source = Path(str(importlib.import_module(module).__file__)).read_text(encoding="utf-8")
    definitions: dict[str, tuple[ast.stmt, str]] = {}
    for statement, doc in _with_docs(ast.parse(source).body):
        name = _name_of(statement)
        if name and not name.startswith("_"):
            definitions[name] = statement, doc
    return definitions


def _with_docs(body: list[ast.stmt]) -> Iterator[tuple[ast.stmt, str]]:
    """Each statement with the string that stands below it."""
    for statement, following in zip(body, [*body[1:], None], strict=True):
        doc = ""
        if isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant):
            doc = str(following.value.value)
        yield statement, doc


def _name_of(statement: ast.stmt) -> str:
    if isinstance(statement, Definition):
        return statement.name
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        return statement.target.id
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id
    return ""


def _described(name: str, module: ModuleType) -> list[str]:
    value = getattr(module, name)
    statement, doc = _definitions(getattr(value, "__module__", module.__name__))[name]
    if isinstance(statement, ast.ClassDef):
        return _class(value, statement)
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
        return [f"### `{_signature(statement)}`\n", f"{_doc_of(statement)}\n"]
    return [f"### `{ast.unparse(statement)}`\n", f"{inspect.cleandoc(doc)}\n" if doc else ""]


def _class(value: type, node: ast.ClassDef) -> list[str]:
    parts = [f"### `{node.name}`\n", f"{_doc_of(node)}\n"]
    if node.name in ELSEWHERE:
        parts.append(f"Its fields are in [{ELSEWHERE[node.name]}]({ELSEWHERE[node.name]}).\n")
    members: dict[str, Member] = {}
    for base in reversed(value.__mro__):
        if base.__module__.partition(".")[0] == OURS:
            definition = _definitions(base.__module__).get(base.__name__)
            inherited = definition[0] if definition else None
            if isinstance(inherited, ast.ClassDef):
                members |= {member.name: member for member in _members(inherited)}
    if members:
        rows = [f"| `{_cell(each.written)}` | {_cell(each.doc)} |" for each in members.values()]
        parts.append("\n".join(["| member | meaning |", "|---|---|", *rows, ""]))
    return parts


def _members(node: ast.ClassDef) -> Iterator[Member]:
    for statement, doc in _with_docs(node.body):
        name = _name_of(statement)
        if not name or name.startswith("_") or name == "model_config":
            continue
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            yield Member(name, _signature(statement), _doc_of(statement))
        elif isinstance(statement, ast.AnnAssign) and node.name not in ELSEWHERE:
            yield Member(name, f"{name}: {ast.unparse(statement.annotation)}", doc)
        elif isinstance(statement, ast.Assign):
            yield Member(name, ast.unparse(statement), doc)


def _signature(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    decorators = {ast.unparse(decorator) for decorator in node.decorator_list}
    if "property" in decorators:
        return f"{node.name}{returns.replace(' -> ', ': ')}"
    arguments = ast.unparse(node.args).removeprefix("self").removeprefix("cls").lstrip(", ")
    return f"{node.name}({arguments}){returns}"


def _doc_of(node: Definition) -> str:
    return ast.get_docstring(node) or ""


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    page = Path(__file__).parents[1] / "docs" / "api.md"
    page.write_text(api_reference(), encoding="utf-8")
    sys.stdout.write(f"{page}\n")
