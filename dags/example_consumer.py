"""An example: the DAG of another team, which runs whenever a site has new data.

It knows Tallyho by the name of the asset alone. Copy it, name your site, and do something useful.
"""

from airflow.sdk import Asset, dag, task


@dag(
    dag_id="example_consumer",
    schedule=[Asset("tallyho_demo")],
    tags=["example"],
    catchup=False,
    is_paused_upon_creation=True,
)
def example_consumer() -> None:
    """Prints what the night brought."""

    @task
    def tell(triggering_asset_events=None) -> list[int]:  # type: ignore[no-untyped-def]
        """The ids that `tallyho catalog get ID` and the catalog's API take."""
        ids: list[int] = []
        for events in triggering_asset_events.values():
            for event in events:
                news = event.extra
                print(f"{news['site']}: {news['new_files']} new, {news['changed_files']} changed")
                ids += [*news["new_ids"], *news["changed_ids"]]
        return ids

    tell()


example_consumer()
