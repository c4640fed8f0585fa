"""Reading alert files: one file, or a folder of them, in which a bad file hides no other."""

from collections.abc import Collection, Iterable
from pathlib import Path

from crawler.config.alert import AlertConfig
from crawler.config.load import SUFFIXES, read_values, yaml_files
from crawler.config.problem import Problem, did_you_mean
from crawler.config.validated import validated
from crawler.errors import ConfigError


def load_alerts(folder: Path) -> tuple[list[AlertConfig], list[Problem]]:
    """All valid alerts of a folder by name, and the problems of the other files."""
    return read_alerts(alert_files(folder))


def read_alerts(
    files: Iterable[Path], sites: Collection[str] | None = None
) -> tuple[list[AlertConfig], list[Problem]]:
    """The alerts of these files; with the names of all sites, those of others are problems."""
    alerts: dict[str, AlertConfig] = {}
    problems: list[Problem] = []
    for path in files:
        alert, problems_of_file = read_alert(path, sites)
        if alert is not None and alert.name in alerts:
            problems_of_file = [Problem(path, 1, "", f"'{alert.name}' has a file already")]
            alert = None
        problems += problems_of_file
        if alert is not None:
            alerts[alert.name] = alert
    return [alerts[name] for name in sorted(alerts)], problems


def alert_files(folder: Path) -> list[Path]:
    """The alert files of a folder, sorted; none when there is no such folder."""
    return yaml_files(folder, "alerts") if folder.exists() else []


def find_alert_file(name_or_file: str, folder: Path) -> Path:
    """The file of an alert: a path as it is, or the file in the folder that has the name."""
    path = Path(name_or_file)
    if path.suffix in SUFFIXES:
        return path
    stems = {file.stem: file for file in reversed(alert_files(folder))}
    if found := stems.get(name_or_file):
        return found
    hint = did_you_mean(name_or_file, sorted(stems))
    raise ConfigError(f"there is no alert '{name_or_file[:80]}' in {folder}{hint}")


def read_alert(
    path: Path, sites: Collection[str] | None = None
) -> tuple[AlertConfig | None, list[Problem]]:
    """The alert of a file, or every problem that it has."""
    values, document, problems = read_values(path, "must be a mapping: search, webhook, …")
    if values is None:
        return None, problems
    if "name" in values:
        line = document.line_of(("name",))
        problems.append(Problem(path, line, "name", "is always that of the file; remove it"))
    alert, invalid = validated(AlertConfig, {**values, "name": path.stem}, document, path)
    problems += invalid
    if alert is not None and alert.site and sites is not None and alert.site not in sites:
        reason = f"there is no site '{alert.site}'{did_you_mean(alert.site, sites)}"
        problems.append(Problem(path, document.line_of(("site",)), "site", reason))
    return (None, sorted(set(problems))) if problems else (alert, [])
