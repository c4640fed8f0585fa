"""A group of commands whose modules are imported when they are called.

`tallyho --help` must not wait for numpy and SQLAlchemy, so the group knows the names of its
commands and one line about each; all else, also a command's options, is in its own module.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group


@dataclass(slots=True)
class LazyCommand:
    """A command and where it is: a function, or a Typer application with several commands."""

    place: str
    """The module in this folder and the name in it: `lab_import:export`."""
    help: str
    """The first line of the command's help."""
    name: str = ""
    """By default that of the function, or of the module of an application."""

    def __post_init__(self) -> None:
        module, _, function = self.place.partition(":")
        self.name = self.name or (module if function == "app" else function)

    def load(self) -> Any:
        """Import the module and build the command."""
        module_name, _, function = self.place.partition(":")
        with _no_garbage():
            module = import_module(f"crawler.cli.{module_name}")
        target = getattr(module, function)
        if isinstance(target, typer.Typer):
            command: Any = get_group(target)
        else:
            alone = typer.Typer(add_completion=False, rich_markup_mode=None)
            alone.command(self.name, epilog=self._examples(module))(target)
            command = get_command(alone)
        command.name = self.name
        return command

    def _examples(self, module: ModuleType) -> str:
        """The constant SHOW_EPILOG of a module with several commands, else its EPILOG."""
        names = (f"{self.name.upper()}_EPILOG", "EPILOG")
        return next(str(getattr(module, name)) for name in names if hasattr(module, name))


@contextmanager
def _no_garbage() -> Iterator[None]:
    """For imports: what they make stays, and looking for garbage among it takes a tenth of them."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


class LazyGroup(TyperGroup):
    """Lists its commands without importing them."""

    lazy: ClassVar[tuple[LazyCommand, ...]] = ()
    """In the order of the help."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for one in self.lazy:
            self.add_command(TyperCommand(one.name, short_help=one.help), one.name)
        self._loaded: dict[str, Any] = {}

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command itself, imported now."""
        for one in self.lazy:
            if one.name == cmd_name and cmd_name not in self._loaded:
                self._loaded[cmd_name] = one.load()
        return self._loaded.get(cmd_name) or super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """The commands with one line each."""
        width = formatter.width - 6 - max(map(len, self.commands), default=0)
        rows = [(name, one.get_short_help_str(width)) for name, one in self.commands.items()]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


def lazy_app(about: str, *commands: LazyCommand) -> typer.Typer:
    """The Typer application of such a group; `about` is its help."""
    group = type("Group", (LazyGroup,), {"lazy": commands})
    app = typer.Typer(cls=group, help=about, no_args_is_help=True, rich_markup_mode=None)
    # Without a callback Typer takes an application without commands of its own for a mistake.
    app.callback()(lambda: None)
    return app
