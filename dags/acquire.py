"""One Airflow DAG for every enabled site file; a new file becomes a DAG the next time this is read.

invalid_sites.py reports the files that are wrong: an error here would hide every site. A site whose
file was removed, disabled or broken keeps its DAG for two days, so that a night of it can end.
"""

from airflow.sdk import get_parsing_context

from crawler.nights.acquire_dag import acquire_dag, dag_id_of, site_of
from crawler.nights.ended_sites import ended_site, ended_sites
from crawler.nights.project import Project

project = Project.of(__file__)
settings = project.settings()
wanted = get_parsing_context().dag_id
sites = {site.name: site for site in project.sites()[0] if site.enabled}

if wanted is None:
    ended = ended_sites(settings.home / "dags" / "sites.json", sites)
else:
    # A worker that runs one task needs one DAG of them.
    name = site_of(wanted)
    ended = [name] if name and name not in sites else []
    sites = {name: sites[name]} if name in sites else {}

for site in (*sites.values(), *map(ended_site, ended)):
    globals()[dag_id_of(site.name)] = acquire_dag(
        site, project, settings.crawl_pool, settings.slice_minutes
    )
