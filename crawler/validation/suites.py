"""The expectation suites: YAML files that say what is expected of the facts of each kind of file.

A suite may extend another one: its own checks are added, those of the same name are changed, and
`off` leaves one out. Nothing here imports Great Expectations.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Discriminator, Field, JsonValue, Tag

from crawler.config.document import Document
from crawler.config.expectation_types import Severity
from crawler.config.load import SUFFIXES, first_of, read_values
from crawler.config.problem import Problem, did_you_mean
from crawler.config.section import Line, Section
from crawler.config.validated import dotted, validated
from crawler.config.validation import Code, ExpectationName
from crawler.readers.kinds import Kind
from crawler.validation.check_spec import CheckSpec, mistake_in


class CheckEntry(Section):
    """A check as a suite writes it; what it leaves out comes from the suite that it extends."""

    expectation: ExpectationName | None = None
    arguments: dict[str, JsonValue] = Field(default_factory=dict)
    severity: Severity | None = Field(default=None, strict=False)
    sentence: Line | None = None


Entry = Annotated[
    Annotated[Literal[False], Tag("off")] | Annotated[CheckEntry, Tag("on")],
    Discriminator(lambda value: "off" if value is False else "on"),
]


class SuiteFile(Section):
    """One YAML file of the folder."""

    description: Line
    extends: Code | None = None
    kinds: Annotated[tuple[Annotated[Kind, Field(strict=False)], ...], Field(strict=False)] = ()
    checks: dict[Code, Entry] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Suite:
    """What is expected of one kind of file, or of several that are alike."""

    name: str
    description: str
    kinds: tuple[Kind, ...]
    checks: tuple[CheckSpec, ...]

    def check(self, name: str) -> CheckSpec | None:
        """The check of this name."""
        return next((check for check in self.checks if check.name == name), None)


@dataclass(frozen=True, slots=True)
class Suites:
    """All suites; every kind has one."""

    by_name: Mapping[str, Suite]
    by_kind: Mapping[Kind, str]

    def of(self, kind: Kind) -> Suite:
        """The suite for a kind of file."""
        return self.by_name[self.by_kind[kind]]

    def check_names(self) -> list[str]:
        """The names of all checks, sorted."""
        return sorted({check.name for suite in self.by_name.values() for check in suite.checks})

    def checks_named(self, name: str) -> Iterator[CheckSpec]:
        """The checks of this name in all suites."""
        for suite in self.by_name.values():
            if (found := suite.check(name)) is not None:
                yield found


@dataclass(slots=True)
class _Read:
    path: Path
    document: Document
    file: SuiteFile

    def problem(self, keys: tuple[str, ...], reason: str) -> Problem:
        return Problem(self.path, self.document.line_of(keys), dotted(keys), reason)


def load_suites(folder: Path) -> Suites:
    """The suites of a folder; ConfigError with the first problem when there is one."""
    suites, problems = read_suites(folder)
    if suites is None:
        raise first_of(problems)
    return suites


def read_suites(folder: Path) -> tuple[Suites | None, list[Problem]]:
    """The suites of a folder, or every problem that they have."""
    try:
        files = sorted(path for path in folder.iterdir() if path.suffix in SUFFIXES)
    except OSError as error:
        hint = "TALLYHO_EXPECTATIONS_DIR names the folder of the suites"
        return None, [Problem(folder, 1, "", f"cannot be read: {error.strerror}; {hint}")]
    problems: list[Problem] = []
    read: dict[str, _Read] = {}
    for path in files:
        found, mistakes = _read_file(path)
        problems += mistakes
        if found is not None:
            read[path.stem] = found
    if problems:
        return None, sorted(set(problems))
    suites = {name: _assembled(name, read, problems) for name in read}
    by_kind = _kinds(folder, read, problems)
    return (None, sorted(set(problems))) if problems else (Suites(suites, by_kind), [])


def _read_file(path: Path) -> tuple[_Read | None, list[Problem]]:
    values, document, problems = read_values(path, "must be a mapping with description and checks")
    if values is None:
        return None, problems
    file, found = validated(SuiteFile, values, document, path)
    return (_Read(path, document, file) if file is not None else None), problems + found


def _assembled(name: str, read: Mapping[str, _Read], problems: list[Problem]) -> Suite:
    """The checks of a suite and of all that it extends, the farthest first."""
    chain: list[_Read] = [read[name]]
    while (base := chain[0].file.extends) is not None:
        if base not in read:
            hint = did_you_mean(base, read)
            problems.append(chain[0].problem(("extends",), f"there is no suite '{base}'{hint}"))
            break
        if read[base] in chain:
            problems.append(chain[0].problem(("extends",), "extends itself in the end"))
            break
        chain.insert(0, read[base])
    checks: dict[str, CheckSpec] = {}
    for source in chain:
        for check_name, entry in source.file.checks.items():
            _take(source, check_name, entry, checks, problems)
    own = read[name].file
    return Suite(name, own.description, own.kinds, tuple(checks.values()))


def _take(
    source: _Read,
    name: str,
    entry: "CheckEntry | Literal[False]",
    checks: dict[str, CheckSpec],
    problems: list[Problem],
) -> None:
    keys = ("checks", name)
    if entry is False:
        if checks.pop(name, None) is None:
            hint = did_you_mean(name, checks)
            problems.append(
                source.problem(keys, f"there is no check of this name to leave out{hint}")
            )
        return
    before = checks.get(name)
    if before is None and (entry.expectation is None or entry.sentence is None):
        lacking = "expectation" if entry.expectation is None else "sentence"
        hint = did_you_mean(name, checks)
        problems.append(source.problem(keys, f"a new check needs {lacking}{hint}"))
        return
    if before is None or (entry.expectation and entry.expectation != before.expectation):
        kept: Mapping[str, JsonValue] = {}
    else:
        kept = before.arguments
    check = CheckSpec(
        name=name,
        expectation=entry.expectation or (before.expectation if before else ""),
        arguments={**kept, **entry.arguments},
        severity=entry.severity or (before.severity if before else Severity.ERROR),
        sentence=entry.sentence or (before.sentence if before else ""),
    )
    if (mistake := mistake_in(check)) is not None:
        problems.append(source.problem(keys, mistake))
        return
    checks[name] = check


def _kinds(folder: Path, read: Mapping[str, _Read], problems: list[Problem]) -> dict[Kind, str]:
    found: dict[Kind, str] = {}
    for name, source in read.items():
        for kind in source.file.kinds:
            if kind in found:
                reason = f"'{kind.value}' already belongs to the suite '{found[kind]}'"
                problems.append(source.problem(("kinds",), reason))
            found[kind] = name
    missing = [kind.value for kind in Kind if kind not in found]
    if missing:
        problems.append(Problem(folder, 1, "kinds", f"no suite is for {', '.join(missing)}"))
    return found
