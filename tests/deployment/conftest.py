"""What the tests of this room share."""

from collections.abc import Iterator

import pytest

from tests.deployment.installation import Installation
from tests.servers.postgres import PostgresServer


@pytest.fixture
def installation() -> Iterator[Installation]:
    """A database server of its own, as after the first start of its service."""
    server = PostgresServer()
    try:
        made = Installation(server)
        made.make_databases()
        yield made
    finally:
        server.destroy()
