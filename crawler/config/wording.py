"""Pydantic's errors in the words of somebody who writes a site file."""

from typing import Any, Literal, get_args

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from crawler.config.problem import did_you_mean

_KINDS = {
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "string_type": "text",
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": "a mapping (key: value)",
    "model_type": "a mapping (key: value)",
    "path_type": "a path",
}
_BOUNDS = {
    "greater_than_equal": ("at least", "ge"),
    "greater_than": ("more than", "gt"),
    "less_than_equal": ("at most", "le"),
    "less_than": ("less than", "lt"),
}


def in_words(error: ErrorDetails, section: type[BaseModel] | None, root: type[BaseModel]) -> str:
    """One sentence for one error; `section` is the model in which the field stands."""
    kind, value, context = error["type"], error["input"], error.get("ctx", {})
    if kind in _KINDS:
        return f"must be {_KINDS[kind]}, not {_shown(value)}{_quoting(kind, value)}"
    if kind in _BOUNDS:
        word, key = _BOUNDS[kind]
        return f"must be {word} {context[key]:g}, not {_shown(value)}"
    match kind:
        case "missing":
            return "is required"
        case "extra_forbidden":
            return f"unknown key{_place_of(str(error['loc'][-1]), section, root)}"
        case "enum" | "literal_error":
            choices = [
                word.strip(" '") for word in context["expected"].replace(" or ", ",").split(",")
            ]
            hint = did_you_mean(str(value), choices)
            return f"must be one of {', '.join(choices)}, not {_shown(value)}{hint}"
        case "too_short":
            return "must not be empty"
        case "string_too_long":
            return f"must have at most {context['max_length']} characters"
        case "finite_number":
            return f"must be a finite number, not {_shown(value)}"
        case "value_error":
            return str(context["error"])
    return error["msg"]


def models_in(annotation: Any) -> list[type[BaseModel]]:
    """The sections that a field may hold: none, one, or one per choice."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for inner in get_args(annotation) for model in models_in(inner)]


def _place_of(key: str, section: type[BaseModel] | None, root: type[BaseModel]) -> str:
    """Where an unknown key was meant to go: a similar key here, or the same key elsewhere."""
    here = section.model_fields if section else {}
    if hint := did_you_mean(key, here):
        return hint
    if key in root.model_fields:
        return f'; "{key}" belongs to the top level of the file'
    for name, outer in root.model_fields.items():
        inner = models_in(outer.annotation)
        if section not in inner and any(key in model.model_fields for model in inner):
            return f'; "{key}" belongs under "{name}"'
    return ""


def _shown(value: object) -> str:
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case dict():
            return "a mapping"
        case list() | tuple():
            return "a list"
    text = repr(value)
    return text if len(text) <= 42 else f"{text[:40]}…"


def _quoting(kind: Literal["string_type"] | str, value: object) -> str:
    if kind == "string_type" and isinstance(value, bool | int | float):
        return "; put it in quotes"
    return ""
