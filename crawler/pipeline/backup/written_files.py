"""The files that people wrote: of every setting of a folder or file that the project has, too.

A file of a password has no place in the project, and none in a backup.
"""

from collections.abc import Iterator
from pathlib import Path

from crawler.config.settings import Settings


def written_files(settings: Settings) -> Iterator[tuple[str, Path]]:
    """Where each file goes in a backup, `sites_dir/demo.yaml`, and where it is on this machine."""
    for name, place in written_places(settings).items():
        if place.is_file():
            yield name, place
        for path in sorted(place.rglob("*")) if place.is_dir() else ():
            if path.is_file() and "__pycache__" not in path.parts:
                yield f"{name}/{path.relative_to(place).as_posix()}", path


def place_of(settings: Settings, relative: str) -> Path | None:
    """Where a file of a backup belongs on this machine; None when no setting names such a place."""
    name, _, rest = relative.partition("/")
    place = written_places(settings).get(name)
    return None if place is None else place / rest if rest else place


def written_places(settings: Settings) -> dict[str, Path]:
    """Every setting of a folder or file that people write, by its name."""
    fields = type(settings).model_fields.items()
    written = [name for name, field in fields if name != "home" and isinstance(field.default, Path)]
    return {name: getattr(settings, name) for name in written}
