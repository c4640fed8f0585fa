"""Setting up the environment, with stand-ins for uv and the compiler that note their calls."""

import re
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
FAKE_UV = """#!/bin/sh
[ "$1" = --version ] && exit 0
echo "$@" >> {log}
{then}
"""
FAKE_PIP = """
import sys
before, _, asked = " ".join(sys.argv[1:]).partition(" install ")
if asked:
    with open({log!r}, "a") as log:
        print(asked, file=log)
    {then}
"""


class Checkout:
    """A copy of what the set-up needs, and a PATH with nothing but what it is given."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "checkout"
        self.venv = self.root / ".venv"
        self.bin = folder / "bin"
        self.log = folder / "uv.log"
        self.pip_log = folder / "pip.log"
        shutil.copytree(ROOT / "scripts", self.root / "scripts")
        for name in ("pyproject.toml", *(path.name for path in ROOT.glob("requirements*.txt"))):
            shutil.copy(ROOT / name, self.root)
        self.bin.mkdir()
        (self.bin / "python3").symlink_to(sys._base_executable)
        (self.bin / "dirname").symlink_to(shutil.which("dirname"))

    def add_uv(self, then: str = "") -> None:
        self.add_command("uv", FAKE_UV.format(log=self.log, then=then))

    def add_command(self, name: str, script: str) -> None:
        path = self.bin / name
        path.write_text(script)
        path.chmod(0o755)

    def add_venv(self) -> None:
        """A .venv in which hnswlib was built before."""
        command = [sys._base_executable, "-m", "venv", "--without-pip", self.venv]
        subprocess.run(command, check=True)
        lock = (self.root / "requirements.txt").read_text()
        version = re.search(r"^hnswlib==(\S+)", lock, re.MULTILINE)[1]
        (packages,) = self.venv.glob("lib/python*/site-packages")
        (packages / f"hnswlib-{version}.dist-info").mkdir()

    def add_pip(self, then: str = "") -> None:
        (packages,) = self.venv.glob("lib/python*/site-packages")
        (packages / "pip").mkdir()
        (packages / "pip" / "__main__.py").write_text(
            FAKE_PIP.format(log=str(self.pip_log), then=then)
        )

    def move(self) -> None:
        self.root = self.root.rename(self.root.with_name("moved"))
        self.venv = self.root / ".venv"

    def command(self, *task: str) -> tuple[list[object], dict[str, object]]:
        environment = {"PATH": str(self.bin), "HOME": str(self.root.parent)}
        options: dict[str, object] = {"env": environment, "text": True, "preexec_fn": _hear_ctrl_c}
        return [self.root / "scripts" / "setup.sh", *task], options

    def set_up(self, *task: str) -> subprocess.CompletedProcess[str]:
        command, options = self.command(*(task or ["runtime"]))
        return subprocess.run(command, capture_output=True, check=False, **options)

    def installs(self) -> list[str]:
        """What uv was asked to install since the last look."""
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        return [
            line.removeprefix(f"pip install --python {self.venv}/bin/python ") for line in lines
        ]

    def pip_installs(self) -> list[str]:
        """What pip was asked to install."""
        return self.pip_log.read_text().splitlines()


def _hear_ctrl_c() -> None:
    """A shell makes what it runs in the background deaf to it, and that is passed on."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


@pytest.fixture
def built(checkout: Checkout) -> Checkout:
    checkout.add_uv()
    checkout.add_venv()
    return checkout


def test_missing_compiler_is_told_in_one_sentence_before_anything_is_made(checkout):
    checkout.add_uv()
    result = checkout.set_up()
    assert result.returncode == 1
    assert "C++ compiler" in result.stderr
    assert re.search(r"apt-get install g\+\+", result.stderr)
    assert len(result.stderr.splitlines()) == 1
    assert not checkout.installs()
    assert not checkout.venv.exists()


def test_missing_compiler_of_the_environment_variable_is_told_too(checkout):
    checkout.add_uv()
    checkout.add_command("g++", "#!/bin/sh\n")
    command, options = checkout.command("runtime")
    options["env"]["CXX"] = "no-such-compiler -O2"
    result = subprocess.run(command, capture_output=True, check=False, **options)
    assert "C++ compiler" in result.stderr
    assert not checkout.installs()


def test_compiler_is_not_asked_for_when_the_locked_hnswlib_is_built(built):
    result = built.set_up()
    assert result.returncode == 0
    assert built.installs() == ["--require-hashes -r requirements.txt", "--no-deps -e ."]


def test_old_python_is_told_in_one_sentence(checkout):
    (checkout.bin / "python3").unlink()
    checkout.add_command("python3", "#!/bin/sh\nexit 1\n")
    result = checkout.set_up()
    assert result.returncode == 1
    assert "Python 3.11 or newer" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_second_run_with_the_same_lock_installs_nothing_and_says_nothing(built):
    built.set_up()
    built.installs()
    second = built.set_up()
    assert (second.returncode, second.stdout, second.stderr) == (0, "", "")
    assert not built.installs()


def test_changed_lock_is_installed_again(built):
    built.set_up()
    built.installs()
    with (built.root / "requirements.txt").open("a") as lock:
        lock.write("# another resolution\n")
    assert built.set_up().returncode == 0
    assert built.installs() == ["--require-hashes -r requirements.txt"]


def test_changed_pyproject_installs_the_project_again(built):
    built.set_up()
    built.installs()
    with (built.root / "pyproject.toml").open("a") as project:
        project.write("# another entry\n")
    assert built.set_up().returncode == 0
    assert built.installs() == ["--no-deps -e ."]


def test_runtime_after_dev_installs_nothing(built):
    built.set_up("dev")
    assert built.installs() == ["--require-hashes -r requirements-dev.txt", "--no-deps -e ."]
    assert built.set_up("runtime").stdout == ""
    assert not built.installs()


def test_dev_after_runtime_adds_the_dev_lock_only(built):
    built.set_up("runtime")
    built.installs()
    built.set_up("dev")
    assert built.installs() == ["--require-hashes -r requirements-dev.txt"]


def test_failed_install_shows_every_output_and_is_tried_again(built):
    built.add_uv(then="echo no route to the index; exit 1")
    built.add_pip(then="raise SystemExit('no trust in the proxy')")
    failed = built.set_up()
    assert failed.returncode == 1
    assert "no route to the index" in failed.stderr
    assert "no trust in the proxy" in failed.stderr
    assert "make clean" in failed.stderr
    built.installs()
    built.add_uv()
    assert built.set_up().returncode == 0
    assert built.installs() == ["--require-hashes -r requirements.txt", "--no-deps -e ."]


def test_pip_installs_what_uv_cannot(built):
    built.add_uv(then="exit 1")
    built.add_pip()
    assert built.set_up().returncode == 0
    assert built.pip_installs() == ["--require-hashes -r requirements.txt", "--no-deps -e ."]


def test_uv_of_the_environment_is_used_and_pip_after_it(built):
    (built.bin / "uv").rename(built.venv / "bin" / "uv")
    assert built.set_up().returncode == 0
    assert built.installs() == ["--require-hashes -r requirements.txt", "--no-deps -e ."]
    built.add_pip()
    built.add_uv(then="exit 1")
    (built.bin / "uv").rename(built.venv / "bin" / "uv")
    assert built.set_up("dev").returncode == 0
    assert built.pip_installs() == ["--require-hashes -r requirements-dev.txt"]


def test_pip_installs_where_uv_cannot_be_had(built):
    (built.bin / "uv").unlink()
    built.add_pip()
    assert built.set_up().returncode == 0
    assert built.pip_installs() == [
        "--quiet --retries 1 --require-hashes -r requirements-build.txt",
        "--require-hashes -r requirements.txt",
        "--no-deps -e .",
    ]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_interrupted_install_is_repaired_by_the_next_run(built, number):
    built.set_up()
    with (built.root / "requirements.txt").open("a") as lock:
        lock.write("# another resolution\n")
    built.add_uv(then=f"kill -{number.value} $PPID")
    assert built.set_up().returncode in (130, -signal.SIGKILL)
    built.installs()
    built.add_uv()
    assert built.set_up().returncode == 0
    assert built.installs() == ["--require-hashes -r requirements.txt"]


def test_two_set_ups_at_once_install_once(built):
    built.add_uv(then=f"{shutil.which('sleep')} 0.3")
    command, options = built.command("runtime")
    running = [subprocess.Popen(command, stdout=subprocess.DEVNULL, **options) for _ in range(2)]
    assert [process.wait() for process in running] == [0, 0]
    assert built.installs() == ["--require-hashes -r requirements.txt", "--no-deps -e ."]


def test_environment_is_made_anew_after_a_move(checkout):
    checkout.add_uv()
    checkout.add_command("g++", "#!/bin/sh\n")
    assert "once; about a minute" in checkout.set_up().stdout
    checkout.installs()
    left_over = checkout.venv / "left-over"
    left_over.touch()
    checkout.move()
    assert "once; about a minute" in checkout.set_up().stdout
    assert checkout.installs() == ["--require-hashes -r requirements.txt", "--no-deps -e ."]
    assert not (checkout.venv / "left-over").exists()


def test_taken_port_is_told_before_anything_is_made(checkout):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        result = checkout.set_up("runtime", str(port))
    assert result.returncode == 1
    assert f"The demo site needs port {port}" in result.stderr
    assert f"`make run DEMO_PORT={port + 1}`" in result.stderr
    assert not checkout.venv.exists()


def test_unknown_task_is_wrong_usage(checkout):
    assert checkout.set_up("everything").returncode == 2
