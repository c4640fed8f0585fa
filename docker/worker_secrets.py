"""What a worker on another machine must know, one file each, for docker-compose.worker.yaml.

Writes the folder secrets/ from .env; nobody else may open it. Copy it to the other machine, for
example with scp over the tunnel, and nowhere else.

Examples:
  python3 docker/worker_secrets.py
  python3 docker/worker_secrets.py --env .env --folder secrets
"""

import argparse
import sys
from pathlib import Path

DATABASE = "{user}:{password}@{host}:{port}/{user}{options}"


def read_env(path: Path) -> dict[str, str]:
    """Names and values of a file such as .env."""
    lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    pairs = (line.partition("=") for line in lines if "=" in line and not line.startswith("#"))
    return {name.strip(): value.strip() for name, _, value in pairs}


def secrets_of(env: dict[str, str]) -> dict[str, str]:
    """The text of each file, with the addresses that docker-compose.yaml uses."""

    def database(user: str, password: str) -> str:
        return DATABASE.format(
            user=user,
            password=needed(env, password),
            host=env.get("DATABASE_HOST") or "postgres",
            port=env.get("DATABASE_PORT") or "5432",
            options=env.get("DATABASE_OPTIONS", ""),
        )

    airflow = database("airflow", "AIRFLOW_DB_PASSWORD")
    keys = {"aws_access_key_id": "S3_ACCESS_KEY", "aws_secret_access_key": "S3_SECRET_KEY"}
    given = [f"{name} = {env[key]}\n" for name, key in keys.items() if env.get(key)]
    return {
        "fernet_key": needed(env, "FERNET_KEY"),
        "jwt_secret": needed(env, "JWT_SECRET"),
        "api_secret_key": needed(env, "API_SECRET_KEY"),
        "airflow_database_url": f"postgresql+psycopg2://{airflow}",
        "celery_result_backend": f"db+postgresql+psycopg2://{airflow}",
        "celery_broker_url": f"redis://:{needed(env, 'VALKEY_PASSWORD')}@valkey:6379/0",
        "tallyho_catalog_url": f"postgresql://{database('tallyho', 'CATALOG_DB_PASSWORD')}",
        # Without a key boto3 looks for a role of the machine.
        "aws_credentials": "".join(["[default]\n", *given]),
    }


def needed(env: dict[str, str], name: str) -> str:
    """A value that must be there."""
    if not env.get(name):
        sys.exit(f"set {name} in .env")
    return env[name]


def write(folder: Path, secrets: dict[str, str]) -> None:
    """The container's user reads the files, so the folder is what keeps others out."""
    folder.mkdir(mode=0o700, exist_ok=True)
    folder.chmod(0o700)
    for name, text in secrets.items():
        path = folder / name
        path.unlink(missing_ok=True)
        path.touch(mode=0o644)
        path.write_text(text, encoding="utf-8")


def main() -> None:
    """Reads .env, writes the folder."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--env", type=Path, default=Path(".env"))
    parser.add_argument("--folder", type=Path, default=Path("secrets"))
    asked = parser.parse_args()
    if not asked.env.is_file():
        sys.exit(f"{asked.env}: there is no such file")
    made = secrets_of(read_env(asked.env))
    write(asked.folder, made)
    print(f"{asked.folder}: {len(made)} files; copy the folder to each machine of workers")


if __name__ == "__main__":
    main()
