"""`tallyho doctor`: what of the protection against hostile files this machine offers."""

from typing import Annotated

import typer

from crawler.cli.output import clean, print_json, print_pairs
from crawler.errors import ExitCode
from crawler.readers.bounds import DEFAULT_BOUNDS
from crawler.validation.cell import Layer, missing_layers
from crawler.validation.landlock import version
from crawler.validation.reader_memory import SHARE_BYTES, ReaderMemory

EPILOG = """\b
Examples:
  tallyho doctor
  tallyho doctor --json | jq .missing

\b
Files are read by processes that the kernel holds back. A layer that it does not offer is
listed with the reason, and the others hold without it; exit code 7 then.
"""


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")] = False,
) -> None:
    """Show how the processes that read files are confined on this machine."""
    missing = {each.layer: each.reason for each in missing_layers()}
    memory = ReaderMemory()
    at_once = max(1, memory.shares // memory.shares_of(DEFAULT_BOUNDS.memory))
    if as_json:
        print_json(
            {
                "layers": [layer.value for layer in Layer if layer not in missing],
                "missing": {layer.value: reason for layer, reason in missing.items()},
                "landlock_version": version(),
                "memory_of_all_readers": memory.shares * SHARE_BYTES,
                "readers_at_once": at_once,
            }
        )
    else:
        print_pairs(
            [
                *(
                    (layer.value, f"missing: {missing[layer]}" if layer in missing else "in force")
                    for layer in Layer
                ),
                ("memory", f"{memory.shares} GB for all readers of this machine together"),
                ("at once", clean(f"{at_once} large files")),
            ]
        )
    if missing:
        raise typer.Exit(int(ExitCode.FAILURES))
