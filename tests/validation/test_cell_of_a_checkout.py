"""A reader in its cell finds our own modules, however the process that started it found them."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
INSPECTS = """
import os, sys
from pathlib import Path
sys.path[:] = ["", *(place for place in sys.path if place and Path(place).resolve() != Path.cwd())]
from crawler.validation.inspection import InspectionRequest
from crawler.validation.inspector import FileToInspect, Inspector
folder = Path(sys.argv[1])
if __name__ == "__main__":
    with Inspector(1, readable=[folder]) as inspector:
        [(_, seen)] = inspector.inspect(
            [FileToInspect(0, folder / "births.csv", InspectionRequest("births.csv"))]
        )
    print(seen.kind.value, seen.detail or "read")
"""


def test_modules_found_through_the_working_folder_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "births.csv").write_text("year;births\n2024;7\n2025;8\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", INSPECTS, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.stdout == "delimited read\n", done.stderr
