"""A Dockerfile's instructions, and which files .dockerignore lets through."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath


@dataclass(frozen=True, slots=True)
class Instruction:
    """One instruction, its continued lines put together."""

    name: str
    text: str

    @property
    def words(self) -> list[str]:
        """Its arguments, options such as --from left out."""
        return [word for word in shlex.split(self.text) if not word.startswith("--")]


def instructions(text: str) -> list[Instruction]:
    """All instructions in their order."""
    lines = (line for line in text.splitlines() if not line.lstrip().startswith("#"))
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    parts = (line.partition(" ") for line in joined.splitlines() if line.strip())
    return [Instruction(name.upper(), rest.strip()) for name, _, rest in parts]


def copies(text: str) -> Iterator[tuple[str, str]]:
    """Source and destination of everything that is copied from the folder of the project."""
    for instruction in instructions(text):
        if instruction.name != "COPY" or "--from=" in instruction.text:
            continue
        *sources, destination = instruction.words
        for source in sources:
            whole = destination + PurePosixPath(source).name
            yield source, whole if destination.endswith("/") else destination


def environment(text: str) -> dict[str, str]:
    """What the last stage sets."""
    last = text[text.rindex("\nFROM ") :]
    words = [word for each in instructions(last) if each.name == "ENV" for word in each.words]
    return dict(word.split("=", 1) for word in words)


def is_ignored(path: str, rules: str) -> bool:
    """Whether .dockerignore keeps a path from the builder: the last rule that matches it counts."""
    ignored = False
    for line in rules.splitlines():
        rule = line.strip()
        if not rule or rule.startswith("#"):
            continue
        if _matches(path, rule.lstrip("!").strip("/")):
            ignored = not rule.startswith("!")
    return ignored


def _matches(path: str, rule: str) -> bool:
    """A rule that matches a folder matches all that is in it."""
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", rule)
    special = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    pattern = re.compile("".join(special.get(part) or re.escape(part) for part in parts))
    places = [PurePosixPath(path), *PurePosixPath(path).parents]
    return any(pattern.fullmatch(str(place)) for place in places if str(place) != ".")
