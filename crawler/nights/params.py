"""What a person may say when a night is started by hand."""

from airflow.sdk import Param

from crawler.config.strategy import StrategyName


def params_by_hand() -> dict[str, Param]:
    """Made anew for every DAG: Airflow puts values into them."""
    return {
        "budget": Param(
            None,
            "Most requests of this run; empty for what the plan says.",
            type=["null", "integer"],
            minimum=1,
        ),
        "fresh": Param(False, "Crawl afresh, also what is complete. Files stay.", type="boolean"),
        "strategy": Param(
            None,
            "How links are chosen, for a crawl that begins.",
            type=["null", "string"],
            enum=[None, *(name.value for name in StrategyName)],
        ),
    }
