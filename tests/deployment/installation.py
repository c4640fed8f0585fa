"""A database server as its image leaves it after the first start, from wheels."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from crawler.catalog.db.database import open_database
from tests.servers.postgres import PostgresServer

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Installation:
    """The server, its superuser `postgres`, and the two databases of docker/make_databases.sh."""

    server: PostgresServer

    def make_databases(self) -> None:
        """What the image does at its first start."""
        self.server.execute("CREATE ROLE postgres SUPERUSER LOGIN")
        self.query("ALTER ROLE tallyho RENAME TO nobody_here")
        self.run("sh", str(ROOT / "docker" / "make_databases.sh"))

    def run(self, program: str, *arguments: str, told: bytes = b"") -> bytes:
        """A program of PostgreSQL, or a script, as it would run inside the service."""
        environment = {
            **os.environ,
            "PATH": f"{self.server._programs}:{os.environ['PATH']}",
            "PGHOST": "127.0.0.1",
            "PGPORT": str(self.server.port),
            "AIRFLOW_DB_PASSWORD": "with ' a quote",
            "CATALOG_DB_PASSWORD": "plain",
        }
        done = subprocess.run(
            [program, *arguments], env=environment, input=told, check=False, capture_output=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def url(self, role: str, database: str) -> str:
        return f"postgresql://{role}@127.0.0.1:{self.server.port}/{database}"

    def query(self, statement: str, role: str = "postgres", database: str = "postgres") -> Any:
        with psycopg.connect(self.url(role, database), autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else None

    def upgrade_catalog(self) -> None:
        """As the owner of the catalog, who is no superuser."""
        database = open_database(self.url("tallyho", "tallyho"))
        try:
            database.upgrade()
            database.ready()
        finally:
            database.close()
