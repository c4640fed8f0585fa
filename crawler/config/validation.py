"""What a site expects of its files beside the suites: `validation`.

This is the part that can be checked without the suites; `crawler/validation/overrides.py` checks
whether the named checks exist in them.
"""

import re
from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    Discriminator,
    Field,
    JsonValue,
    Tag,
    model_validator,
)

from crawler.config.expectation_types import Severity, check_arguments, expectation_type
from crawler.config.section import Line, Pattern, Section
from crawler.pages.linear_pattern import compile_pattern

CODE_PATTERN = r"^[a-z0-9]+(-[a-z0-9]+)*$"
"""Names of checks are the codes of reasons."""

Scalar = bool | int | float | str


def _check_code(name: str) -> str:
    if len(name) > 80 or not re.fullmatch(CODE_PATTERN.rstrip("$"), name):
        raise ValueError(f"'{name[:80]}' is no name; use small letters, digits and -")
    return name


def _check_expectation(name: str) -> str:
    expectation_type(name)
    return name


Code = Annotated[
    str, Field(json_schema_extra={"pattern": CODE_PATTERN}), AfterValidator(_check_code)
]
ExpectationName = Annotated[str, AfterValidator(_check_expectation)]


class CheckChange(Section):
    """Another limit or another severity for one check of the suites."""

    arguments: dict[str, JsonValue] = Field(default_factory=dict)
    """Arguments of its expectation that replace those of the suite."""

    severity: Severity | None = Field(default=None, strict=False)
    """error (the file is broken), warning (suspect) or note (changes no verdict)."""


Change = Annotated[
    Annotated[Literal[False], Tag("off")] | Annotated[CheckChange, Tag("on")],
    Discriminator(lambda value: "off" if value is False else "on"),
]
"""What becomes of a check: `off`, or a mapping."""


class RangeRule(Section):
    """The values that a column may have; at least one end is given."""

    min: float | None = None
    """The smallest."""

    max: float | None = None
    """The largest."""

    @model_validator(mode="after")
    def _is_a_range(self) -> "RangeRule":
        if self.min is None and self.max is None:
            raise ValueError("needs min or max")
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError(f"min must not be more than max, but {self.min:g} is")
        return self


class CellExpectation(Section):
    """Any expectation of Great Expectations on the cells of the tables that have its columns."""

    expectation: ExpectationName
    """Its type, such as expect_column_values_to_be_between."""

    arguments: dict[str, JsonValue] = Field(default_factory=dict)
    """Its arguments, such as {column: OBS_VALUE, min_value: 0}."""

    where: dict[str, Scalar | list[Scalar]] = Field(default_factory=dict)
    """Only rows that have this value, or one of these, in this column."""

    severity: Severity = Field(default=Severity.WARNING, strict=False)
    """error, warning or note."""

    name: Code | None = None
    """The code of the reason; made from the expectation by default."""

    @model_validator(mode="after")
    def _arguments_fit(self) -> "CellExpectation":
        check_arguments(self.expectation, self.arguments)
        return self

    @property
    def code(self) -> str:
        """The code of its reason."""
        return self.name or self.expectation.removeprefix("expect_").replace("_", "-")


class Rules(Section):
    """What is expected of some files."""

    checks: dict[Code, Change] = Field(default_factory=dict)
    """Changes of checks by name: `off`, or new arguments and severity."""

    required_columns: Annotated[tuple[Line, ...], Field(strict=False)] = ()
    """Columns that at least one table of a file must have, all of them."""

    ranges: dict[str, RangeRule] = Field(default_factory=dict)
    """Smallest and largest value by column, wherever a table has such a column."""

    same_columns: bool = False
    """Whether a file with other columns than its previous version is broken."""

    cells: Annotated[tuple[CellExpectation, ...], Field(strict=False)] = ()
    """Expectations on the cells. They take longer, since the library runs over each table."""

    @property
    def all_changes(self) -> Mapping[str, "CheckChange | Literal[False]"]:
        """The changes by name, those of `same_columns` among them."""
        if not self.same_columns:
            return self.checks
        drift = dict.fromkeys(
            ("columns-lost", "columns-added"), CheckChange(severity=Severity.ERROR)
        )
        return {**drift, **self.checks}


class FileRules(Rules):
    """What is expected of the files whose address matches; it adds to what holds for all."""

    match: Pattern
    """A regular expression, searched in the address of the file."""


class ValidationConfig(Rules):
    """What the site's files are expected to be, beside what every suite expects."""

    enabled: bool = True
    """Whether the site's files are checked at all; `validation: false` is short for it."""

    files: Annotated[tuple[FileRules, ...], Field(strict=False)] = ()
    """More rules, for some of the files."""

    def matching(self, name: str) -> tuple[int, ...]:
        """Which of `files` concern a file, by position."""
        return tuple(
            place
            for place, rules in enumerate(self.files)
            if compile_pattern(rules.match).search(name)
        )

    def rules_of(self, places: tuple[int, ...]) -> Rules:
        """What holds for all files together with these of `files`; the later ones win."""
        chosen: list[Rules] = [self, *(self.files[place] for place in places)]
        required = dict.fromkeys(name for rules in chosen for name in rules.required_columns)
        return Rules(
            checks={name: change for rules in chosen for name, change in rules.checks.items()},
            required_columns=tuple(required),
            ranges={name: rule for rules in chosen for name, rule in rules.ranges.items()},
            same_columns=any(rules.same_columns for rules in chosen),
            cells=tuple(cell for rules in chosen for cell in rules.cells),
        )
