"""Files as if a crawl had acquired them, into a home of their own, to be validated."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import yaml
from sqlalchemy import text

from crawler.catalog.write.ingest import Ingest
from crawler.catalog.write.runs import start_run
from crawler.config.settings import Settings
from crawler.pipeline.services import Services, open_services
from tests.kept_files import kept_file

NIGHT = datetime(2026, 3, 1, 2, 0, tzinfo=UTC)
ROWS = [f"{region},{year},{year * 3}" for region in ("Nord", "Ost") for year in range(2015, 2025)]
BIRTHS = "\n".join(["region,year,births", *ROWS]).encode()
FEWER = "\n".join(["region,year,deaths", *ROWS[:4]]).encode()
PAGE = b"<!doctype html><html><head><title>Sorry</title></head><body>Try later</body></html>"


@dataclass(frozen=True)
class Acquired:
    """A home, its settings, and how files come into it."""

    settings: Settings

    @property
    def url(self) -> str:
        return "https://stats.example/"

    def keep(
        self,
        name: str,
        body: bytes,
        *,
        site: str = "office",
        night: int = 0,
        mime: str = "text/csv",
    ) -> int:
        """A file of a site on one night; the id of its version."""
        with self.services() as services:
            spool = services.store.spool()
            spool.write(body)
            blob = spool.finish()
            at = NIGHT + timedelta(days=night)
            start_run(
                services.database,
                run_id=f"run-{site}-{night}",
                site=site,
                start_url=self.url,
                strategy="sb",
                started_at=at,
            )
            ingest = Ingest(services.database, site, self.url, f"run-{site}-{night}")
            kept = ingest.keep(
                kept_file(
                    url=f"{self.url}{site}/{name}",
                    sha256=blob.sha256,
                    size=blob.size,
                    format="csv",
                    fetched_at=at,
                    mime_declared=mime,
                    mime_detected=mime,
                    file_name=name,
                    page_url=f"{self.url}{site}/data",
                    page_title="Data",
                    anchor=f"Table {name}",
                )
            )
            return kept.version_id

    def describe(self, site: str, **values: object) -> None:
        """Write the file of a site."""
        self.settings.sites_dir.mkdir(parents=True, exist_ok=True)
        said = {"start_url": self.url, **values}
        (self.settings.sites_dir / f"{site}.yaml").write_text(yaml.safe_dump(said))

    def verdicts(self) -> dict[int, str]:
        """Version to verdict, as the catalog has them."""
        return dict(self.rows("SELECT version_id, verdict FROM verdict"))

    def codes(self, version_id: int) -> set[str]:
        """The codes of the reasons for a verdict."""
        from crawler.catalog.read.files import file_detail

        [(resource,)] = self.rows("SELECT resource_id FROM version WHERE id = :id", id=version_id)
        with self.services() as services, services.database.reading() as session:
            found = file_detail(session, resource)
        assert found is not None
        assert found.check is not None
        return {reason.code for reason in found.check.reasons}

    def rows(self, query: str, **values: Any) -> list[tuple[Any, ...]]:
        with self.services() as services, services.database.reading() as session:
            return [tuple(row) for row in session.connection().execute(text(query), values)]

    @contextmanager
    def services(self) -> Iterator[Services]:
        with open_services(self.settings) as services:
            yield services


def acquired_in(folder: Path, **settings: Any) -> Acquired:
    """An empty home in a folder."""
    return Acquired(Settings(home=folder / "home", sites_dir=folder / "sites", **settings))
