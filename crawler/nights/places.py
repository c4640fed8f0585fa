"""Where things are in Airflow's web pages: the catalog below its prefix, and its menu entry."""

from urllib.parse import urlsplit

CATALOG_PREFIX = "/tallyho"
MENU_ROUTE = "tallyho"


def airflow_root() -> str:
    """The path that Airflow itself is served under, without a slash at its end."""
    from airflow.sdk.configuration import conf

    base: str = conf.get("api", "base_url", fallback="")
    return urlsplit(base).path.rstrip("/")


def run_page(run_id: str) -> str:
    """The page of a crawl's run, inside Airflow's own frame."""
    root = airflow_root()
    # Airflow's page of a menu entry takes the path that its frame shall show behind its own.
    return f"{root}/plugin/{MENU_ROUTE}{root}{CATALOG_PREFIX}/runs/{run_id}"
