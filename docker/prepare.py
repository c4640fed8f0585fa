"""What must be there before the services start: tables, a pool, a bucket, the logins.

Run once by the service `init` of docker-compose.yaml, at every start; what is there already stays.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

LOGINS = {"admin": "AIRFLOW_ADMIN_PASSWORD", "viewer": "AIRFLOW_VIEWER_PASSWORD"}
"""Each login, and the variable with its password."""


def commands() -> list[list[str]]:
    """The commands that make tables and the pool of crawls."""
    slots = os.environ["CRAWLS_AT_ONCE"]
    pool = os.environ["TALLYHO_CRAWL_POOL"]
    return [
        ["airflow", "db", "migrate"],
        ["tallyho", "catalog", "upgrade"],
        ["airflow", "pools", "set", pool, slots, "Sites that are crawled at once"],
    ]


def make_bucket(store_url: str, endpoint: str | None) -> None:
    """The bucket of the object store, unless it is there."""
    bucket = urlsplit(store_url).netloc
    style = Config(s3={"addressing_style": "path" if endpoint else "auto"})
    client = boto3.session.Session().client("s3", endpoint_url=endpoint or None, config=style)
    try:
        client.head_bucket(Bucket=bucket)
    except ClientError as error:
        if error.response["ResponseMetadata"]["HTTPStatusCode"] != 404:
            raise
        region = client.meta.region_name
        elsewhere = {"CreateBucketConfiguration": {"LocationConstraint": region}}
        client.create_bucket(Bucket=bucket, **(elsewhere if region != "us-east-1" else {}))


def write_logins(file: Path) -> None:
    """The passwords, as Airflow's simple auth manager reads them; for its user's eyes only."""
    passwords = {name: os.environ[variable] for name, variable in LOGINS.items()}
    empty = [LOGINS[name] for name, password in passwords.items() if not password]
    if empty:
        sys.exit(f"{', '.join(empty)}: a login needs a password")
    new = file.with_suffix(".new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened:
        json.dump(passwords, opened)
    new.replace(file)


def main() -> None:
    """All of it; what fails ends the start of all services."""
    for command in commands():
        print("prepare:", " ".join(command), flush=True)
        subprocess.run(command, check=True)  # noqa: S603 - our own commands
    make_bucket(os.environ["TALLYHO_STORE_URL"], os.environ.get("TALLYHO_S3_ENDPOINT"))
    write_logins(Path(os.environ["AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_PASSWORDS_FILE"]))
    print("prepare: ready", flush=True)


if __name__ == "__main__":
    main()
