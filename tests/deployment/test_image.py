"""The Dockerfile: what it copies exists, what it pins fits, and nothing else gets in."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.deployment.compose import load, variables
from tests.deployment.dockerfile import copies, environment, instructions, is_ignored
from tests.deployment.env_file import filled_in, read_env

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
IGNORED = (ROOT / ".dockerignore").read_text()
COPIED = dict(copies(DOCKERFILE))


def all_of(name: str) -> list[str]:
    return [each.text for each in instructions(DOCKERFILE) if each.name == name]


@pytest.mark.parametrize("source", sorted(COPIED))
def test_what_is_copied_exists_and_reaches_the_builder(source: str) -> None:
    assert (ROOT / source).exists()
    assert not is_ignored(source, IGNORED)
    files = [path for path in (ROOT / source).rglob("*") if path.is_file()]
    for file in files or [ROOT / source]:
        path = str(file.relative_to(ROOT))
        assert is_ignored(path, IGNORED) == ("__pycache__" in path), path


@pytest.mark.parametrize(
    "path",
    [
        ".env",
        ".git/config",
        ".venv/bin/python",
        ".tallyho/catalog.db",
        "tests/conftest.py",
        "crawler/__pycache__/errors.cpython-311.pyc",
        "crawler/engine/__pycache__/crawl.cpython-311.pyc",
    ],
)
def test_secrets_data_and_leftovers_never_reach_the_builder(path: str) -> None:
    assert is_ignored(path, IGNORED)


def test_git_never_takes_the_secrets() -> None:
    assert ".env" in (ROOT / ".gitignore").read_text().splitlines()


def test_base_is_pinned_and_new_enough() -> None:
    (base,) = re.findall(r"^ARG PYTHON=(\S+)", DOCKERFILE, re.MULTILINE)
    (builder,) = re.findall(r"^ARG BUILDER=(\S+)", DOCKERFILE, re.MULTILINE)
    version = re.fullmatch(r"python:(3\.\d+)\.\d+-slim-[a-z]+", base)
    assert version
    # The same system and the same Python, with the compiler.
    assert builder == base.replace("-slim", "")
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    assert wanted == f">={version[1]}"
    assert [text.split()[0] for text in all_of("FROM")] == ["${BUILDER}", "${PYTHON}"]


def test_build_asks_the_package_index_and_nobody_else() -> None:
    for text in all_of("RUN"):
        assert not re.search(r"\b(apt-get|apt|apk|curl|wget|git|npm|conda)\b", text), text
        for install in re.findall(r"pip install [^&]*", text):
            assert "--require-hashes" in install or "--no-deps --no-build-isolation" in install
    assert all_of("ADD") == []


def test_packages_are_those_of_the_lock_and_the_compiler_stays_behind() -> None:
    builder, last = DOCKERFILE.split("\nFROM ")[1:]
    assert "pip install --require-hashes --requirement /build/requirements.txt" in builder
    assert "pip install --no-deps --no-build-isolation /build" in builder
    assert "HNSWLIB_NO_NATIVE=1" in builder
    assert "pip" not in last
    assert "COPY --from=builder /opt/venv /opt/venv" in last


def test_project_can_be_built_from_what_is_copied() -> None:
    """The files that pyproject.toml names are among those that the builder gets."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["project"]["readme"] in COPIED
    assert {"pyproject.toml", "LICENSE", "crawler"} <= set(COPIED)


def test_nobody_is_root_inside() -> None:
    assert all_of("USER") == ["50000:0"]


def test_folders_that_are_written_to_belong_to_the_user() -> None:
    """A new volume takes over the owner of the folder that it covers."""
    made = next(text for text in all_of("RUN") if "install --directory --owner 50000" in text)
    text = (ROOT / "docker-compose.yaml").read_text()
    required = {variable.name for variable in variables(text) if variable.required}
    values = filled_in(read_env((ROOT / ".env.example").read_text()), required)
    services = load(text, values)["services"]
    ours = [each for each in services.values() if each["image"].startswith("tallyho:")]
    for entry in {entry for each in ours for entry in each["volumes"]}:
        if not entry.startswith("."):
            assert entry.split(":")[1] in made.split()
    own = environment(DOCKERFILE)
    for name in ("AIRFLOW_HOME", "AIRFLOW__LOGGING__BASE_LOG_FOLDER", "TALLYHO_HOME"):
        assert own[name] in made.split()


def test_airflow_and_tallyho_look_where_the_files_are() -> None:
    own, places = environment(DOCKERFILE), set(COPIED.values())
    assert {own["AIRFLOW__CORE__DAGS_FOLDER"], own["AIRFLOW__CORE__PLUGINS_FOLDER"]} <= places
    assert own["TALLYHO_SITES_DIR"] == f"{COPIED['include']}/sites"
    assert own["TALLYHO_EXPECTATIONS_DIR"] == f"{COPIED['include']}/expectations"
    assert own["TALLYHO_ALERTS_DIR"] == f"{COPIED['include']}/alerts"
    # The DAG files look for the project's folder beside their own.
    assert Path(own["AIRFLOW__CORE__DAGS_FOLDER"]).parent == Path(COPIED["include"]).parent


@pytest.mark.parametrize("script", ["prepare.py", "healthy.py"])
def test_scripts_are_where_the_services_call_them_and_need_nothing_else(script: str) -> None:
    place = COPIED[f"docker/{script}"]
    assert place in (ROOT / "docker-compose.yaml").read_text()
    tree = ast.parse((ROOT / "docker" / script).read_text())
    names = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    names |= {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    ours = {str(name).split(".")[0] for name in names} - set(sys.stdlib_module_names)
    lock = (ROOT / "requirements.txt").read_text()
    assert all(re.search(rf"^{name}==", lock, re.MULTILINE) for name in ours)


def test_shell_script_is_executable_and_parses() -> None:
    script = ROOT / "docker" / "make_databases.sh"
    assert script.stat().st_mode & 0o111
    subprocess.run(["sh", "-n", str(script)], check=True)


@pytest.mark.parametrize(
    ("path", "rules", "ignored"),
    [
        ("a/b", "*", True),
        ("a/b", "*\n!a", False),
        ("a/b/c.pyc", "*\n!a\n**/*.pyc", True),
        ("c.pyc", "**/*.pyc", True),
        ("a/b", "b", False),
        ("a/b", "**/b", True),
        ("a/b", "a/?", True),
        ("a/b/c", "a/*", True),
        ("a", "# a\n\n", False),
    ],
)
def test_rules_of_dockerignore_are_read_as_docker_reads_them(
    path: str, rules: str, ignored: bool
) -> None:
    assert is_ignored(path, rules) is ignored


def test_instructions_are_read_with_their_continued_lines() -> None:
    text = "FROM a\n# no\nENV A=1 \\\n    B=2\nCOPY --chown=1 x y /z/\nCOPY --from=b /c /d\n"
    assert [each.name for each in instructions(text)] == ["FROM", "ENV", "COPY", "COPY"]
    assert list(copies(text)) == [("x", "/z/x"), ("y", "/z/y")]
    assert environment("\n" + text) == {"A": "1", "B": "2"}
