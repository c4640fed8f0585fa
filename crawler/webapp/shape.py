"""What all answers of the JSON API have in common."""

from typing import Any

from pydantic import BaseModel, ConfigDict


class Shape(BaseModel):
    """An answer, or a part of one."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)


def with_example(example: dict[str, Any]) -> ConfigDict:
    """The configuration of a shape that shows what it looks like."""
    return ConfigDict(
        frozen=True, use_attribute_docstrings=True, json_schema_extra={"examples": [example]}
    )
