"""docs/limits.md names every limit with the value that the code has."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from crawler.config.site import SiteConfig
from crawler.config.sizes import parse_size

PAGE = Path(__file__).parents[1] / "docs" / "limits.md"
ROW = re.compile(r"\| [^|]+ \| ([^|]+) \| `([\w.]+)` \| ")
ROWS = [(where, value) for value, where in ROW.findall(PAGE.read_text())]


def number(text: str) -> float:
    """The number in a cell: 20,000, 10 MB or 0.5."""
    plain = text.replace(",", "")
    try:
        return float(plain)
    except ValueError:
        size = parse_size(plain)
        assert isinstance(size, int)
        return float(size)


def in_force(where: str) -> float:
    """The value that a constant or the key of a site file has."""
    if where.startswith("crawler."):
        module, name, field = re.fullmatch(r"([a-z_.]+)\.([A-Z_]+)(?:\.(\w+))?", where).groups()
        value = getattr(import_module(module), name)
        return float(getattr(value, field) if field else value)
    value: object = SiteConfig.model_validate({"start_url": "https://a.example/", "name": "a"})
    for part in where.split("."):
        value = getattr(value, part)
    assert isinstance(value, int | float)
    return float(value)


def test_the_page_has_its_rows() -> None:
    assert len(ROWS) >= 15


@pytest.mark.parametrize(("where", "value"), ROWS)
def test_a_limit_is_documented_with_its_value(where: str, value: str) -> None:
    assert in_force(where) == number(value)


def test_every_attack_names_tests_that_exist() -> None:
    rows = re.findall(r"(?m)^\| (\d+)\. [^|]+ \| (.+) \|$", PAGE.read_text())
    assert [int(number) for number, _ in rows] == list(range(1, 18))
    for number, cell in rows:
        named = re.findall(r"`(tests/[\w/.]+)::(test_\w+)`", cell)
        assert named, f"attack {number} has no test"
        for file, test in named:
            text = (PAGE.parents[1] / file).read_text()
            assert f"def {test}(" in text, f"attack {number}: {file} has no {test}"
