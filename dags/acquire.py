"""One Airflow DAG for every enabled site file; a new file becomes a DAG the next time this is read.

invalid_sites.py reports the files that are wrong: an error here would hide every site.
"""

from airflow.sdk import get_parsing_context

from crawler.nights.acquire_dag import acquire_dag, dag_id_of
from crawler.nights.project import Project

project = Project.of(__file__)
pool = project.settings().crawl_pool
wanted = get_parsing_context().dag_id

for site in project.sites()[0]:
    # A worker that runs one task needs one DAG of them.
    if site.enabled and wanted in (None, dag_id_of(site.name)):
        globals()[dag_id_of(site.name)] = acquire_dag(site, project, pool)
