"""The tables of docs/validation.md, made from the suites and the code themselves.

`python -m crawler.validation.reference` renews them; a test fails when they are out of date.
"""

import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from crawler.readers.content import Trouble
from crawler.readers.kinds import Kind
from crawler.validation.check_spec import CheckSpec
from crawler.validation.facts_frame import FACTS
from crawler.validation.language import LANGUAGES
from crawler.validation.suites import Suites, load_suites
from crawler.validation.verdicts import NOT_DATA_SENTENCES, TROUBLE_SENTENCES

_MARKED = re.compile(r"(<!-- made: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
_BASE = "table"


def renewed(page: str, suites: Suites) -> str:
    """The page with every table between its marks made anew."""
    tables: dict[str, Callable[[], str]] = {
        "checks": lambda: checks_table(suites),
        "suites": lambda: suites_table(suites),
        "facts": facts_table,
        "codes": codes_table,
        "languages": lambda: f"{', '.join(sorted(LANGUAGES))}.\n",
    }
    return _MARKED.sub(lambda match: f"{match[1]}{tables[match[2]]()}{match[3]}", page)


def checks_table(suites: Suites) -> str:
    """Every check: what it asks, how grave it is, what it says."""
    rows = []
    for name in _in_order(suites):
        checks = dict(_specs(suites, name))
        first = checks.get(_BASE) or next(iter(checks.values()))
        where = "all" if {"file", _BASE} <= set(checks) else ", ".join(checks)
        if _BASE in checks and "file" not in checks:
            missing = [s for s in suites.by_name if s not in checks and s != "file"]
            where = "all with tables" + (f" but {', '.join(missing)}" if missing else "")
        rows.append((f"`{name}`", first.severity.value, _asked(first), where, first.sentence))
    return _table(("check", "severity", "asks", "in the suites", "says"), rows)


def suites_table(suites: Suites) -> str:
    """Every suite: its kinds, and where it differs from the suite of all tables."""
    rows = []
    base = {check.name: check for check in suites.by_name[_BASE].checks}
    for name, suite in suites.by_name.items():
        differing = [
            f"`{check.name}`: {_asked(check)}, {check.severity.value}"
            for check in suite.checks
            if check != base.get(check.name)
        ]
        left_out = [f"`{one}` off" for one in base if suite.check(one) is None]
        notes = differing + left_out if name != "file" else ["only what every file is asked"]
        kinds = ", ".join(kind.value for kind in suite.kinds)
        rows.append((f"`{name}`", kinds, suite.description, "; ".join(notes)))
    return _table(("suite", "kinds", "for", "other than `table`"), rows)


def facts_table() -> str:
    """Every fact that a check may judge or a sentence may name."""
    return _table(
        ("fact", "of", "unit", "meaning"),
        ((f"`{fact.name}`", fact.of, fact.unit.value, fact.meaning) for fact in FACTS.values()),
    )


def codes_table() -> str:
    """The codes of reasons that are no checks."""
    rows = [(f"`{trouble.value}`", "broken", TROUBLE_SENTENCES[trouble]) for trouble in Trouble]
    rows.append(("`empty`", "broken", "The file is empty"))
    for kind, sentence in NOT_DATA_SENTENCES.items():
        code = "unknown-kind" if kind is Kind.BINARY else kind.value
        rows.append((f"`{code}`", "not_a_dataset", sentence))
    rows.append(("`no-table`", "document", "No table was found in it"))
    rows.append(("`scanned`", "document", "Its pages are pictures"))
    return _table(("code", "verdict", "sentence"), rows)


def _in_order(suites: Suites) -> list[str]:
    """Names of checks, those of all tables first."""
    names = [check.name for check in suites.by_name[_BASE].checks]
    return [*names, *(name for name in suites.check_names() if name not in names)]


def _specs(suites: Suites, name: str) -> Iterable[tuple[str, CheckSpec]]:
    for suite in suites.by_name.values():
        if (spec := suite.check(name)) is not None:
            yield suite.name, spec


def _asked(spec: CheckSpec) -> str:
    arguments = {key: value for key, value in spec.arguments.items() if key != "column"}
    match spec.expectation:
        case "expect_column_values_to_be_null":
            return f"no `{spec.fact}`"
        case "expect_column_values_to_be_in_set":
            return f"`{spec.fact}` is " + " or ".join(
                "yes" if value is True else str(value) for value in _values(arguments)
            )
        case "expect_column_values_to_be_between":
            low, high = arguments.get("min_value"), arguments.get("max_value")
            least = f"at least {low}" if low is not None else ""
            most = f"at most {high}" if high is not None else ""
            return f"`{spec.fact}` " + " and ".join(filter(None, (least, most)))
    listed = ", ".join(f"{key} {value}" for key, value in arguments.items())
    return f"`{spec.fact}`: {spec.expectation} {listed}".rstrip()


def _values(arguments: Mapping[str, object]) -> list[object]:
    value_set = arguments.get("value_set")
    return value_set if isinstance(value_set, list) else [value_set]


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |\n" for line in lines)


if __name__ == "__main__":
    root = Path(__file__).parents[2]
    target = root / "docs" / "validation.md"
    suites = load_suites(root / "include" / "expectations")
    target.write_text(renewed(target.read_text(encoding="utf-8"), suites), encoding="utf-8")
    sys.stdout.write(f"{target}\n")
