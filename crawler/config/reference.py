"""The reference pages of site files and settings, made from the models' own docstrings.

`python -m crawler.config.reference` writes both; a test fails when they are out of date.
"""

import sys
from enum import Enum
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from crawler.config.section import Section
from crawler.config.settings import PREFIX, Settings
from crawler.config.site import SiteConfig
from crawler.config.sizes import write_size
from crawler.config.wording import models_in
from crawler.described import docstrings
from crawler.pages.mime_groups import DEFAULT_TARGETS, TARGET_GROUPS

_NOTE = "<!-- Made by `python -m crawler.config.reference`; edit the models instead. -->\n"

_IN_THE_HOME = {"store_url": "`store` in the home", "catalog_url": "`catalog.db` in the home"}


def site_reference() -> str:
    """docs/site-yaml.md as Markdown."""
    parts = [
        "# The site file\n",
        _NOTE,
        "One YAML file per website. `start_url` is all that is required; unknown keys are errors. "
        "`tallyho sites check` reports every problem with its line, `tallyho sites schema` prints "
        "the JSON Schema for editors.\n",
        "```yaml\n"
        "# include/sites/example.yaml\n"
        "start_url: https://www.example.org/statistics/\n"
        "schedule: '30 2 * * *'\n"
        "targets: [csv, excel, ods]\n"
        "budget: {requests: 5000, bytes: 20 GB}\n"
        "politeness: {delay: 2, contact: data-team@example.org}\n"
        "```\n",
    ]
    parts += _section("", SiteConfig, set())
    parts += ["## Groups of `targets`\n", _groups()]
    return "\n".join(parts)


def settings_reference() -> str:
    """docs/settings.md as Markdown."""
    rows = ["| variable | default | meaning |", "|---|---|---|"]
    meanings = docstrings(Settings)
    for name, field in Settings.model_fields.items():
        default = _IN_THE_HOME.get(name, "none")
        if name not in _IN_THE_HOME and field.default is not None:
            default = f"`{_written(name, field.default)}`"
        rows.append(f"| `{PREFIX}{name.upper()}` | {default} | {_flat(meanings[name])} |")
    return "\n".join(
        [
            "# Settings\n",
            _NOTE,
            "Environment variables for what concerns the machine; what concerns one website is in "
            "its [site file](site-yaml.md). An empty variable counts as not set, a wrong value "
            "ends the command with exit code 3, an unknown variable gives a warning. A setting may "
            "also be a file in `/run/secrets`, where containers have their secrets: "
            "`/run/secrets/tallyho_catalog_url`. A variable that is not empty counts before it.\n",
            *rows,
            "",
        ]
    )


def write_reference(folder: Path) -> list[Path]:
    """Writes both pages into the folder."""
    pages = {"site-yaml.md": site_reference(), "settings.md": settings_reference()}
    for name, text in pages.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in pages]


def _section(prefix: str, model: type[BaseModel], described: set[type[BaseModel]]) -> list[str]:
    """A section with its keys, and below it the sections inside it; each is described once."""
    described.add(model)
    meanings = docstrings(model)
    title = f"## `{prefix}`\n" if prefix else "## Top level\n"
    parts = [title, f"{_flat(model.__doc__)}\n", _table(model)]
    for name, field in model.model_fields.items():
        path = f"{prefix}.{name}".lstrip(".")
        below = [one for one in models_in(field.annotation) if one not in described]
        if len(below) > 1:
            parts += [f"## `{path}`\n", f"{_flat(meanings[name])}\n", *_choices(path, below)]
        elif below:
            parts += _section(path, below[0], described)
    return parts


def _choices(path: str, models: list[type[BaseModel]]) -> list[str]:
    """One part for each choice: what it is, and its own keys."""
    parts = []
    for model in models:
        name = model.model_fields["name"].default
        parts += [f"### `{path}: {name}`\n", f"{_flat(model.__doc__)}\n"]
        if len(model.model_fields) > 1:
            parts.append(_table(model, without="name"))
    return parts


def _table(model: type[BaseModel], without: str = "") -> str:
    rows = ["| key | default | meaning |", "|---|---|---|"]
    meanings = docstrings(model)
    for name, field in model.model_fields.items():
        if name == without:
            continue
        rows.append(f"| `{name}` | {_default(name, field)} | {_flat(meanings[name])} |")
    return "\n".join([*rows, ""])


def _default(name: str, field: FieldInfo) -> str:
    if field.is_required():
        return "**required**"
    value = field.get_default(call_default_factory=True, validated_data={})
    if isinstance(value, Section):
        return "see below"
    if value == "":
        return "the file's name"
    if value == tuple(DEFAULT_TARGETS):
        return "all groups but feed"
    return f"`{_written(name, value)}`" if value is not None else "none"


def _written(name: str, value: Any) -> str:
    """A value as one would write it in YAML."""
    match value:
        case bool():
            return "true" if value else "false"
        case Enum():
            return str(value.value)
        case tuple():
            return f"[{', '.join(map(str, value))}]"
        case dict():
            return "{}"
        case int() if name.endswith("bytes"):
            return write_size(value)
    return str(value)


def _groups() -> str:
    rows = ["| group | by default | extensions |", "|---|---|---|"]
    for name, group in TARGET_GROUPS.items():
        extensions = ", ".join(sorted(group.extensions))
        rows.append(f"| `{name}` | {'yes' if name in DEFAULT_TARGETS else 'no'} | {extensions} |")
    return "\n".join([*rows, ""])


def _flat(text: str | None) -> str:
    return " ".join((text or "").split()).replace("|", "\\|")


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[2] / "docs"
    for page in write_reference(target):
        sys.stdout.write(f"{page}\n")
