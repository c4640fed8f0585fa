"""Makes one visible import error of Airflow for all site files that are wrong, and no DAG."""

from crawler.errors import ConfigError
from crawler.nights.project import Project

problems = Project.of(__file__).sites()[1]
if problems:
    raise ConfigError("\n".join(map(str, problems)))
