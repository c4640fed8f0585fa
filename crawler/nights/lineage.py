"""Lineage of crawl, validate and publish for OpenLineage, by Airflow's own provider.

Only the provider calls these functions, so where it is not installed nothing of this is imported.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from airflow.providers.openlineage.extractors import OperatorLineage
from openlineage.client.event_v2 import Dataset, InputDataset, OutputDataset
from openlineage.client.facet_v2 import (
    data_quality_assertions_dataset,
    data_quality_metrics_dataset,
    data_quality_metrics_input_dataset,
    dataset_version_dataset,
    datasource_dataset,
    documentation_dataset,
    output_statistics_output_dataset,
    schema_dataset,
)

from crawler.catalog.read.records import File
from crawler.pipeline.night.touched_files import files_by_id, files_of_versions

if TYPE_CHECKING:
    from crawler.catalog.read.records import FileDetail
    from crawler.config.settings import Settings
    from crawler.config.site import SiteConfig
    from crawler.validation.outcome import ColumnProfile

Lineage = OperatorLineage[Any, Any]
MAX_FILES = 50
"""Files that one event names: each has a schema, and a server of lineage may refuse a large one."""
MAX_COLUMNS = 200


def crawl_lineage(site: "SiteConfig", settings: "Settings", counts: Mapping[str, Any]) -> Lineage:
    """From the website to the files of the site; `counts` are empty before the end."""
    facets: dict[str, Any] = {
        "schema": _schema_of_files(),
        "dataSource": _data_source(site.start_url),
    }
    written: dict[str, Any] = {}
    if counts:
        facets["version"] = _version(str(counts["run_id"]))
        written["outputStatistics"] = _written(files=int(counts["targets"]))
    files = OutputDataset(_namespace(settings), site.name, facets=facets, outputFacets=written)
    return OperatorLineage(inputs=[_website(site.start_url)], outputs=[files])


def validate_lineage(settings: "Settings", version_ids: Sequence[int]) -> Lineage:
    """The files that were judged, each with its checks."""
    files = files_of_versions(settings, version_ids, MAX_FILES)
    return OperatorLineage(
        inputs=[
            InputDataset(
                _namespace(settings), _name(file), facets=_facets(file), inputFacets=_quality(file)
            )
            for file in files
        ]
    )


def publish_lineage(settings: "Settings", published: Mapping[str, Any]) -> Lineage:
    """From the files of a site to those that the night announced, each with its schema."""
    site, namespace = str(published["site"]), _namespace(settings)
    number = int(published["new_files"]) + int(published["changed_files"])
    facets: dict[str, Any] = {"schema": _schema_of_files()}
    if published["run_id"]:
        facets["version"] = _version(str(published["run_id"]))
    whole = OutputDataset(
        namespace,
        site,
        facets=facets,
        outputFacets={"outputStatistics": _written(files=number, size=int(published["bytes"]))},
    )
    announced = files_by_id(settings, [*published["new_ids"], *published["changed_ids"]], MAX_FILES)
    each = [
        OutputDataset(
            namespace,
            _name(file),
            facets={**_facets(file), "dataQualityMetrics": _metrics(file)},
            outputFacets={"outputStatistics": _written(rows=file.rows, size=file.bytes, files=1)},
        )
        for file in announced
    ]
    return OperatorLineage(outputs=[whole, *each])


def _website(start_url: str) -> Dataset:
    parts = urlsplit(start_url)
    return InputDataset(
        f"{parts.scheme}://{parts.netloc}",
        parts.path or "/",
        facets={"dataSource": _data_source(start_url)},
    )


def _namespace(settings: "Settings") -> str:
    """The store: another installation has another one."""
    return settings.object_store_url


def _name(file: "File") -> str:
    return f"{file.site}/files/{file.id}"


def _facets(file: "FileDetail") -> dict[str, Any]:
    return {
        "schema": _schema_of(file),
        "version": _version(str(file.version)),
        "dataSource": _data_source(file.url),
        "documentation": documentation_dataset.DocumentationDatasetFacet(description=file.title),
    }


def _columns(file: "FileDetail") -> list[tuple["ColumnProfile", int]]:
    """The columns of all tables with the rows of their table; of one name, the first."""
    found: dict[str, tuple[ColumnProfile, int]] = {}
    for table in file.check.profile.tables if file.check else ():
        for column in table.columns:
            found.setdefault(column.name, (column, table.rows))
    return list(found.values())[:MAX_COLUMNS]


def _schema_of(file: "FileDetail") -> schema_dataset.SchemaDatasetFacet:
    return _schema((column.name, column.type.value, "") for column, _ in _columns(file))


def _schema_of_files() -> schema_dataset.SchemaDatasetFacet:
    """The files of a site are rows of the SQL view `files`."""
    fields = File.model_fields.items()
    return _schema((name, _type_name(field), field.description or "") for name, field in fields)


def _type_name(field: Any) -> str:
    return str(getattr(field.annotation, "__name__", field.annotation)).replace("NoneType", "None")


def _schema(columns: Iterable[tuple[str, str, str]]) -> schema_dataset.SchemaDatasetFacet:
    fields = [
        schema_dataset.SchemaDatasetFacetFields(name, kind, told or None, place)
        for place, (name, kind, told) in enumerate(columns, start=1)
    ]
    return schema_dataset.SchemaDatasetFacet(fields=fields)


def _version(version: str) -> dataset_version_dataset.DatasetVersionDatasetFacet:
    return dataset_version_dataset.DatasetVersionDatasetFacet(datasetVersion=version)


def _data_source(url: str) -> datasource_dataset.DatasourceDatasetFacet:
    return datasource_dataset.DatasourceDatasetFacet(name=url, uri=url)


def _written(
    files: int, rows: int | None = None, size: int | None = None
) -> output_statistics_output_dataset.OutputStatisticsOutputDatasetFacet:
    return output_statistics_output_dataset.OutputStatisticsOutputDatasetFacet(
        rowCount=rows, size=size, fileCount=files
    )


def _metrics(file: "FileDetail") -> data_quality_metrics_dataset.DataQualityMetricsDatasetFacet:
    kind = data_quality_metrics_dataset
    columns = {name: kind.ColumnMetrics(**told) for name, told in _figures(file)}
    return kind.DataQualityMetricsDatasetFacet(columns, rowCount=file.rows, bytes=file.bytes)


def _quality(file: "FileDetail") -> dict[str, Any]:
    """The checks of a file and its figures, as facets of what was read."""
    metrics, assertions = data_quality_metrics_input_dataset, data_quality_assertions_dataset
    columns = {name: metrics.ColumnMetrics(**told) for name, told in _figures(file)}
    checks = [
        assertions.Assertion(
            assertion=check.expectation,
            success=check.met,
            name=check.name,
            severity=check.severity.value,
            actual=check.observed or None,
        )
        for check in (file.check.checks if file.check else ())
    ]
    return {
        "dataQualityMetrics": metrics.DataQualityMetricsInputDatasetFacet(
            columns, rowCount=file.rows, bytes=file.bytes
        ),
        "dataQualityAssertions": assertions.DataQualityAssertionsDatasetFacet(checks),
    }


def _figures(file: "FileDetail") -> Iterator[tuple[str, dict[str, Any]]]:
    for column, rows in _columns(file):
        yield column.name, {"nullCount": round(column.nulls * rows), "count": rows}
