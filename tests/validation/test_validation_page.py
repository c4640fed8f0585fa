"""docs/validation.md says what the suites say, and its examples work as they stand there."""

import re
import shutil
from pathlib import Path

import pytest

from crawler.config.load import load_site
from crawler.readers.kinds import Kind
from crawler.validation.expectations import Judge
from crawler.validation.inspection import inspect_content
from crawler.validation.outcome import Judgement
from crawler.validation.overrides import check_validation
from crawler.validation.reference import renewed
from crawler.validation.suites import Suites, load_suites
from tests.validation.frames import GOOD, file_of, table

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "include" / "expectations"
PAGE = (ROOT / "docs" / "validation.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```yaml\n# (include/\S+)\n(.*?)```", PAGE, re.DOTALL)
SITES = [text for path, text in EXAMPLES if path.startswith("include/sites/")]
SUITE_FILES = [(path, text) for path, text in EXAMPLES if "expectations" in path]


@pytest.fixture(scope="module")
def suites() -> Suites:
    return load_suites(SHIPPED)


def test_the_tables_are_up_to_date(suites: Suites) -> None:
    assert renewed(PAGE, suites) == PAGE, "run `python -m crawler.validation.reference`"


def test_every_verdict_and_check_is_on_the_page(suites: Suites) -> None:
    assert all(f"| `{verdict.value}` |" in PAGE for verdict in Judgement)
    assert all(f"| `{name}` |" in PAGE for name in suites.check_names())
    assert (len(SITES), len(SUITE_FILES)) == (3, 1)


@pytest.mark.parametrize("text", SITES)
def test_an_example_of_a_site_file_is_right(tmp_path: Path, text: str) -> None:
    path = tmp_path / "example.yaml"
    path.write_text(text, encoding="utf-8")

    assert load_site(path).name == "example"
    assert check_validation([path], SHIPPED) == []


def test_the_example_of_a_suite_is_right(tmp_path: Path) -> None:
    ((path, text),) = SUITE_FILES
    folder = tmp_path / "expectations"
    shutil.copytree(SHIPPED, folder)
    (folder / Path(path).name).write_text(text, encoding="utf-8")

    changed = load_suites(folder).of(Kind.ODS)

    assert changed.check("several-columns") is not None
    assert changed.check("numeric-share") is not None


@pytest.mark.slow  # importing the library takes seconds, once per process
def test_the_examples_do_what_the_page_says(tmp_path: Path, suites: Suites) -> None:
    codes = []
    for text in SITES:
        path = tmp_path / "example.yaml"
        path.write_text(text, encoding="utf-8")
        judge = Judge(suites, load_site(path).validation)
        data = {**GOOD, "UNIT": ["PC"] * 20, "geo": ["FR"] * 20, "OBS_VALUE": [-1] * 20}
        data |= {"TIME_PERIOD": [2020] * 20}
        request = judge.request("https://www.example.org/archive/unemployment.csv")
        found = inspect_content(file_of(table(data)), request)
        codes.append({reason.code for reason in judge.judge([found])[0].reasons})

    assert codes == [
        {"value-ranges"},
        {"required-columns"},
        {"percent-in-range", "compound-columns-to-be-unique"},
    ]
