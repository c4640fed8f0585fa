"""The folder tree is the architecture: who may import whom, and how large a room may be."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OURS = "crawler"

LEAVES = {
    "catalog",
    "config",
    "differences",
    "metrics",
    "pages",
    "readers",
    "state",
    "storage",
    "web",
}
LEARNED = {"strategies", "learning"}
WORKING = {"engine", "revisit", "validation"}

EVERYWHERE = {"errors", "redaction", "described", "log_lines", "turns"}

# A room may import itself, what is in EVERYWHERE, and what stands here: a room or one module of it.
ALLOWED: dict[str, set[str]] = {
    "errors": set(),
    "redaction": set(),
    "described": set(),
    "log_lines": set(),
    "turns": set(),
    "pages": set(),
    "config": {"pages", "learning.group_score"},
    "web": set(),
    "state": {"pages", "revisit.page_history"},
    "storage": set(),
    "metrics": set(),
    "readers": {"pages"},
    "differences": {"readers"},
    "catalog": {
        "config",
        "pages",
        "storage",
        "readers",
        "differences",
        "validation.outcome",
        "state.run",
    },
    "learning": {"pages"},
    "strategies": {"learning", "config", "pages", "state.records", "state.saved"},
    "engine": {
        "strategies",
        "learning",
        "revisit",
        "config",
        "pages",
        "state.records",
        "state.history_records",
        "state.saved",
        "state.stop",
        "state.totals",
        "web.messages",
    },
    "revisit": {"learning", "config", "pages"},
    "validation": {"config", "pages", "readers", "differences"},
    "pipeline": WORKING | LEARNED | LEAVES,
    "nights": {"pipeline", "config", "metrics.meter", "catalog.read.records", "validation.outcome"},
    "lab": {
        "pipeline",
        "engine",
        "strategies",
        "learning",
        "revisit",
        "config",
        "state",
        "pages",
        "web.messages",
        "web.pacer",
        "web.user_agent",
    },
    "webapp": {"pipeline"} | WORKING | LEARNED | LEAVES,
    "cli": {"webapp", "lab", "pipeline"} | WORKING | LEARNED | LEAVES,
    "__main__": {"cli"},
    "dags": {"nights", "pipeline"} | WORKING | LEARNED | LEAVES,
    "plugins": {"nights", "webapp", "pipeline"} | WORKING | LEARNED | LEAVES,
}

WITHOUT_IO = {"engine", "strategies", "learning", "pages", "revisit"}
IO_LIBRARIES = {
    "airflow",
    "boto3",
    "botocore",
    "http.client",
    "http.server",
    "requests",
    "socket",
    "sqlalchemy",
    "sqlite3",
    "sqlmodel",
    "subprocess",
    "urllib.request",
    "urllib3",
}

NAMES_THAT_SAY_NOTHING = {"utils", "util", "helpers", "helper", "common", "misc"}
MAX_LINES = 400


def sources(*folders: str) -> list[Path]:
    """Every Python file of these folders, those that do not exist yet left out."""
    return sorted(file for folder in folders for file in (ROOT / folder).rglob("*.py"))


def is_module(name: str) -> bool:
    where = ROOT.joinpath(*name.split("."))
    return where.with_suffix(".py").is_file() or where.is_dir()


def imports(source: str) -> Iterator[str]:
    """Every module that a source names in an import, at its top or inside a function."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            for alias in node.names:
                name = f"{module}.{alias.name}"
                # `from crawler.web import fetcher` is an import of crawler.web.fetcher.
                yield name if is_module(name) else module


def room_of(file: Path) -> str:
    """`engine` for crawler/engine/crawl.py, `errors` for crawler/errors.py."""
    parts = file.relative_to(ROOT).with_suffix("").parts
    return parts[1] if parts[0] == OURS else parts[0]


def is_allowed(room: str, module: str) -> bool:
    """Whether a room may import this module of ours."""
    inside = module.removeprefix(f"{OURS}.")
    allowed = ALLOWED[room] | EVERYWHERE | {room}
    return any(inside == name or inside.startswith(f"{name}.") for name in allowed)


def does_io(module: str) -> bool:
    """Whether a module belongs to a library that talks to networks, databases or processes."""
    return any(module == name or module.startswith(f"{name}.") for name in IO_LIBRARIES)


def our_imports(file: Path) -> list[str]:
    found = imports(file.read_text(encoding="utf-8"))
    return [name for name in found if name.split(".")[0] in {OURS, "dags", "plugins"}]


CRAWLER = [file for file in sources(OURS) if file != ROOT / OURS / "__init__.py"]
OUTSIDE = sources("dags", "plugins")


def test_every_room_has_its_line_in_the_table() -> None:
    assert {room_of(file) for file in CRAWLER} <= set(ALLOWED)


def test_imports_go_downwards_only() -> None:
    upwards = [
        f"{file.relative_to(ROOT)} imports {name}"
        for file in CRAWLER + OUTSIDE
        for name in our_imports(file)
        if not is_allowed(room_of(file), name)
    ]
    assert upwards == []


def test_table_itself_has_no_circle() -> None:
    rooms = {room: {name.split(".")[0] for name in names} for room, names in ALLOWED.items()}
    while rooms:
        ground = {room for room, below in rooms.items() if not below & set(rooms)}
        assert ground, f"these import each other: {sorted(rooms)}"
        rooms = {room: below for room, below in rooms.items() if room not in ground}


def test_no_relative_imports() -> None:
    relative = [
        f"{file.relative_to(ROOT)} imports {name}"
        for file in CRAWLER + OUTSIDE
        for name in imports(file.read_text(encoding="utf-8"))
        if name.startswith(".")
    ]
    assert relative == []


def test_rooms_without_io_import_no_library_that_does_io() -> None:
    found = [
        f"{file.relative_to(ROOT)} imports {name}"
        for file in CRAWLER
        if room_of(file) in WITHOUT_IO
        for name in imports(file.read_text(encoding="utf-8"))
        if does_io(name)
    ]
    assert found == []


def test_engine_is_imported_without_network_database_and_terminal() -> None:
    heavy = ["requests", "urllib3", "boto3", "sqlmodel", "sqlite3", "airflow", "typer", "rich"]
    script = (
        "import sys, crawler.engine.crawl\n"
        f"print([name for name in {heavy!r} if name in sys.modules])\n"
    )
    run = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert run.stdout.strip() == "[]"


def test_no_module_has_a_name_that_says_nothing() -> None:
    files = sources(OURS, "dags", "plugins", "tests")
    parts = [
        (file, part) for file in files for part in file.relative_to(ROOT).with_suffix("").parts
    ]
    assert [str(file) for file, part in parts if part in NAMES_THAT_SAY_NOTHING] == []


def test_no_file_is_too_long_to_read() -> None:
    long = {
        str(file.relative_to(ROOT)): lines
        for file in sources(OURS, "dags", "plugins", "tests")
        if (lines := len(file.read_text(encoding="utf-8").splitlines())) > MAX_LINES
    }
    assert long == {}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import requests.adapters", ["requests.adapters"]),
        ("from requests import get", ["requests"]),
        ("from crawler.web import fetcher", ["crawler.web.fetcher"]),
        ("from crawler.web.messages import Reply", ["crawler.web.messages"]),
        ("from crawler import engine, errors", ["crawler.engine", "crawler.errors"]),
        ("def f():\n    import boto3", ["boto3"]),
        ("if 1:\n    from . import x", ["."]),
        ("from .y import x", [".y"]),
    ],
)
def test_imports_are_found_wherever_they_stand(source: str, expected: list[str]) -> None:
    assert list(imports(source)) == expected


@pytest.mark.parametrize(
    ("room", "module", "allowed"),
    [
        ("engine", "crawler.web.messages", True),
        ("engine", "crawler.web.fetcher", False),
        ("engine", "crawler.web", False),
        ("engine", "crawler.state.saved", True),
        ("engine", "crawler.state.crawl_state", False),
        ("engine", "crawler.pipeline.crawl.acquire", False),
        ("strategies", "crawler.engine.crawl", False),
        ("strategies", "crawler.web.messages", False),
        ("learning", "crawler.strategies.interface", False),
        ("pages", "crawler.config.site", False),
        ("web", "crawler.errors", True),
        ("web", "crawler.webapp", False),
        ("lab", "crawler.web.fetcher", False),
        ("pipeline", "crawler.cli", False),
        ("pipeline", "dags.acquire", False),
        ("cli", "crawler.lab.server", True),
        ("catalog", "crawler.validation.outcome", True),
        ("catalog", "crawler.validation.pool", False),
        ("validation", "crawler.catalog.write.verdicts", False),
    ],
)
def test_table_says_what_the_design_says(room: str, module: str, allowed: bool) -> None:
    assert is_allowed(room, module) is allowed
