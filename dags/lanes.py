"""One Airflow DAG for every lane that an enabled site file names."""

from crawler.nights.lanes import lane_dag, lane_dag_id
from crawler.nights.project import Project

project = Project.of(__file__)
settings = project.settings()

for lane in sorted({site.lane for site in project.sites()[0] if site.enabled and site.lane}):
    globals()[lane_dag_id(lane)] = lane_dag(
        lane, project, settings.crawl_pool, settings.slice_minutes
    )
