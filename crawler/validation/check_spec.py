"""One check of a suite: an expectation over a fact, and how its failure is said."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from crawler.config.expectation_types import Severity, check_arguments, expectation_type
from crawler.config.problem import did_you_mean
from crawler.validation.facts_frame import FACTS, Cell, Unit
from crawler.validation.plain import plain

STRUCTURAL = frozenset({"readable", "dataset"})
"""Checks that are the verdict itself: what cannot be read is broken, whatever a site says."""

_FIELD = re.compile(r"\{(\w+)\}")
_MAX_SENTENCE = 500


@dataclass(frozen=True, slots=True)
class CheckSpec:
    """An expectation over one fact."""

    name: str
    expectation: str
    arguments: Mapping[str, JsonValue]
    severity: Severity
    sentence: str
    """With {names} of facts and of arguments in it."""

    @property
    def fact(self) -> str:
        """The fact that it judges."""
        return str(self.arguments.get("column", ""))

    def say(self, facts: Mapping[str, Cell]) -> str:
        """The sentence for a file or table with these facts."""

        def value(match: re.Match[str]) -> str:
            name = match[1]
            if name in self.arguments:
                return written(self.arguments[name], FACTS[self.fact].unit)
            return written(facts.get(name), FACTS[name].unit)

        return plain(_FIELD.sub(value, self.sentence), _MAX_SENTENCE)

    def observe(self, facts: Mapping[str, Cell]) -> str:
        """What was found, for a table of checks."""
        return written(facts.get(self.fact), FACTS[self.fact].unit)


def written(value: object, unit: Unit) -> str:
    """A fact, or a limit of it, as people write it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        if unit is Unit.SHARE:
            percent = 100 * value
            return (
                f"{percent:.0f} %"
                if percent >= 10 or percent == int(percent)
                else f"{percent:.2g} %"
            )
        if unit is Unit.COUNT:
            return f"{value:,.0f}"
        return f"{value:g}"
    return plain(str(value), 300)


def mistake_in(check: CheckSpec) -> str | None:
    """What is wrong with a check that otherwise has the right form; None when nothing is."""
    try:
        check_arguments(check.expectation, check.arguments)
    except ValueError as error:
        return str(error)
    if not expectation_type(check.expectation).by_value:
        return f"{check.expectation} judges a whole batch; a check needs one that judges each value"
    if "mostly" in check.arguments:
        return "'mostly' would let some files of a batch pass; every file is judged by itself"
    if check.fact not in FACTS:
        return f"there is no fact '{check.fact[:80]}'{did_you_mean(check.fact, FACTS)}"
    for name in _FIELD.findall(check.sentence):
        if name not in FACTS and name not in check.arguments:
            hint = did_you_mean(name, [*FACTS, *check.arguments])
            return f"the sentence names {{{name}}}, which is neither a fact nor an argument{hint}"
    return None
