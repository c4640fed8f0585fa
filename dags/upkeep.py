"""The Airflow DAG of the housekeeping: dead leases, verification, retention, statistics."""

from crawler.nights.house_dags import UpkeepOperator, house_dag
from crawler.nights.project import Project

project = Project.of(__file__)

with house_dag("tallyho__upkeep", "0 12 * * *", "Keeps store and catalog in order.", project):
    UpkeepOperator(task_id="upkeep", project=project)
