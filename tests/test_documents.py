"""What the documents name exists: make targets, paths, links; and the table of changes is true."""

import re
import shlex
from pathlib import Path

import pytest
import yaml

from tests.deployment.command_lines import tallyho_problem

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

MAKE_CALL = re.compile(r"(?:^|[;&] *|run: |entry: )make ([a-z][a-z-]*)")
BLOCK = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
YAML_COMMAND = re.compile(r"^ *(?:- )?(?:run|entry): .*", re.MULTILINE)
TICKED = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)\s#]+)[^)\s]*\)")
PATH = re.compile(r"\.?[\w-]+(?:/[\w.-]+)*/?|[\w-]+\.(?:py|md|yaml)")
TOP = {path.name for path in ROOT.iterdir()}
ROOMS = {path.stem for path in (ROOT / "crawler").iterdir()}


def code_in(text: str) -> list[str]:
    """The lines of code blocks without their comments, and what stands between ticks."""
    blocks = [line.partition("#")[0] for block in BLOCK.findall(text) for line in block.split("\n")]
    return blocks + TICKED.findall(BLOCK.sub("", text))


def make_targets_in(text: str) -> set[str]:
    """What `make` is called with: in code, or in a step of a workflow."""
    code = code_in(text) + YAML_COMMAND.findall(text)
    return {target for piece in code for target in MAKE_CALL.findall(piece)}


def paths_in(text: str) -> set[str]:
    """What stands between ticks and begins with a file or folder of the project."""
    ticked = (word.partition(":")[0] for word in TICKED.findall(text))
    return {word for word in ticked if PATH.fullmatch(word) and word.split("/")[0] in TOP | {".ci"}}


def places_in(text: str) -> set[tuple[str, str]]:
    """Paths of the project, each with the name that the text says is defined there, or nothing.

    Paths are below crawler/ unless they begin with a file or folder of the project.
    """
    ticked = (word.partition(": ") for word in TICKED.findall(BLOCK.sub("", text)))
    return {
        (word if word.split("/")[0] in TOP else f"crawler/{word}", name.rpartition(".")[2])
        for word, _, name in ticked
        if PATH.fullmatch(word)
        and word.split("/")[0].removesuffix(".py") in TOP | ROOMS
        and "NAME" not in word
    }


def is_true(place: str, name: str) -> bool:
    """Whether the path exists and, where a name is given, defines it."""
    path = ROOT / place
    if not name or not path.is_file():
        return path.exists()
    defined = re.compile(rf"^\s*(?:def|class) {name}\b|^{name}\b.*=", re.MULTILINE)
    return defined.search(path.read_text(encoding="utf-8")) is not None


def table_below(heading: str, text: str) -> list[list[str]]:
    """The cells of each row of the table below a heading."""
    section = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows[1:]]


@pytest.mark.parametrize(
    ("name", "at_least"), [("architecture.md", 60), ("glossary.md", 60), ("nights.md", 5)]
)
def test_places_exist_and_define_what_is_named(name: str, at_least: int) -> None:
    places = places_in((ROOT / "docs" / name).read_text(encoding="utf-8"))
    assert len(places) >= at_least
    assert {place for place in places if not is_true(*place)} == set()


def test_table_of_changes_has_a_true_place_in_every_row() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = table_below("To change ... go to ...", text)
    assert len(rows) >= 25
    for change, places in rows:
        named = places_in(places)
        assert named, change
        assert all(is_true(*place) for place in named), (change, places)


def test_every_room_is_in_the_architecture() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    tree = text.partition("\n## The rooms\n")[2].partition("\n## ")[0]
    shown = set(re.findall(r"^ +(\w+)/ ", tree, re.MULTILINE))
    crawler = ROOT / "crawler"
    homes = (crawler, crawler / "catalog", crawler / "pipeline")
    rooms = {file.parent.name for home in homes for file in home.glob("*/__init__.py")}
    assert rooms - {"migrations"} <= shown


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


@pytest.mark.parametrize("name", ["README.md", "docs/nights.md", "docs/architecture.md"])
def test_commands_of_tallyho_exist(name: str) -> None:
    meant = {"NAME": "demo", "URL": "http://127.0.0.1/a.csv", "F": "a.csv", "N": "5", "ID": "38"}
    code = code_in((ROOT / name).read_text(encoding="utf-8"))
    commands = [shlex.split(line)[1:] for line in code if line.startswith("tallyho ")]
    assert commands
    problems = {
        " ".join(command): tallyho_problem([meant.get(word, word) for word in command])
        for command in commands
    }
    named_alone = "MissingParameter"
    wrong = {command: problem for command, problem in problems.items() if problem}
    assert {c: p for c, p in wrong.items() if not p.startswith(named_alone)} == {}


def test_decisions_are_numbered_without_a_gap() -> None:
    numbers = sorted(int(file.name[:4]) for file in (ROOT / "docs/decisions").glob("*.md"))
    assert numbers == list(range(1, len(numbers) + 1))


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
    assert not is_true("crawler/none.py", "")
    assert not is_true("crawler/errors.py", "NoSuchError")
    assert is_true("crawler/errors.py", "ExitCode")
