"""The first tables: sites, runs, datasets, resources, versions, sightings, verdicts, leases."""

from typing import Any

import sqlalchemy as sa
from alembic import op

from crawler.catalog.db.search_schema import drop_search
from crawler.catalog.migrations.first_search import create_first_search

revision = "0001"
down_revision = None

TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Makes the tables, then the search on them."""
    _site()
    _crawl_run()
    _dataset()
    _lease()
    _resource()
    _sighting()
    _version()
    _verdict()
    create_first_search(op.get_bind())


def downgrade() -> None:
    """Removes everything."""
    drop_search(op.get_bind())
    for table in (
        "verdict",
        "version",
        "sighting",
        "resource",
        "lease",
        "dataset",
        "crawl_run",
        "site",
    ):
        op.drop_table(table)


def _column(name: str, kind: sa.types.TypeEngine[Any]) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=False)


def _site() -> None:
    op.create_table(
        "site",
        _column("id", sa.Integer()),
        _column("name", sa.String(length=63)),
        _column("start_url", sa.Text()),
        _column("created_at", TIME),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )


def _crawl_run() -> None:
    op.create_table(
        "crawl_run",
        _column("id", sa.String(length=63)),
        _column("site_id", sa.Integer()),
        _column("kind", sa.String(length=16)),
        _column("strategy", sa.String(length=63)),
        _column("fence", sa.Integer()),
        _column("started_at", TIME),
        sa.Column("ended_at", TIME),
        _column("stop_reason", sa.String(length=63)),
        _column("stop_detail", sa.Text()),
        _column("requests", sa.Integer()),
        _column("heads", sa.Integer()),
        _column("pages", sa.Integer()),
        _column("targets", sa.Integer()),
        _column("bytes_received", sa.BigInteger()),
        _column("new_versions", sa.Integer()),
        _column("skipped", sa.JSON()),
        _column("curve", sa.JSON()),
        _column("actions", sa.JSON()),
        sa.ForeignKeyConstraint(["site_id"], ["site.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_crawl_run_site_id", "crawl_run", ["site_id"])
    op.create_index("ix_crawl_run_started_at", "crawl_run", ["started_at"])


def _dataset() -> None:
    op.create_table(
        "dataset",
        _column("id", sa.Integer()),
        _column("site_id", sa.Integer()),
        _column("key", sa.String(length=32)),
        _column("title", sa.Text()),
        _column("page_url", sa.Text()),
        _column("page_title", sa.Text()),
        _column("language", sa.String(length=35)),
        _column("licence", sa.Text()),
        _column("publisher", sa.Text()),
        sa.Column("published_at", TIME),
        _column("first_seen", TIME),
        _column("last_seen", TIME),
        sa.ForeignKeyConstraint(["site_id"], ["site.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("site_id", "key"),
    )
    op.create_index("ix_dataset_first_seen", "dataset", ["first_seen"])
    op.create_index("ix_dataset_last_seen", "dataset", ["last_seen"])
    op.create_index("ix_dataset_site_id", "dataset", ["site_id"])


def _lease() -> None:
    op.create_table(
        "lease",
        _column("site_id", sa.Integer()),
        _column("holder", sa.String(length=127)),
        _column("fence", sa.Integer()),
        sa.Column("expires_at", TIME),
        sa.ForeignKeyConstraint(["site_id"], ["site.id"]),
        sa.PrimaryKeyConstraint("site_id"),
    )


def _resource() -> None:
    op.create_table(
        "resource",
        _column("id", sa.Integer()),
        _column("site_id", sa.Integer()),
        _column("dataset_id", sa.Integer()),
        _column("url_key", sa.String(length=32)),
        _column("url", sa.Text()),
        _column("file_name", sa.Text()),
        _column("title", sa.Text()),
        _column("format", sa.String(length=31)),
        _column("first_seen", TIME),
        _column("last_seen", TIME),
        sa.Column("gone_since", TIME),
        _column("missed", sa.Integer()),
        sa.Column("missed_at", TIME),
        sa.Column("removed_at", TIME),
        _column("removal_reason", sa.Text()),
        sa.Column("latest_version_id", sa.Integer()),
        _column("versions", sa.Integer()),
        _column("sightings", sa.Integer()),
        sa.ForeignKeyConstraint(["dataset_id"], ["dataset.id"]),
        sa.ForeignKeyConstraint(["site_id"], ["site.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("site_id", "url_key"),
    )
    op.create_index("ix_resource_dataset_id", "resource", ["dataset_id"])
    op.create_index("ix_resource_first_seen", "resource", ["first_seen"])
    op.create_index("ix_resource_format", "resource", ["format"])
    op.create_index("ix_resource_last_seen", "resource", ["last_seen"])
    op.create_index("ix_resource_latest_version_id", "resource", ["latest_version_id"])
    op.create_index("ix_resource_site_id", "resource", ["site_id"])


def _sighting() -> None:
    op.create_table(
        "sighting",
        _column("id", sa.Integer()),
        _column("resource_id", sa.Integer()),
        _column("page_key", sa.String(length=32)),
        _column("page_url", sa.Text()),
        _column("page_title", sa.Text()),
        _column("anchor", sa.Text()),
        _column("tag_path", sa.Text()),
        sa.Column("action", sa.Integer()),
        _column("first_seen", TIME),
        _column("last_seen", TIME),
        sa.ForeignKeyConstraint(["resource_id"], ["resource.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("resource_id", "page_key"),
    )
    op.create_index("ix_sighting_resource_id", "sighting", ["resource_id"])


def _version() -> None:
    op.create_table(
        "version",
        _column("id", sa.Integer()),
        _column("resource_id", sa.Integer()),
        _column("number", sa.Integer()),
        _column("sha256", sa.String(length=64)),
        _column("size", sa.BigInteger()),
        _column("mime_declared", sa.Text()),
        _column("mime_detected", sa.String(length=127)),
        _column("etag", sa.Text()),
        _column("last_modified", sa.String(length=63)),
        sa.Column("published_at", TIME),
        _column("fetched_at", TIME),
        _column("run_id", sa.String()),
        sa.Column("blob_removed_at", TIME),
        sa.ForeignKeyConstraint(["resource_id"], ["resource.id"]),
        sa.ForeignKeyConstraint(["run_id"], ["crawl_run.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("resource_id", "number"),
    )
    op.create_index("ix_version_fetched_at", "version", ["fetched_at"])
    op.create_index("ix_version_resource_id", "version", ["resource_id"])
    op.create_index("ix_version_resource_number", "version", ["resource_id", "number"])
    op.create_index("ix_version_run_id", "version", ["run_id"])
    op.create_index("ix_version_sha256", "version", ["sha256"])


def _verdict() -> None:
    op.create_table(
        "verdict",
        _column("version_id", sa.Integer()),
        _column("verdict", sa.String(length=31)),
        _column("kind", sa.String(length=31)),
        sa.Column("rows", sa.Integer()),
        sa.Column("columns", sa.Integer()),
        _column("column_names", sa.JSON()),
        _column("checks", sa.JSON()),
        _column("reasons", sa.JSON()),
        _column("decided_at", TIME),
        sa.ForeignKeyConstraint(["version_id"], ["version.id"]),
        sa.PrimaryKeyConstraint("version_id"),
    )
    op.create_index("ix_verdict_verdict", "verdict", ["verdict"])
