"""docs/api.md says what the code says."""

import subprocess
import sys
from pathlib import Path

import pytest

from scripts.api_reference import PUBLIC, api_reference

ROOT = Path(__file__).parents[2]


def test_the_page_is_up_to_date() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    assert page == api_reference(), "run `make reference`"


@pytest.mark.parametrize(
    "line",
    [
        "### `Catalog`",
        "### `load_settings() -> Settings`",
        "| `next_link(t: int) -> Selection \\| None` | The link to follow at time t",
        "| `QUEUE = 'queue'` | It goes to the frontier. |",
        "| `page_action: int` | The action of the page that shows it. |",
    ],
)
def test_functions_classes_members_and_their_docstrings_are_on_it(line: str) -> None:
    assert line in api_reference()


@pytest.mark.parametrize("module", PUBLIC)
def test_public_packages_stay_cheap_to_import(module: str) -> None:
    heavy = ["airflow", "boto3", "great_expectations", "pandas", "requests", "sklearn"]
    script = f"import sys, {module}\nprint([name for name in {heavy!r} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert run.stdout.strip() == "[]"


def test_names_that_are_not_public_are_refused() -> None:
    import crawler.config

    assert all(hasattr(crawler.config, name) for name in crawler.config.__all__)
    assert not hasattr(crawler.config, "read_bytes")
