"""Whether command lines exist: asked of the real programs' own parsers."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

CHILD = Path(__file__).with_name("airflow_child.py")
_FENCE = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
_INSIDE_A_SERVICE = re.compile(
    r"^docker compose (?:exec (?:-T )?|run --rm (?:--volume \S+ )?)[\w-]+ |^\.venv/bin/(?=tallyho )"
)
_INLINE = re.compile(r"`([^`\n]+)`")


def ask_airflow(home: Path, **questions: Any) -> Any:
    """One answer of the installed Airflow to all questions; see airflow_child.py."""
    done = subprocess.run(
        [sys.executable, str(CHILD)],
        input=json.dumps(questions),
        capture_output=True,
        text=True,
        check=False,
        cwd=home,
        env={**os.environ, "AIRFLOW_HOME": str(home), "AIRFLOW__CORE__LOAD_EXAMPLES": "False"},
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return json.loads(done.stdout)


def tallyho_problem(words: list[str]) -> str:
    """Why `tallyho` would refuse these arguments; empty when it would not. Nothing is run."""
    import typer

    from crawler.cli import app

    command = typer.main.get_command(app)
    context: Any = None
    name = "tallyho"
    try:
        while True:
            context = command.make_context(name, list(words), parent=context)
            if not hasattr(command, "resolve_command"):
                return ""
            rest = [*getattr(context, "_protected_args", []), *context.args]
            if not rest:
                return "" if command.invoke_without_command else f"{name} needs a command"
            name, command, words = command.resolve_command(context, rest)
    except Exception as error:
        return f"{type(error).__name__}: {getattr(error, 'message', error)}"


def commands_in(markdown: str, program: str) -> list[list[str]]:
    """The arguments of every command of a program in a document, in code blocks and backticks.

    What is run inside a service, `docker compose exec SERVICE PROGRAM` or `run`, counts as well.
    """
    lines = []
    for block in _FENCE.findall(markdown):
        lines += re.sub(r"\\\n\s*", " ", block).splitlines()
    lines += _INLINE.findall(_FENCE.sub("", markdown))
    found = []
    for line in lines:
        for part in re.split(r"\s*(?:&&|\|\||\||;|<|>|\s#)\s*", _INSIDE_A_SERVICE.sub("", line)):
            name, *words = shlex.split(part, comments=True) or [""]
            if name == program and words:
                found.append(words)
    return found
