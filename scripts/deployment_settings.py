"""Writes the settings of Tallyho into the files of a deployment, from the settings themselves.

`make reference` runs it: docker-compose.yaml, docker-compose.worker.yaml, .env.example and
helm/values.yaml pass every setting on, between the lines that say so. A test fails, and names the
settings, when one is missing.

Examples:
  .venv/bin/python scripts/deployment_settings.py
"""

import re
import sys
import textwrap
from pathlib import Path

from crawler.config.settings import PREFIX, Settings
from crawler.described import docstrings

ROOT = Path(__file__).parents[1]
BEGIN = "# Every setting, by `make reference`:"
END = "# (end of the settings)"
BLOCK = re.compile(rf"(?<={re.escape(BEGIN)}\n).*?(?=^ *{re.escape(END)}$)", re.M | re.S)

BY_HAND = frozenset(
    {"catalog_url", "store_url", "s3_endpoint", "crawl_pool", "airflow_database_url"}
)
"""What each file says in its own way: addresses of its services, its pool."""
DEFAULTS = {"slice_minutes": "20", "lane_sites": "100", "retention": "all"}
DEFAULTS |= {"alarm_sender": "tallyho@localhost"}
"""What the example shows, so that it can be compared with others; an empty one is the default."""


def passed_on() -> list[str]:
    """The settings that every deployment has from its own environment, in their order."""
    return [
        name for name in Settings.model_fields if name not in BY_HAND and not in_the_image(name)
    ]


def in_the_image(name: str) -> bool:
    """Whether a setting is a place that the Dockerfile sets."""
    return isinstance(Settings.model_fields[name].default, Path)


def variable(name: str) -> str:
    """The environment variable of a setting."""
    return f"{PREFIX}{name}".upper()


def compose_block() -> str:
    """As docker-compose.yaml has them: from .env, else not set."""
    lines = [f"  {variable(n)}: ${{{variable(n)}:-{DEFAULTS.get(n, '')}}}" for n in passed_on()]
    return "\n".join(lines) + "\n"


def example_block() -> str:
    """As .env.example has them, each explained."""
    meanings, lines = docstrings(Settings), []
    for name in passed_on():
        text = " ".join(meanings[name].split())
        lines += textwrap.wrap(text, 96, initial_indent="# ", subsequent_indent="# ")
        lines.append(f"{variable(name)}={DEFAULTS.get(name, '')}")
    return "\n".join(lines) + "\n"


def helm_block() -> str:
    """As helm/values.yaml has them, without those that come from a Secret."""
    lines = [
        f'  - {{name: {variable(name)}, value: "{DEFAULTS.get(name, "")}"}}'
        for name in passed_on()
        if not is_secret(name)
    ]
    return "\n".join(lines) + "\n"


def is_secret(name: str) -> bool:
    """Whether a setting may hold a password."""
    return "SecretStr" in str(Settings.model_fields[name].annotation)


FILES = {
    "docker-compose.yaml": compose_block,
    "docker-compose.worker.yaml": compose_block,
    ".env.example": example_block,
    "helm/values.yaml": helm_block,
}


def renewed(name: str) -> str:
    """The text of a file with its block made anew."""
    text = (ROOT / name).read_text(encoding="utf-8")
    made, times = BLOCK.subn(lambda _: FILES[name](), text)
    if times != 1:
        raise SystemExit(f"{name}: has {times} blocks between '{BEGIN}' and '{END}', not one")
    return made


def main() -> None:
    """All files."""
    for name in FILES:
        (ROOT / name).write_text(renewed(name), encoding="utf-8")
        print(f"wrote {name}", file=sys.stderr)


if __name__ == "__main__":
    if "--help" in sys.argv[1:]:
        print(__doc__)
    else:
        main()
