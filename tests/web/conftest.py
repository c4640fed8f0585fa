"""The parts that the tests of this room share: a misbehaving server, and fetchers for it."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from crawler.storage.local_folder import LocalFolder
from crawler.web.addresses import AddressPolicy
from crawler.web.fetcher import Fetcher
from crawler.web.pacer import Pacer

# The server is shared with other rooms' tests under its full name.
sys.path.append(str(Path(__file__).parents[2]))

from tests.web.decisions import LIMITS
from tests.web.misbehaving_server import MisbehavingServer


@pytest.fixture
def server() -> Iterator[MisbehavingServer]:
    with MisbehavingServer() as running:
        yield running


@pytest.fixture
def folder(tmp_path: Path) -> LocalFolder:
    return LocalFolder(tmp_path / "store")


@pytest.fixture
def make_fetcher() -> Iterator[Callable[..., Fetcher]]:
    made: list[Fetcher] = []

    def make(**changes: object) -> Fetcher:
        options: dict[str, object] = {
            "user_agent": "Tallyho/0.1 (+mailto:a@example.org)",
            "limits": LIMITS,
            "addresses": AddressPolicy(allow_private=True),
            "pacer": Pacer(),
        }
        made.append(Fetcher(**{**options, **changes}))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for fetcher in made:
        fetcher.close()


@pytest.fixture
def fetcher(make_fetcher: Callable[..., Fetcher]) -> Fetcher:
    return make_fetcher()
