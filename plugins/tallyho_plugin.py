"""Airflow's menu entry `Tallyho`: the pages of the catalog, behind Airflow's own login."""

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from airflow.plugins_manager import AirflowPlugin

from crawler.nights.airflow_pages import CATALOG_PREFIX, MENU_ROUTE, airflow_root
from crawler.webapp.late_app import LateApp

if TYPE_CHECKING:
    from fastapi import FastAPI, Request

# Airflow's own pattern of run ids; what people start by hand elsewhere has another form.
_RUN_ID = re.compile(r"[A-Za-z0-9_.~:+-]+")


class AirflowHost:
    """Airflow as the catalog's pages know it."""

    name = "Airflow"

    async def admit(self, request: "Request") -> None:
        """Anyone who is logged in may see the catalog, by cookie or by token."""
        from airflow.api_fastapi.core_api.security import bearer_scheme, get_user

        await get_user(request, None, await bearer_scheme(request))

    def login_address(self, request: "Request") -> str:
        """The login page, which leads back here."""
        from airflow.api_fastapi.app import get_auth_manager

        return str(get_auth_manager().get_url_login(next_url=str(request.url)))

    def night_address(self, site: str, night: str) -> str | None:
        """The page of the DAG run."""
        from crawler.nights.acquire_dag import dag_id_of

        if not _RUN_ID.fullmatch(night):
            return None
        return f"{airflow_root()}/dags/{dag_id_of(site)}/runs/{quote(night, safe='')}"


def catalog_pages() -> "FastAPI":
    """The application over the catalog that the nights of this project write."""
    from crawler.catalog import open_catalog
    from crawler.nights.project import Project
    from crawler.webapp.app import create_app
    from crawler.webapp.late_catalog import LateCatalog

    project = Project.of(__file__)
    catalog = LateCatalog(lambda: open_catalog(project.task_settings(), create=True))
    settings = project.settings()
    return create_app(catalog, AirflowHost(), settings.sites_dir, settings.alerts_dir)


class TallyhoPlugin(AirflowPlugin):
    """What Airflow loads."""

    name = "tallyho"
    fastapi_apps: list[Any] = [  # noqa: RUF012 - Airflow reads it from the class
        {"app": LateApp(catalog_pages), "url_prefix": CATALOG_PREFIX, "name": "Tallyho catalog"}
    ]
    external_views: list[Any] = [  # noqa: RUF012
        {
            "name": "Tallyho",
            "href": f"{airflow_root()}{CATALOG_PREFIX}/",
            "url_route": MENU_ROUTE,
            "destination": "nav",
            "nav_top_level": True,
            "icon": f"{airflow_root()}{CATALOG_PREFIX}/static/icon.svg",
        }
    ]
