"""A site's data as an asset of Airflow, for the DAGs of others to depend on."""

from airflow.sdk import Asset


def site_asset(site: str) -> Asset:
    """The asset of a site. It has a name and nothing else, so that `Asset("tallyho_insee")` in the
    DAG of another team is the same one: of two that differ in more, Airflow lets only one live.
    """
    return Asset(f"tallyho_{site}")
