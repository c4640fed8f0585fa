"""Pydantic models whose fields are described by the docstrings below them.

Pydantic can read these docstrings itself (`use_attribute_docstrings`), but then it parses the
source of every class when it is imported, and each command would wait for that. Here they are read
when the JSON Schema is asked for, as the API's documentation does.
"""

import ast
import inspect
import textwrap
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
        if issubclass(base, BaseModel):
            source = ast.parse(textwrap.dedent(inspect.getsource(base))).body[0]
            described |= _below_fields(source) if isinstance(source, ast.ClassDef) else {}
    return {name: text for name, text in described.items() if name in model.model_fields}


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
