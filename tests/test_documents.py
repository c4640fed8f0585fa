"""What the documents name exists: make targets, paths, links; and the table of changes is true."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
FORGE = sorted((ROOT / ".github").rglob("*.*"))
FOR_CONTRIBUTORS = [
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    ROOT / ".pre-commit-config.yaml",
    *(file for file in FORGE if file.is_file()),
]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
TARGETS = set(re.findall(r"^([a-z][a-z -]*):(?!=)", (ROOT / "Makefile").read_text(), re.MULTILINE))
MAKE_TARGETS = {name for line in TARGETS for name in line.split()}

MAKE_CALL = re.compile(r"(?<![a-z-])make ([a-z][a-z-]*)")
BLOCK = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
YAML_COMMAND = re.compile(r"^ *(?:- )?(?:run|entry): .*", re.MULTILINE)
TICKED = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)\s#]+)[^)\s]*\)")
PATH = re.compile(r"\.?[\w-]+(?:/[\w.-]+)*/?|[\w-]+\.(?:py|md|yaml)")
TOP = {path.name for path in ROOT.iterdir()}


def make_targets_in(text: str) -> set[str]:
    """What `make` is called with in code: in a block, between ticks, in a step of a workflow."""
    blocks = [line.partition("#")[0] for block in BLOCK.findall(text) for line in block.split("\n")]
    code = blocks + TICKED.findall(BLOCK.sub("", text)) + YAML_COMMAND.findall(text)
    return {target for piece in code for target in MAKE_CALL.findall(piece)}


def paths_in(text: str) -> set[str]:
    """What stands between ticks and begins with a file or folder of the project."""
    ticked = (word.partition(":")[0] for word in TICKED.findall(text))
    return {word for word in ticked if PATH.fullmatch(word) and word.split("/")[0] in TOP | {".ci"}}


@pytest.mark.parametrize("file", PAGES + FOR_CONTRIBUTORS[2:], ids=lambda f: f.name)
def test_make_targets_exist(file: Path) -> None:
    assert make_targets_in(file.read_text(encoding="utf-8")) <= MAKE_TARGETS


@pytest.mark.parametrize("file", FOR_CONTRIBUTORS, ids=lambda f: f.name)
def test_paths_for_contributors_exist(file: Path) -> None:
    named = paths_in(file.read_text(encoding="utf-8"))
    assert {path for path in named if not (ROOT / path).exists()} == set()


@pytest.mark.parametrize("file", PAGES, ids=lambda f: f.name)
def test_links_lead_somewhere(file: Path) -> None:
    links = LINK.findall(file.read_text(encoding="utf-8"))
    assert [link for link in links if not (file.parent / link).exists()] == []


def test_documents_for_contributors_name_targets_and_paths() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert make_targets_in(text) >= {"dev", "lint", "test", "test-fast", "reference"}
    assert len(paths_in((ROOT / "SECURITY.md").read_text(encoding="utf-8"))) >= 20


def test_workflow_runs_what_ci_runs() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/test.yaml").read_text())
    steps = workflow["jobs"]["test"]["steps"]
    assert [step["run"] for step in steps if "run" in step] == [".ci/run"]


def test_commits_are_linted_by_the_same_command_as_in_ci() -> None:
    [repository] = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    [hook] = repository["hooks"]
    assert (hook["entry"], hook["pass_filenames"]) == ("make lint", False)
    assert re.search(hook["files"], "crawler/errors.py")


@pytest.mark.parametrize("name", ["bug", "idea", "site"])
def test_issue_templates_have_what_the_forge_needs(name: str) -> None:
    template = yaml.safe_load((ROOT / f".github/ISSUE_TEMPLATE/{name}.yaml").read_text())
    assert template["name"]
    assert template["description"]
    assert len({field["id"] for field in template["body"]}) == len(template["body"])
    assert any(field.get("validations", {}).get("required") for field in template["body"])


def test_what_is_checked_is_recognised() -> None:
    prose = "Say `make nowhere`, see `crawler/none.py: x` and [this](none.md#a).\n\n"
    text = f"{prose}```\nmake gone  # make x\n```\n"
    assert make_targets_in(f"Never make it.\n{text}") == {"nowhere", "gone"}
    assert make_targets_in("steps:\n  - run: make lost") == {"lost"}
    assert paths_in(text) == {"crawler/none.py"}
    assert LINK.findall(text) == ["none.md"]
