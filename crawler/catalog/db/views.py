"""SQL views for people with a SQL client: `datasets`, `latest_versions`, `new_since`.

Removed files are in none of them. Times are UTC; SQLite keeps them as text that sorts.
"""

from sqlalchemy import Connection

_LATEST_VERSIONS = """
CREATE VIEW latest_versions AS
SELECT resource.id, resource.dataset_id, site.name AS site, resource.title, resource.url,
       resource.file_name, resource.format, version.number AS version, version.sha256,
       version.size AS bytes, version.mime_detected AS mime, version.fetched_at,
       version.published_at, resource.first_seen, resource.last_seen, resource.gone_since,
       verdict.verdict, verdict.rows, verdict.columns
FROM resource
JOIN site ON site.id = resource.site_id
JOIN version ON version.id = resource.latest_version_id
LEFT JOIN verdict ON verdict.version_id = version.id
WHERE resource.removed_at IS NULL
"""

_DATASETS = """
CREATE VIEW datasets AS
SELECT dataset.id, site.name AS site, dataset.title, dataset.page_url, dataset.page_title,
       dataset.language, dataset.licence, dataset.publisher, dataset.published_at,
       dataset.first_seen, dataset.last_seen, files.first_id AS resource_id, files.files,
       files.formats, files.bytes
FROM dataset
JOIN site ON site.id = dataset.site_id
JOIN (
    SELECT resource.dataset_id, min(resource.id) AS first_id, count(*) AS files,
           {formats} AS formats, sum(version.size) AS bytes
    FROM resource
    JOIN version ON version.id = resource.latest_version_id
    WHERE resource.removed_at IS NULL
    GROUP BY resource.dataset_id
) AS files ON files.dataset_id = dataset.id
"""

# Every version with the time it came, to be filtered: WHERE fetched_at >= '2026-11-01'.
_NEW_SINCE = """
CREATE VIEW new_since AS
SELECT version.fetched_at, CASE WHEN version.number = 1 THEN 'new' ELSE 'changed' END AS what,
       site.name AS site, resource.id, resource.dataset_id, resource.title, resource.url,
       resource.format, version.number AS version, version.sha256, version.size AS bytes,
       resource.first_seen
FROM version
JOIN resource ON resource.id = version.resource_id
JOIN site ON site.id = resource.site_id
WHERE resource.removed_at IS NULL
"""

_FORMATS = {
    "postgresql": "string_agg(DISTINCT resource.format, ',')",
    "sqlite": "group_concat(DISTINCT resource.format)",
}
_NAMES = ("new_since", "datasets", "latest_versions")


def create_views(connection: Connection) -> None:
    """Makes the views."""
    formats = _FORMATS[connection.dialect.name]
    for statement in (_LATEST_VERSIONS, _DATASETS.format(formats=formats), _NEW_SINCE):
        connection.exec_driver_sql(statement)


def drop_views(connection: Connection) -> None:
    """Removes the views, as must be done before a table beneath them changes."""
    for name in _NAMES:
        connection.exec_driver_sql(f"DROP VIEW IF EXISTS {name}")
