"""The catalog as the pages and the API need it: each question one call, answered in our shapes."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

from crawler.catalog.read import datasets, reports
from crawler.catalog.read.items import DatasetItem, FileItem
from crawler.catalog.read.moments import moment
from crawler.catalog.search.search import MOST_COUNTED, Facet, SearchPage, newest, search
from crawler.webapp import shapes
from crawler.webapp.parameters import Filters
from crawler.webapp.shape import Shape
from crawler.webapp.verdict_shape import Verdict
from crawler.webapp.wording import VERDICTS

if TYPE_CHECKING:
    from crawler.catalog.facade import Catalog
    from crawler.catalog.read.verdict_detail import VerdictDetail
    from crawler.webapp.late_catalog import LateCatalog

_SIGNED_SECONDS = 300
_MOST_CHOICES = 100
DATA_DOCS = "data-docs"
"""Where the pages of the checks are, in the store and in the application."""


class Shelf:
    """Reads the catalog; errors of database and store come as StorageError."""

    def __init__(self, catalog: "Catalog | LateCatalog") -> None:
        self._catalog = catalog

    def search(self, filters: Filters, *, limit: int, offset: int) -> shapes.DatasetList:
        """A page of the datasets that pass the filters, the best first."""
        found = self._search(filters, limit, offset)
        return shapes.DatasetList(
            total=min(found.total, MOST_COUNTED),
            total_is_exact=not found.more and found.total <= MOST_COUNTED,
            limit=limit,
            offset=offset,
            items=[_dataset(item) for item in found.items],
            facets=shapes.Facets(
                site=_facet(found.facets.site),
                format=_facet(found.facets.format),
                verdict=_facet(found.facets.verdict, VERDICTS),
            ),
        )

    def newest(self, filters: Filters, *, limit: int) -> list[shapes.Dataset]:
        """The datasets that pass the filters, the newest first; `since` is when they were new."""
        with self._catalog.database.reading() as session:
            items = newest(session, filters.words, limit=limit, **_asked(filters))
        earliest = moment(filters.since) if filters.since else None
        return [_dataset(item) for item in items if earliest is None or item.first_seen >= earliest]

    def dataset(self, file_id: int) -> shapes.DatasetDetail | None:
        """Everything about a file; None when there is none."""
        with self._catalog.database.reading() as session:
            found = datasets.dataset_of(session, file_id)
        if found is None:
            return None
        check = found.check
        return shapes.DatasetDetail.model_validate(
            {
                **_fields(found, shapes.DatasetDetail),
                "check": check and _verdict(check, found.site),
                "versions": [_fields(part, shapes.Version) for part in found.versions],
                "sightings": [_fields(part, shapes.Sighting) for part in found.sightings],
                "files": [_file(part) for part in found.files],
            }
        )

    def sites(self) -> list[shapes.Site]:
        """All sites with their counts."""
        with self._catalog.database.reading() as session:
            found = reports.sites(session)
        return [shapes.Site.model_validate(_fields(site, shapes.Site)) for site in found]

    def site(self, name: str) -> shapes.Site | None:
        """One site with its counts; None when there is none."""
        with self._catalog.database.reading() as session:
            found = reports.site(session, name)
        return shapes.Site.model_validate(_fields(found, shapes.Site)) if found else None

    def runs(self, site: str, *, limit: int, offset: int) -> shapes.RunList:
        """A page of the runs of a site, or of all of them, the newest first."""
        with self._catalog.database.reading() as session:
            found = reports.runs(session, site=site or None, limit=limit, offset=offset)
        items = [shapes.Run.model_validate(_fields(run, shapes.Run)) for run in found.items]
        return shapes.RunList(total=found.total, limit=limit, offset=offset, items=items)

    def run(self, run_id: str) -> shapes.RunDetail | None:
        """One run with its curve and its actions; None when there is none."""
        with self._catalog.database.reading() as session:
            found = reports.run(session, run_id)
        if found is None:
            return None
        actions = [_action(action) for action in found.actions]
        values = _fields(found, shapes.RunDetail) | {"actions": actions}
        return shapes.RunDetail.model_validate(values)

    def check(self) -> None:
        """Raises StorageError when the database does not answer."""
        self._catalog.database.revision()

    def open(self, sha256: str) -> BinaryIO:
        """The bytes of a version, to be closed by the caller."""
        return self._catalog.store.open(sha256)

    def signed_url(self, sha256: str, file_name: str, mime: str) -> str | None:
        """Where the store itself gives the bytes for some minutes; None where it cannot."""
        return self._catalog.store.presigned_url(
            sha256, file_name=file_name, mime=mime, seconds=_SIGNED_SECONDS
        )

    def data_docs(self, site: str, path: str) -> bytes | None:
        """A page of the checks of a site; None when there is none, or it cannot have that name."""
        try:
            return self._catalog.store.get_object(f"{DATA_DOCS}/{site}/{path}")
        except ValueError:
            return None

    def _search(self, filters: Filters, limit: int, offset: int) -> SearchPage:
        with self._catalog.database.reading() as session:
            return search(
                session,
                filters.words,
                since=filters.since or None,
                limit=limit,
                offset=offset,
                **_asked(filters),
            )


def _asked(filters: Filters) -> dict[str, Any]:
    return {
        "site": filters.site or None,
        "format": filters.format or None,
        "verdict": filters.verdict or None,
    }


def _fields(source: object, shape: type[Shape]) -> dict[str, Any]:
    return {name: getattr(source, name) for name in shape.model_fields}


def _file(item: FileItem) -> shapes.File:
    return shapes.File.model_validate(_fields(item, shapes.File))


def _dataset(item: DatasetItem) -> shapes.Dataset:
    files = [_file(file) for file in item.files]
    own = {name: getattr(item, name) for name in shapes.File.model_fields if name != "file_name"}
    return shapes.Dataset(
        **own, file_name=files[0].file_name, file_count=item.file_count, files=files
    )


def _facet(
    values: Sequence[Facet], known: Mapping[str, str] | None = None
) -> list[shapes.FacetValue]:
    """The index spells a value without marks; `known` names are given back as they are."""
    spelt = {name.replace("_", ""): name for name in known or ()}
    return [
        shapes.FacetValue(value=spelt.get(facet.value, facet.value), count=facet.count)
        for facet in values[:_MOST_CHOICES]
    ]


def _verdict(check: "VerdictDetail", site: str) -> Verdict:
    page = f"{DATA_DOCS}/{site}/{check.data_docs}" if check.data_docs else ""
    return Verdict.model_validate(_fields(check, Verdict) | {"data_docs": page})


def _action(action: Mapping[str, Any]) -> shapes.Action:
    return shapes.Action(
        tag_path=str(action.get("tag_path", "")),
        selections=int(action.get("selections", 0)),
        mean_reward=float(action.get("mean_reward", 0)),
    )
