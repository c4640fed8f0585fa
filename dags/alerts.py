"""The Airflow DAG that sends the news of saved searches (include/alerts), once a night."""

from crawler.nights.daily_dags import AlertsOperator, daily_dag
from crawler.nights.project import Project

project = Project.of(__file__)

with daily_dag("tallyho__alerts", "0 6 * * *", "Sends the news of saved searches.", project):
    AlertsOperator(task_id="send", project=project)
