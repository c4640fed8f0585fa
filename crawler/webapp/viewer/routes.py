"""The addresses of a table: its page, its rows as JSON, CSV and Parquet."""

import csv
import io
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import Field

from crawler.catalog.facade import Catalog
from crawler.catalog.read.files import MAX_ID
from crawler.catalog.read.record import Record
from crawler.webapp.failures import API_PREFIX, Problem
from crawler.webapp.parameters import FileId
from crawler.webapp.rendering import render, with_query
from crawler.webapp.viewer.charts import draw_bars, draw_line
from crawler.webapp.viewer.shown_table import ShownTable
from crawler.webapp.viewer.table_viewer import TableViewer
from crawler.webapp.viewer.view import (
    MAX_EXPORTED,
    MAX_FILTERS,
    MAX_OFFSET,
    MAX_PAGE,
    Comparison,
    View,
    read_filter,
)

PARQUET = "application/vnd.apache.parquet"
_PAGE = 50

_ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {
            "text/csv": {"schema": {"type": "string"}},
            PARQUET: {"schema": {"type": "string", "format": "binary"}},
        }
    },
    404: {"model": Problem, "description": "There is no such file or version."},
    422: {"model": Problem, "description": "A parameter is wrong, or the file cannot be read."},
}

Table = Annotated[
    str, Query(max_length=300, description="Another table of the file.", examples=["2024"])
]
Version = Annotated[int, Query(ge=0, le=MAX_ID, description="An older version; 0: the newest.")]
Sort = Annotated[
    str,
    Query(
        max_length=301,
        description="A column; with a minus before it, the largest first.",
        examples=["-births"],
    ),
]
Filters = Annotated[
    list[Annotated[str, Field(max_length=600)]],
    Query(
        alias="filter",
        max_length=MAX_FILTERS,
        description="Conditions that all must hold: `year>=2019`, `region=Nord`, `title~births`.",
        examples=[["year>=2019"]],
    ),
]


class Rows(Record):
    """A page of the rows of a table."""

    table: str = Field(examples=["2024"])
    """The name of the table; empty for the only one."""
    tables: tuple[str, ...] = Field(examples=[("2024", "2023")])
    """The names of all tables, the best first."""
    columns: tuple[str, ...] = Field(examples=[("region", "year", "births")])
    """The names of the columns."""
    items: tuple[tuple[str | int | float | bool | None, ...], ...] = Field(
        examples=[(("Nord", 2024, 812),)]
    )
    """The rows, a cell for each column."""
    matching: int = Field(examples=[12])
    """Rows that pass the filters."""
    total: int = Field(examples=[1204])
    """Rows of the table."""
    more: bool = Field(examples=[False])
    """Whether more rows pass after these; `offset` asks for them."""
    reason: str = Field(examples=[""])
    """Why there are no rows; empty when there are."""


def viewer_routes(catalog: Catalog, viewer: TableViewer) -> APIRouter:
    """The routes over one catalog."""
    routes = APIRouter()

    @routes.get("/files/{id}/table", name="table", include_in_schema=False)
    def page(
        request: Request,
        id: FileId,  # noqa: A002
        table: Table = "",
        version: Version = 0,
        sort: Sort = "",
        filters: Filters = [],  # noqa: B006 - FastAPI copies it
        column: Annotated[str, Query(max_length=300)] = "",
        comparison: Annotated[str, Query(max_length=2)] = "=",
        value: Annotated[str, Query(max_length=200)] = "",
        page: Annotated[int, Query(ge=1, le=MAX_OFFSET // _PAGE)] = 1,
    ) -> Response:
        if column and value:
            filters = [*filters, f"{column}{comparison}{value}"][-MAX_FILTERS:]
        view = _view(table, sort, filters, (page - 1) * _PAGE, _PAGE, figures=True)
        shown = viewer.show(id, version or None, view)
        asked = {"table": table, "version": version or None, "sort": sort, "filter": filters}
        return render(
            request,
            "table.html",
            file=catalog.show(id),
            shown=shown,
            view=view,
            version=version or None,
            page=page,
            pages=max(1, -(-shown.matching // _PAGE)),
            filters=filters,
            comparisons=list(Comparison),
            line=draw_line(shown.drawable.over_time),
            bars=draw_bars(shown.drawable.over_places),
            query=asked,
            rows_path=with_query(
                f"{request.scope.get('root_path', '')}{API_PREFIX}/files/{id}/rows", asked
            ),
        )

    @routes.get(
        f"{API_PREFIX}/files/{{id}}/rows",
        name="rows",
        tags=["files"],
        summary="Rows of a table",
        response_model=Rows,
        responses=_ANSWERS,
    )
    def rows(
        request: Request,
        id: FileId,  # noqa: A002
        table: Table = "",
        version: Version = 0,
        sort: Sort = "",
        filters: Filters = [],  # noqa: B006
        limit: Annotated[
            int,
            Query(
                ge=0,
                le=MAX_EXPORTED,
                description=f"How many rows at most; 0: {MAX_PAGE} as JSON, else {MAX_EXPORTED:,}.",
            ),
        ] = 0,
        offset: Annotated[
            int, Query(ge=0, le=MAX_OFFSET, description="How many rows to leave out.")
        ] = 0,
        format: Annotated[  # noqa: A002
            str,
            Query(
                pattern="^(json|csv|parquet)$",
                description="What the answer is written as: json, csv or parquet.",
            ),
        ] = "json",
    ) -> Response | Rows:
        """The rows of any table of any version that pass the filters, sorted.

        The headers of CSV and Parquet say how many rows pass (`X-Total-Count`), and where the next
        ones are (`Link`) if there are more.
        """
        limit = limit or (MAX_PAGE if format == "json" else MAX_EXPORTED)
        shown = viewer.show(id, version or None, _view(table, sort, filters, offset, limit))
        more = offset + len(shown.rows) < shown.matching
        if format != "json":
            if shown.sentence:
                # An empty table would be taken for the answer.
                raise HTTPException(422, shown.sentence)
            headers = {"X-Total-Count": str(shown.matching)}
            if more:
                later = request.url.include_query_params(offset=offset + limit, limit=limit)
                headers["Link"] = f'<{later}>; rel="next"'
            if format == "csv":
                return Response(_csv(shown), headers=headers, media_type="text/csv; charset=utf-8")
            return Response(_parquet(shown), headers=headers, media_type=PARQUET)
        return Rows(
            table=shown.table,
            tables=shown.tables,
            columns=shown.columns,
            items=shown.rows,
            matching=shown.matching,
            total=shown.total,
            more=more,
            reason=shown.sentence,
        )

    return routes


def _view(
    table: str, sort: str, filters: list[str], offset: int, limit: int, *, figures: bool = False
) -> View:
    try:
        conditions = tuple(map(read_filter, filters))
    except ValueError as error:
        wrong = {"type": "value_error", "loc": ("query", "filter"), "msg": str(error)}
        raise RequestValidationError([wrong]) from None
    return View(table, sort, conditions, offset, limit, figures)


def _csv(shown: ShownTable) -> str:
    out = io.StringIO()
    csv.writer(out).writerows([shown.columns, *shown.rows])
    return out.getvalue()


def _parquet(shown: ShownTable) -> bytes:
    import pandas as pd

    out = io.BytesIO()
    frame = pd.DataFrame(list(shown.rows), columns=list(shown.columns)).convert_dtypes()
    for name in frame.select_dtypes("object").columns:
        frame[name] = frame[name].astype("string")
    frame.to_parquet(out, index=False)
    return out.getvalue()
