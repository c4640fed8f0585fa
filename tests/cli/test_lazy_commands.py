"""Commands are listed without being imported, and listed as they are."""

import subprocess
import sys
from typing import Any

import pytest
import typer

from crawler.cli import app
from crawler.cli.lazy_group import LazyGroup

GROUPS = ((), ("sites",), ("catalog",), ("lab",))


def group_at(path: tuple[str, ...]) -> Any:
    command: Any = typer.main.get_command(app)
    for name in path:
        command = command.get_command(None, name)
    return command


@pytest.mark.parametrize("path", GROUPS)
def test_listing_says_what_the_commands_own_help_says(path: tuple[str, ...]) -> None:
    group = group_at(path)
    assert isinstance(group, LazyGroup)
    assert [one.name for one in group.lazy] == group.list_commands(None)
    for one in group.lazy:
        own = " ".join((group.get_command(None, one.name).help or "").split())
        assert own.startswith(one.help.rstrip(".")), one.name


@pytest.mark.parametrize("path", GROUPS)
def test_listing_fits_a_terminal(path: tuple[str, ...]) -> None:
    group = group_at(path)
    width = max(len(one.name) for one in group.lazy)
    assert [one.name for one in group.lazy if 4 + width + len(one.help) > 80] == []


def test_every_command_has_examples() -> None:
    for path in GROUPS:
        for one in group_at(path).lazy:
            command = group_at(path).get_command(None, one.name)
            if not isinstance(command, typer.core.TyperGroup):
                assert "Examples:" in command.epilog, one.name


def imported_by(*arguments: str) -> set[str]:
    script = (
        "import sys\n"
        "from crawler.cli import main\n"
        f"sys.argv = ['tallyho', *{list(arguments)!r}]\n"
        "try:\n    main()\n"
        "except SystemExit:\n    pass\n"
        "print(*sorted(name for name in sys.modules if name.startswith('crawler.')))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    )
    return set(done.stdout.splitlines()[-1].split())


def test_group_that_is_asked_for_help_imports_none_of_its_commands() -> None:
    assert "crawler.cli.lab_compare" not in imported_by("lab", "--help")
    assert "crawler.cli.sites_probe" not in imported_by("sites", "--help")


def test_only_the_module_of_the_called_command_is_imported() -> None:
    commands = {name for name in imported_by("lab", "serve", "--help") if "cli.lab_" in name}
    assert commands == {"crawler.cli.lab_serve"}


def test_search_imports_neither_the_writing_of_files_nor_the_site_file() -> None:
    imported = imported_by("catalog", "search", "--help")
    assert "crawler.catalog.search.search" in imported
    assert imported.isdisjoint(
        {"crawler.catalog.write.ingest", "crawler.config.site", "crawler.config.validation"}
    )
