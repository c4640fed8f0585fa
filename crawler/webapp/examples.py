"""A whole example for every answer of the API, put together from the examples of the fields."""

from typing import Any

_MAX_DEPTH = 8
_REF = "#/components/schemas/"
_PLAIN: dict[str, Any] = {"string": "", "integer": 0, "number": 0.0, "boolean": False, "null": None}


def add_examples(document: dict[str, Any]) -> None:
    """Gives every successful JSON answer of an OpenAPI document its example."""
    schemas: dict[str, Any] = document.get("components", {}).get("schemas", {})
    for path in document["paths"].values():
        answer = path.get("get", {}).get("responses", {}).get("200", {})
        content = answer.get("content", {}).get("application/json")
        if content and content.get("schema"):
            content.setdefault("example", example_of(content["schema"], schemas))


def example_of(schema: dict[str, Any], schemas: dict[str, Any], depth: int = 0) -> Any:
    """A value that the schema allows: its own example, else one made of its parts."""
    if schema.get("examples"):
        return schema["examples"][0]
    if "$ref" in schema:
        named = schemas[schema["$ref"].removeprefix(_REF)]
        return example_of(named, schemas, depth + 1)
    for one in ("const", "default"):
        if one in schema:
            return schema[one]
    if "enum" in schema:
        return schema["enum"][0]
    if choices := schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf"):
        return example_of(choices[0], schemas, depth + 1)
    kind = schema.get("type")
    if kind == "array":
        parts = schema.get("items")
        if parts is None or depth >= _MAX_DEPTH or "prefixItems" in schema:
            return []
        return [example_of(parts, schemas, depth + 1)]
    if kind == "object" or "properties" in schema:
        properties = schema.get("properties", {})
        return {name: example_of(each, schemas, depth + 1) for name, each in properties.items()}
    return _PLAIN.get(str(kind))
