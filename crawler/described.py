"""Pydantic models whose fields are described by the docstrings below them.

Pydantic can read these docstrings itself (`use_attribute_docstrings`), but then it parses the
source of every class when it is imported, and each command would wait for that. Here they are read
when the JSON Schema is asked for, as the API's documentation does.
"""

import ast
import inspect
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any

from pydantic import BaseModel, ConfigDict


class Described(BaseModel):
    """A frozen model that costs little until it is used."""

    model_config = ConfigDict(frozen=True, defer_build=True)

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: Any, handler: Any) -> dict[str, Any]:
        """The schema with a description for each field that has a docstring."""
        schema: dict[str, Any] = handler(core_schema)
        properties = handler.resolve_ref_schema(schema)["properties"]
        for name, docstring in docstrings(cls).items():
            properties[name].setdefault("description", docstring)
        return schema


def docstrings(model: type[BaseModel]) -> dict[str, str]:
    """The docstrings of a model's fields by name, those of its bases among them."""
    described: dict[str, str] = {}
    for base in reversed(model.__mro__):
        if issubclass(base, BaseModel) and base is not BaseModel:
            described |= _in_module(base.__module__).get(base.__qualname__, {})
    return {name: text for name, text in described.items() if name in model.model_fields}


@cache
def _in_module(name: str) -> dict[str, dict[str, str]]:
    """Those of all classes of a module: to parse it once for each class would take seconds."""
    source = ast.parse(inspect.getsource(sys.modules[name]))
    return {path: _below_fields(found) for path, found in _classes(source, "")}


def _classes(node: ast.AST, within: str) -> Iterator[tuple[str, ast.ClassDef]]:
    for inner in ast.iter_child_nodes(node):
        if isinstance(inner, ast.ClassDef):
            yield f"{within}{inner.name}", inner
            yield from _classes(inner, f"{within}{inner.name}.")
        elif isinstance(inner, ast.FunctionDef):
            yield from _classes(inner, f"{within}{inner.name}.<locals>.")


def _below_fields(source: ast.ClassDef) -> dict[str, str]:
    return {
        field.target.id: inspect.cleandoc(below.value.value)
        for field, below in zip(source.body, source.body[1:], strict=False)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(below, ast.Expr)
        and isinstance(below.value, ast.Constant)
        and isinstance(below.value.value, str)
    }
