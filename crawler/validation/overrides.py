"""What a site changes in the suites, and whether it can."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from crawler.config.document import read_document
from crawler.config.expectation_types import check_arguments
from crawler.config.load import read_bytes
from crawler.config.problem import Problem, did_you_mean
from crawler.config.validated import dotted
from crawler.config.validation import CheckChange, Rules, ValidationConfig
from crawler.errors import ConfigError
from crawler.validation.check_spec import STRUCTURAL, CheckSpec
from crawler.validation.suites import Suite, Suites, read_suites

Keys = tuple[str | int, ...]


def with_changes(suite: Suite, rules: Rules) -> Suite:
    """The suite as a site wants it."""
    changes = rules.all_changes
    checks = (_changed(check, changes.get(check.name)) for check in suite.checks)
    return replace(suite, checks=tuple(check for check in checks if check is not None))


def _changed(check: CheckSpec, change: "CheckChange | Literal[False] | None") -> CheckSpec | None:
    if change is None:
        return check
    if change is False:
        return None
    return replace(
        check,
        arguments={**check.arguments, **change.arguments},
        severity=change.severity or check.severity,
    )


def check_validation(files: Sequence[Path], folder: Path) -> list[Problem]:
    """What is wrong with the suites, and with `validation` in site files.

    Where there are no suites at all, that is a problem of those sites alone that change some.
    """
    changed = {path: found for path in files if (found := list(_changed_checks(path)))}
    if not changed and not folder.is_dir():
        return []
    suites, problems = read_suites(folder)
    if suites is None:
        return problems
    for path, changes in changed.items():
        document = read_document(read_bytes(path))
        problems += [
            Problem(path, document.line_of(keys), dotted(keys), reason)
            for place, rules in changes
            for keys, reason in _mistakes(place, rules.checks, suites)
        ]
    return sorted(problems)


def _changed_checks(path: Path) -> Iterator[tuple[Keys, Rules]]:
    """The checks that a site file changes, and where, whatever is wrong elsewhere in it."""
    with suppress(OSError):
        values = read_document(read_bytes(path)).value
        section = values.get("validation") if isinstance(values, dict) else None
        files = section.get("files") if isinstance(section, dict) else None
        places: list[tuple[Keys, object]] = [(("validation",), section)]
        listed = files if isinstance(files, list) else []
        places += [(("validation", "files", place), rules) for place, rules in enumerate(listed)]
        for keys, rules in places:
            checks = rules.get("checks") if isinstance(rules, dict) else None
            with suppress(ValidationError):
                if checks:
                    yield keys, Rules.model_validate({"checks": checks})


def ensure_fitting(config: ValidationConfig, suites: Suites, site: str = "") -> None:
    """ConfigError when a site changes what is not there."""
    mistakes = _mistakes(("validation",), config.checks, suites)
    for place, rules in enumerate(config.files):
        mistakes += _mistakes(("validation", "files", place), rules.checks, suites)
    for keys, reason in mistakes:
        raise ConfigError(f"{dotted(keys)}: {reason}", site=site)


def _mistakes(
    keys: Keys, changes: Mapping[str, "CheckChange | Literal[False]"], suites: Suites
) -> list[tuple[Keys, str]]:
    mistakes: list[tuple[Keys, str]] = []
    for name, change in changes.items():
        path = (*keys, "checks", name)
        checks = list(suites.checks_named(name))
        if not checks:
            hint = did_you_mean(name, set(suites.check_names()) - STRUCTURAL)
            mistakes.append((path, f"there is no check of this name{hint}"))
        elif name in STRUCTURAL:
            mistakes.append((path, "cannot be changed: it is what the verdict means"))
        elif change is not False and change.arguments:
            mistakes += [((*path, "arguments"), reason) for reason in _misfits(checks, change)]
    return mistakes


def _misfits(checks: list[CheckSpec], change: CheckChange) -> list[str]:
    """Why the arguments fit no check of that name; the first reason of each."""
    reasons: dict[str, None] = {}
    for check in checks:
        for argument in ("column", "mostly"):
            if argument in change.arguments:
                reasons[f"'{argument}' of a check cannot be changed"] = None
        try:
            check_arguments(check.expectation, change.arguments, whole=False)
        except ValueError as error:
            reasons[str(error)] = None
    return list(reasons)[:1]
