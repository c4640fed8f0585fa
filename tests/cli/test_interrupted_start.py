"""Ctrl-C while a command is still being imported ends it as at any other moment."""

import subprocess
import sys

import pytest

START = """
import sys

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[-1]:
            # As libraries do in their imports, and Python remembers it.
            exec("raise KeyboardInterrupt")

sys.meta_path.insert(0, Interrupting())
module = sys.argv[-1]
sys.argv = ["tallyho", "crawl", module]
from crawler.__main__ import main
main()
"""


@pytest.mark.parametrize(
    "module", ["crawler.cli", "crawler.cli.crawl", "crawler.pipeline.crawl.acquire"]
)
def test_interrupt_within_an_import_is_an_interrupt(module: str) -> None:
    command = [sys.executable, "-c", START, module]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.stderr == "error: interrupted\n"
    assert ended.returncode == 130
