"""The Airflow DAG of the housekeeping: dead leases, verification, retention, statistics."""

from crawler.nights.daily_dags import UpkeepOperator, daily_dag
from crawler.nights.project import Project

project = Project.of(__file__)

with daily_dag("tallyho__upkeep", "0 12 * * *", "Keeps store and catalog in order.", project):
    UpkeepOperator(task_id="upkeep", project=project)
