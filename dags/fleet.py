"""The Airflow DAG that shares the coming night's requests between sites. It starts no crawl."""

from crawler.nights.daily_dags import FleetOperator, daily_dag
from crawler.nights.project import Project

project = Project.of(__file__)

with daily_dag("tallyho__fleet", "0 18 * * *", "Shares the night's requests out.", project):
    FleetOperator(task_id="share", project=project)
