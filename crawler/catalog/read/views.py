"""SQL views for people with a SQL client: `files`, `latest_versions`, `datasets`, `new_since`.

`files.id` is the ID of a file, `datasets.id` that of a dataset. Files that were taken down are in
none of them. Times are UTC; SQLite keeps them as text that sorts. The views are made again after
every migration, so they always have the fields of this version.
"""

from sqlalchemy import Connection

from crawler.catalog.read.file_query import FILES

_DATASETS = """
CREATE VIEW datasets AS
SELECT dataset.id, site.name AS site, dataset.title, dataset.page_url, dataset.page_title,
       dataset.language, coalesce(nullif(dataset.licence, ''), site.licence) AS licence,
       coalesce(nullif(dataset.publisher, ''), site.publisher) AS publisher, dataset.published_at,
       dataset.first_seen, dataset.last_seen, files.first_id AS file_id,
       files.first_id AS resource_id, files.files, files.formats, files.bytes
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
       resource.first_seen, coalesce(difference.change_summary, '') AS change_summary
FROM version
LEFT JOIN difference ON difference.version_id = version.id
JOIN resource ON resource.id = version.resource_id
JOIN site ON site.id = resource.site_id
WHERE resource.removed_at IS NULL
"""

_FORMATS = {
    "postgresql": "string_agg(DISTINCT resource.format, ',')",
    "sqlite": "group_concat(DISTINCT resource.format)",
}
_NAMES = ("new_since", "datasets", "latest_versions", "files")


def create_views(connection: Connection) -> None:
    """Makes the views."""
    files = FILES.compile(dialect=connection.dialect, compile_kwargs={"literal_binds": True})
    for statement in (
        f"CREATE VIEW files AS {files}",
        "CREATE VIEW latest_versions AS SELECT * FROM files",
        _DATASETS.format(formats=_FORMATS[connection.dialect.name]),
        _NEW_SINCE,
    ):
        connection.exec_driver_sql(statement)


def drop_views(connection: Connection) -> None:
    """Removes the views, as must be done before a table beneath them changes."""
    for name in _NAMES:
        connection.exec_driver_sql(f"DROP VIEW IF EXISTS {name}")
