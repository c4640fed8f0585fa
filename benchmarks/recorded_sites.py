"""The recorded sites of a folder, whatever form they have there."""

from collections.abc import Callable
from pathlib import Path

from crawler.errors import TallyhoError
from crawler.lab.measured_site import open_measured_site
from crawler.lab.replicas.reference_format import import_reference


def recorded_sites(folder: Path | None, room: Path, say: Callable[[str], None]) -> list[str]:
    """Replicas as they are; those of the reference implementation are imported into `room`.

    They lose what mirroring tools added to their names: it tells which links are alive.
    What is neither is named and skipped.
    """
    if folder is None:
        say("skipped: recorded sites, because no folder is given (--sites FOLDER)")
        return []
    if not folder.is_dir():
        say(f"skipped: recorded sites, because {folder} is no folder")
        return []
    replicas = []
    for path in sorted(folder.iterdir()):
        try:
            replicas.append(_replica(path, room))
        except TallyhoError as error:
            say(f"skipped: {path.name}: {error}")
    if not replicas:
        say(f"skipped: recorded sites, because {folder} has none")
    return replicas


def _replica(path: Path, room: Path) -> str:
    try:
        open_measured_site(str(path)).close()
    except TallyhoError:
        imported = room / f"{path.name}.replica.db"
        import_reference(path, imported, plain_names=True)
        return str(imported)
    return str(path)
