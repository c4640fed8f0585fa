"""A compose file as `docker compose` would read it: variables put in, then checked.

The checks know the part of the compose specification that this project uses; a key outside it is a
problem, so that a misspelt one is found where there is no Docker.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml
from jsonschema import Draft202012Validator

_PLACE = re.compile(r"\$(?:(?P<dollar>\$)|\{(?P<inside>[^}]*)\}|(?P<bare>\w*))")
_INSIDE = re.compile(r"(?P<name>[A-Za-z_]\w*)(?P<how>:-|:\?|-)(?P<rest>.*)", re.DOTALL)

_TEXT = {"type": "string", "minLength": 1}
_TEXTS = {"type": "array", "items": _TEXT, "minItems": 1}
_DURATION = {"type": "string", "pattern": r"^(\d+(us|ms|s|m|h))+$"}
_BYTES = {"type": "string", "pattern": r"^\d+(b|k|kb|m|mb|g|gb)$"}
_NUMBER = {"type": ["integer", "string"], "pattern": r"^\d+$"}
_TEST = {
    "type": "array",
    "minItems": 2,
    "prefixItems": [{"enum": ["CMD", "CMD-SHELL"]}],
    "items": _TEXT,
}


def _object(required: tuple[str, ...] = (), /, **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def _table(value: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "additionalProperties": value}


_RESOURCES = _object(cpus=_TEXT, memory=_BYTES)
_CONDITION = {"enum": ["service_started", "service_healthy", "service_completed_successfully"]}
_SERVICE = _object(
    ("image",),
    image=_TEXT,
    build=_TEXT,
    entrypoint=_TEXTS,
    command=_TEXTS,
    working_dir=_TEXT,
    environment=_table({"type": "string"}),
    volumes=_TEXTS,
    networks=_TEXTS,
    ports=_TEXTS,
    profiles=_TEXTS,
    extra_hosts=_TEXTS,
    secrets=_TEXTS,
    depends_on=_table(_object(("condition",), condition=_CONDITION, required={"type": "boolean"})),
    healthcheck=_object(
        ("test",),
        test=_TEST,
        interval=_DURATION,
        timeout=_DURATION,
        retries={"type": "integer", "minimum": 1},
        start_period=_DURATION,
    ),
    deploy=_object(replicas=_NUMBER, resources=_object(limits=_RESOURCES, reservations=_RESOURCES)),
    restart={"enum": ["no", "always", "on-failure", "unless-stopped"]},
    init={"type": "boolean"},
    cap_drop=_TEXTS,
    security_opt=_TEXTS,
    shm_size=_BYTES,
    stop_grace_period=_DURATION,
    logging=_object(("driver",), driver=_TEXT, options=_table(_TEXT)),
)
_SCHEMA = {
    **_object(
        ("name", "services"),
        name={"type": "string", "pattern": "^[a-z0-9][a-z0-9_-]*$"},
        services=_table(_SERVICE),
        networks=_table({"oneOf": [{"type": "null"}, _object(internal={"type": "boolean"})]}),
        volumes=_table({"type": "null"}),
        secrets=_table(_object(("file",), file=_TEXT)),
    ),
    "patternProperties": {"^x-": {}},
}


@dataclass(frozen=True, slots=True)
class Variable:
    """A `${NAME:-default}`, or a `${NAME:?what to do}` that must be set."""

    name: str
    default: str | None
    message: str
    may_be_empty: bool = False
    """`${NAME-default}`: an empty value is not replaced by the default."""

    @property
    def required(self) -> bool:
        """Whether nothing starts without it."""
        return self.default is None


def variables(text: str) -> list[Variable]:
    """Every variable of a compose file; ValueError where one is neither optional nor explained."""
    found = {}
    for place in _PLACE.finditer(_without_comments(text)):
        if place["dollar"]:
            continue
        inside = _INSIDE.fullmatch(place["inside"] or "")
        if inside is None:
            raise ValueError(f"{place[0]} has neither a default nor a message")
        optional = inside["how"] != ":?"
        variable = Variable(
            inside["name"],
            inside["rest"] if optional else None,
            "" if optional else inside["rest"],
            inside["how"] == "-",
        )
        if found.setdefault(variable.name, variable) != variable:
            raise ValueError(f"{variable.name} is told in two ways")
    return list(found.values())


def load(text: str, environment: Mapping[str, str]) -> dict[str, Any]:
    """The document with its variables put in; ValueError when one that must be set is not."""
    document = _put_in(yaml.safe_load(text), environment)
    assert isinstance(document, dict)
    return document


def merged(document: dict[str, Any], overlay: dict[str, Any]) -> dict[str, Any]:
    """Two files as `docker compose` puts them together: mappings merged, lists added up."""
    done = dict(document)
    for key, value in overlay.items():
        before = done.get(key)
        if isinstance(before, dict) and isinstance(value, dict):
            done[key] = merged(before, value)
        elif isinstance(before, list) and isinstance(value, list):
            done[key] = before + [each for each in value if each not in before]
        else:
            done[key] = value
    return done


def problems(document: dict[str, Any]) -> list[str]:
    """What `docker compose` would refuse, and what would not start."""
    errors = Draft202012Validator(_SCHEMA).iter_errors(document)
    wrong = [f"{'.'.join(map(str, error.path))}: {error.message}" for error in errors]
    return wrong or list(_loose_ends(document))


def _loose_ends(document: dict[str, Any]) -> Iterator[str]:
    services = document["services"]
    for kind in ("networks", "volumes", "secrets"):
        known, used = set(document.get(kind) or {}), set()
        for name, service in services.items():
            for entry in service.get(kind, []):
                source = entry.partition(":")[0]
                if kind == "volumes" and source.startswith((".", "/")):
                    continue
                used.add(source)
                if source not in known:
                    yield f"{name}: no {kind} called {source}"
        yield from (f"{kind} {name} is used by nobody" for name in sorted(known - used))
    for name, service in services.items():
        for other, how in service.get("depends_on", {}).items():
            if other not in services:
                yield f"{name}: waits for {other}, which does not exist"
            elif how["condition"] == "service_healthy" and "healthcheck" not in services[other]:
                yield f"{name}: waits for the health of {other}, which nobody checks"
    waiting = {name: set(service.get("depends_on", {})) for name, service in services.items()}
    while ready := [name for name, others in waiting.items() if not others & set(waiting)]:
        waiting = {name: others for name, others in waiting.items() if name not in ready}
    if waiting:
        yield f"these wait for each other: {sorted(waiting)}"


def _put_in(value: Any, environment: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _put_in(inner, environment) for key, inner in value.items()}
    if isinstance(value, list):
        return [_put_in(inner, environment) for inner in value]
    if not isinstance(value, str):
        return value

    def replaced(place: re.Match[str]) -> str:
        if place["dollar"]:
            return "$"
        (variable,) = variables(place[0])
        if variable.may_be_empty:
            return environment.get(variable.name, variable.default or "")
        given = environment.get(variable.name, "")
        if not given and variable.default is None:
            raise ValueError(f"{variable.name}: {variable.message}")
        return given or variable.default or ""

    return _PLACE.sub(replaced, value)


def _without_comments(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
