"""The plugin as Airflow's processes load it: light, and with its menu entry."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow  # Airflow is imported, in a process of its own

ROOT = Path(__file__).parents[2]
LOADED = """
import json, sys
import airflow.plugins_manager as manager
from airflow.api_fastapi.app import RESERVED_URL_PREFIXES
before = set(sys.modules)
manager.ensure_plugins_loaded()
heavy = [name for name in ("sqlmodel", "jinja2", "pandas", "boto3", "yaml", "crawler.catalog")
         if name in set(sys.modules) - before]
(told,) = [one for one in manager.get_plugin_info() if one["name"] == "tallyho"]
print(json.dumps({"told": told, "heavy": heavy, "errors": manager.get_import_errors(),
                  "reserved": RESERVED_URL_PREFIXES}, default=str))
"""


def load(home: Path, **variables: str) -> dict[str, Any]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("AIRFLOW", "TALLYHO"))}
    run = subprocess.run(
        [sys.executable, "-c", LOADED],
        env=kept
        | {
            "AIRFLOW_HOME": str(home),
            "AIRFLOW__CORE__PLUGINS_FOLDER": str(ROOT / "plugins"),
            "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
            "AIRFLOW__CORE__UNIT_TEST_MODE": "True",
            **variables,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return dict(json.loads(run.stdout.splitlines()[-1]))


def test_plugin_is_light_and_has_its_menu_entry_under_any_base(tmp_path):
    base = "https://data.example/airflow"
    loaded = load(tmp_path, AIRFLOW__API__BASE_URL=base)
    assert not loaded["errors"]
    assert loaded["heavy"] == []
    told = loaded["told"]
    (app,) = told["fastapi_apps"]
    assert not app["url_prefix"].startswith(tuple(loaded["reserved"]))
    (entry,) = told["external_views"]
    assert (entry["name"], entry["destination"]) == ("Tallyho", "nav")
    assert entry["href"] == f"/airflow{app['url_prefix']}/"
