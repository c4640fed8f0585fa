"""How long Airflow takes to read the DAGs of many sites.

    python -m benchmarks.dag_parsing [--sites 500] [--rounds 3]

Each round reads, one after the other, the DAGs of that many site files, the same number of empty
DAGs (the same tasks in the same order, which do nothing: what Airflow itself takes), and the same
number of DAGs without a single task. The best of all rounds is given in seconds of the processor,
since a busy machine stretches the clock's. The ratio to the empty DAGs must stay under 3.
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

BOUND = 3.0
DAGS = Path(__file__).parents[1] / "dags" / "acquire.py"
EMPTY = """
from airflow.providers.standard.operators.empty import EmptyOperator
from airflow.sdk import DAG

for number in range({sites}):
    with DAG(f"empty_{{number}}", schedule="30 2 * * *") as dag:
        plan, crawl, batches, validate, publish, close = (
            EmptyOperator(task_id=name)
            for name in ("plan", "crawl", "batches", "validate", "publish", "close")
        )
        plan >> crawl >> batches >> validate >> publish
        [crawl, validate, publish] >> close
    globals()[f"dag_{{number}}"] = dag
"""
BARE = """
from airflow.sdk import DAG

for number in range({sites}):
    globals()[f"dag_{{number}}"] = DAG(f"bare_{{number}}", schedule="30 2 * * *")
"""
SITE = """start_url: https://office-{number}.example/statistics/
schedule: '30 2 * * *'
tags: [benchmark]
budget: {{requests: 5000}}
"""


def prepare(folder: Path, sites: int) -> dict[str, Path]:
    """Write the site files and the files to compare with."""
    (folder / "sites").mkdir()
    for number in range(sites):
        (folder / "sites" / f"office-{number}.yaml").write_text(SITE.format(number=number))
    files = {"empty DAGs": EMPTY, "DAGs without a task": BARE}
    for name, text in files.items():
        (folder / f"{name.replace(' ', '_')}.py").write_text(text.format(sites=sites))
    written = {name: folder / f"{name.replace(' ', '_')}.py" for name in files}
    return {"sites": DAGS, **written}


def measure(files: dict[str, Path], sites: int, rounds: int) -> dict[str, float]:
    """The best time of each file, in seconds of the processor."""
    from airflow.dag_processing.dagbag import DagBag

    best: dict[str, float] = {}
    for _ in range(rounds):
        for name, file in files.items():
            started = time.process_time()
            bag = DagBag(str(file))
            took = time.process_time() - started
            if len(bag.dags) != sites or bag.import_errors:
                raise SystemExit(f"{name}: {len(bag.dags)} DAGs, {bag.import_errors}")
            best[name] = min(took, best.get(name, took))
    return best


def main() -> None:
    """Print one line for each, and fail over the bound."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--sites", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(
            AIRFLOW_HOME=folder,
            AIRFLOW__CORE__UNIT_TEST_MODE="True",
            AIRFLOW__CORE__LOAD_EXAMPLES="False",
            AIRFLOW__LOGGING__LOGGING_LEVEL="ERROR",
            TALLYHO_SITES_DIR=str(Path(folder) / "sites"),
            TALLYHO_HOME=str(Path(folder) / "home"),
        )
        files = prepare(Path(folder), options.sites)
        best = measure(files, options.sites, options.rounds)
    for name, seconds in best.items():
        ratio = best["sites"] / seconds
        sys.stdout.write(f"{options.sites} {name}: {seconds:.2f} s (sites / this: {ratio:.2f})\n")
    if best["sites"] > BOUND * best["empty DAGs"]:
        raise SystemExit(f"over {BOUND:g} times the empty DAGs")


if __name__ == "__main__":
    main()
