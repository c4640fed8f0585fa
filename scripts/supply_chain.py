"""What a release says about where it comes from: `supply_chain.py sbom FILE | audit | images`.

sbom writes the packages of requirements.txt as CycloneDX; audit looks their known weaknesses up
(needs the network); images renews the digests of the base images in Dockerfile and
docker-compose.yaml (needs docker and the network).
"""

import re
import sys
from collections.abc import Callable, Sequence

from complaint import Complaint, exit_code
from installers import find_uv, run
from steps import ROOT

SBOM_TOOL = "cyclonedx-bom==7.5.0"
AUDIT_TOOL = "pip-audit==2.10.1"
IMAGE_FILES = ("Dockerfile", "docker-compose.yaml")
_IMAGE = re.compile(
    r"(?P<start>^\s*image: |^ARG (?:PYTHON|BUILDER)=)"
    r"(?P<name>[a-z0-9./_-]+:[\w.-]+)(@sha256:[0-9a-f]{64})?$",
    re.MULTILINE,
)


def sbom(target: str) -> None:
    """Write the packages of the runtime lock, with their hashes, as CycloneDX."""
    command = ["cyclonedx-py", "requirements", "requirements.txt", "--of", "JSON", "-o", target]
    _tool(SBOM_TOOL, command)
    print(f"wrote {target}")


def audit() -> None:
    """Look up known weaknesses of the locked packages."""
    lock = ["--require-hashes", "--disable-pip", "--requirement", "requirements.txt"]
    print(_tool(AUDIT_TOOL, ["pip-audit", *lock]))


def images() -> None:
    """Write the present digest of every base image behind its tag."""
    for name in IMAGE_FILES:
        path = ROOT / name
        text = path.read_text()
        renewed = _IMAGE.sub(lambda match: f"{match['start']}{_pinned(match['name'])}", text)
        if renewed != text:
            path.write_text(renewed)
            print(f"renewed the digests in {name}")


def _pinned(image: str) -> str:
    inspect = ["docker", "buildx", "imagetools", "inspect", image]
    result = run([*inspect, "--format", "{{.Manifest.Digest}}"])
    digest = result.stdout.strip()
    if result.returncode or not re.fullmatch(r"sha256:[0-9a-f]{64}", digest):
        raise Complaint(f"docker does not know the digest of {image}: {digest[-300:]}")
    return f"{image}@{digest}"


def _tool(package: str, command: Sequence[str]) -> str:
    uv = find_uv()
    if not uv:
        raise Complaint("this needs uv: `make dev` puts it into .venv")
    result = run([uv, "tool", "run", "--from", package, *command])
    if result.returncode:
        raise Complaint(result.stdout)
    return result.stdout


def main(arguments: Sequence[str]) -> int:
    """Exit code 0 when it was done."""
    commands: dict[str, Callable[[], None]] = {
        "sbom": lambda: sbom(arguments[1] if len(arguments) > 1 else "sbom.json"),
        "audit": audit,
        "images": images,
    }
    if not arguments or arguments[0] not in commands:
        print(__doc__, file=sys.stderr)
        return 2
    return exit_code(commands[arguments[0]])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
