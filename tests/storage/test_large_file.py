"""A large download streams into S3 in constant memory; one over the limit leaves nothing."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from crawler.web.addresses import AddressPolicy
from crawler.web.fetcher import Fetcher, FetchLimits
from crawler.web.messages import Decision, Failure, Request
from crawler.web.pacer import Pacer
from tests.servers.seaweedfs import SeaweedServer
from tests.storage.conftest import MakeS3
from tests.storage.endless_server import EndlessServer

TWO_GB = 2 * 1000**3
MAX_GROWTH = 64 * 1024**2

FETCHES = """
import json, sys
from pathlib import Path
from crawler.storage.open import open_store
from crawler.web.addresses import AddressPolicy
from crawler.web.fetcher import Fetcher, FetchLimits
from crawler.web.messages import Decision, Request
from crawler.web.pacer import Pacer

def peak():
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) * 1024

endpoint, bucket, folder, *urls = sys.argv[1:]
store = open_store(f"s3://{bucket}/files", endpoint=endpoint, spool_dir=Path(folder))
fetcher = Fetcher(
    user_agent="Tallyho/0.1 (+mailto:a@example.org)",
    limits=FetchLimits(),
    addresses=AddressPolicy(allow_private=True),
    pacer=Pacer(),
)
for url in urls:
    reply = fetcher.fetch(Request(url), lambda head, first: Decision.KEEP, store.spool)
    print(json.dumps([reply.file.sha256, store.size(reply.file.sha256), peak()]), flush=True)
"""


@pytest.fixture
def web() -> Iterator[EndlessServer]:
    with EndlessServer() as running:
        yield running


@pytest.mark.slow
def test_two_gigabytes_stream_into_s3_in_constant_memory(
    web: EndlessServer, seaweedfs: SeaweedServer, s3_bucket: str, tmp_path: Path
) -> None:
    paths = ["/1000", f"/{TWO_GB}"]
    run = subprocess.run(
        [
            sys.executable,
            "-c",
            FETCHES,
            seaweedfs.endpoint,
            s3_bucket,
            str(tmp_path),
            *(web.base + path for path in paths),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    small, large = (json.loads(line) for line in run.stdout.splitlines())
    assert small[:2] == [web.sha256[paths[0]], 1000]
    assert large[:2] == [web.sha256[paths[1]], TWO_GB]
    assert large[2] - small[2] < MAX_GROWTH
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", ["/6000000", "/6000000/undeclared"])
def test_file_over_the_limit_is_refused_and_leaves_nothing(
    web: EndlessServer, make_s3: MakeS3, tmp_path: Path, path: str
) -> None:
    store = make_s3()
    fetcher = Fetcher(
        user_agent="Tallyho/0.1 (+mailto:a@example.org)",
        limits=FetchLimits(file_bytes=5_000_000),
        addresses=AddressPolicy(allow_private=True),
        pacer=Pacer(),
    )
    with closing(fetcher):
        reply = fetcher.fetch(Request(web.base + path), lambda *_: Decision.KEEP, store.spool)
    assert reply.failure is Failure.TOO_LARGE
    assert "limits.file_bytes, 5000000" in reply.detail
    assert reply.file is None
    assert list(store.blobs()) == []
    assert list(tmp_path.rglob("*.part")) == []
