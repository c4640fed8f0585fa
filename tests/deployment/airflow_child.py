"""Asks the installed Airflow and Celery, in a process of its own, what they know.

JSON on standard input, JSON on standard output. Airflow takes over the logging and the signals of
whoever imports it; no other test shall notice.
"""

import json
import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any


def problem_of(command: list[str]) -> str:
    """Why a command line would be refused; empty when it would not."""
    program, *words = command
    try:
        {"airflow": _airflow, "celery": _celery}[program](words)
    except (SystemExit, Exception) as error:
        return f"{type(error).__name__}: {error}"
    return ""


def _airflow(words: list[str]) -> None:
    from airflow.cli.cli_parser import get_parser

    parsed = get_parser().parse_args(words)
    assert parsed.func


def _celery(words: list[str]) -> None:
    """Only what health checks ask: celery --app NAME inspect COMMAND OPTIONS."""
    from celery.bin.control import inspect

    option, app, command, *rest = words
    assert (option, command) == ("--app", "inspect")
    module, _, name = app.rpartition(".")
    known: Any = getattr(import_module(module), name)
    assert known.tasks
    inspect.make_context("inspect", rest, resilient_parsing=False)


def unknown_options(names: list[str]) -> list[str]:
    """The variables AIRFLOW__SECTION__OPTION that name no option of Airflow or a provider."""
    from airflow.configuration import conf
    from airflow.providers_manager import ProvidersManager

    ProvidersManager().initialize_providers_configuration()
    known = conf.configuration_description
    return [name for name in names if not _is_known(name, known)]


def _is_known(name: str, known: dict[str, Any]) -> bool:
    _, section, option = name.lower().split("__", 2)
    return option in known.get(section, {}).get("options", {})


def known_metrics() -> list[str]:
    """The names of Airflow's own metrics."""
    from importlib.resources import files

    import yaml

    place = files("airflow._shared.observability.metrics") / "metrics_template.yaml"
    return [metric["name"] for metric in yaml.safe_load(place.read_text())["metrics"]]


def main() -> None:
    """Whatever Airflow prints goes elsewhere: standard output is for the answer."""
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    asked = json.load(sys.stdin)
    ask: dict[str, Callable[..., Any]] = {
        "commands": lambda lines: [problem_of(line) for line in lines],
        "options": unknown_options,
        "metrics": lambda _: known_metrics(),
    }
    json.dump({name: ask[name](given) for name, given in asked.items()}, answer)
    answer.close()


if __name__ == "__main__":
    main()
