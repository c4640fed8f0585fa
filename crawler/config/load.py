"""Reading site files: one file, or a folder of them, in which a bad file hides no other."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from crawler.config.document import MAX_FILE_BYTES, Document, read_document
from crawler.config.problem import Problem, did_you_mean
from crawler.config.section import is_site_name
from crawler.config.site import SiteConfig
from crawler.config.validated import dotted, validated
from crawler.errors import ConfigError

SUFFIXES = (".yaml", ".yml")


def load_site(path: Path) -> SiteConfig:
    """The site of a file; ConfigError with the first problem when there is one."""
    site, problems = read_site(path)
    if site is None:
        raise first_of(problems)
    return site


def first_of(problems: Sequence[Problem]) -> ConfigError:
    """The error of a file with these problems: the first of them, and how many more there are."""
    others = len(problems) - 1
    more = f" (and {others} more problem{'' if others == 1 else 's'})" if others else ""
    return ConfigError(f"{problems[0]}{more}")


def load_sites(folder: Path) -> tuple[list[SiteConfig], list[Problem]]:
    """All valid sites of a folder by name, and the problems of the other files."""
    return read_sites(site_files(folder))


def read_sites(files: Iterable[Path]) -> tuple[list[SiteConfig], list[Problem]]:
    """The sites of these files; where two have one name, the first file keeps it."""
    sites: dict[str, SiteConfig] = {}
    owners: dict[str, Path] = {}
    problems: list[Problem] = []
    for path in files:
        site, problems_of_file = read_site(path)
        problems += problems_of_file
        name = site.name if site is not None else _name_in(path)
        if not name:
            continue
        owner = owners.setdefault(name, path)
        if owner != path:
            # A file with mistakes takes the name from none that is right.
            wrong, other = (path, owner) if name in sites or site is None else (owner, path)
            reason = f"'{name}' is already the name of {other}"
            line = read_document(read_bytes(wrong)).line_of(("name",))
            problems.append(Problem(wrong, line, "name", reason))
        if site is not None and name not in sites:
            sites[name], owners[name] = site, path
    return [sites[name] for name in sorted(sites)], problems


def _name_in(path: Path) -> str:
    """The name that a file with mistakes gives to its site; empty when it gives none."""
    with suppress(OSError):
        values = read_document(read_bytes(path)).value
        if isinstance(values, dict) and is_site_name(name := str(values.get("name", path.stem))):
            return name
    return ""


def site_files(folder: Path) -> list[Path]:
    """The site files of a folder, sorted; ConfigError when there is no such folder."""
    return yaml_files(folder, "sites")


def yaml_files(folder: Path, what: str) -> list[Path]:
    """The files of a folder that are not hidden, sorted; ConfigError when it cannot be read."""
    try:
        files = [path for path in folder.iterdir() if path.suffix in SUFFIXES]
    except OSError as error:
        raise ConfigError(f"cannot read the {what} in {folder}: {error.strerror}") from None
    return sorted(path for path in files if not path.name.startswith("."))


def find_file(name_or_file: str, folder: Path) -> Path:
    """The file of a site: a path as it is, or the file in the folder that has the name."""
    path = Path(name_or_file)
    if path.suffix in SUFFIXES:
        return path
    files = site_files(folder)
    stems = {file.stem: file for file in reversed(files)}
    likely = stems.get(name_or_file)
    if likely is not None and (site := read_site(likely)[0]) and site.name == name_or_file:
        return likely
    sites = {site.name: file for file in files if (site := read_site(file)[0]) is not None}
    if file := sites.get(name_or_file, likely):
        return file
    hint = did_you_mean(name_or_file, sorted({*sites, *stems}))
    raise ConfigError(f"there is no site '{name_or_file[:80]}' in {folder}{hint}")


def find_site(name_or_file: str, folder: Path) -> SiteConfig:
    """The site with this name in the folder, or of this file; ConfigError when it is wrong."""
    return load_site(find_file(name_or_file, folder))


def read_site(path: Path) -> tuple[SiteConfig | None, list[Problem]]:
    """The site of a file, or every problem that it has."""
    values, document, problems = read_values(path, "must be a mapping with at least start_url: …")
    if values is None:
        return None, problems
    site, invalid = validated(SiteConfig, {"name": path.stem, **values}, document, path)
    problems += invalid
    return (None, sorted(set(problems))) if problems else (site, [])


def read_values(
    path: Path, what_it_must_be: str
) -> tuple[dict[str, object] | None, Document, list[Problem]]:
    """The mapping of a configuration file with its lines, or None and why there is none."""
    try:
        document = read_document(read_bytes(path))
    except OSError as error:
        reason = f"cannot be read: {error.strerror or error}"
        return None, Document(), [Problem(path, 1, "", reason)]
    problems = [
        Problem(path, mistake.line, dotted(mistake.path), mistake.reason)
        for mistake in document.mistakes
    ]
    if isinstance(document.value, dict):
        return document.value, document, problems
    return None, document, problems or [Problem(path, 1, "", what_it_must_be)]


def read_bytes(path: Path) -> bytes:
    """The bytes of a configuration file, at most one more than it may have."""
    if path.exists() and not path.is_file():
        raise OSError(f"{path} is not a file")
    with path.open("rb") as file:
        return file.read(MAX_FILE_BYTES + 1)
