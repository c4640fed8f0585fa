"""The tables of what happened to files, and of what alerts have told of it."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import Column, Index, String, Table, Text
from sqlmodel import Field, SQLModel

from crawler.catalog.db.models import time_column


class What(StrEnum):
    """What happened to a file."""

    NEW = "new"
    CHANGED = "changed"
    GONE = "gone"


class NewsRow(SQLModel, table=True):
    """Something that happened to a file; rows appear in the order of their ids."""

    __tablename__ = "news"

    id: int | None = Field(default=None, primary_key=True)
    site_id: int = Field(foreign_key="site.id")
    resource_id: int = Field(foreign_key="resource.id")
    version_id: int = Field(foreign_key="version.id")
    """The version that came; of a file that is gone, its last one."""
    what: What = Field(sa_column=Column(String(15), nullable=False))
    at: datetime = time_column()


class AlertRow(SQLModel, table=True):
    """How an alert stands with one of its receivers."""

    __tablename__ = "alert"

    name: str = Field(primary_key=True, max_length=63)
    way: str = Field(primary_key=True, max_length=15)
    """webhook or email."""
    begins_after: int
    """The news with this id and those before it are never told."""
    claimed_until: datetime | None = time_column(nullable=True)
    """While a process sends it, no other does."""
    sent_at: datetime | None = time_column(nullable=True)
    sent_items: int = 0
    """How many pieces of news the last message was about."""
    failed_at: datetime | None = time_column(nullable=True)
    """When it failed, since it was sent last."""
    failure: str = Field(default="", sa_column=Column(Text, nullable=False, server_default=""))
    failures: int = 0
    """How often it failed since it was sent last."""


class AlertToldRow(SQLModel, table=True):
    """Up to which news of a site an alert has told a receiver."""

    __tablename__ = "alert_told"

    name: str = Field(primary_key=True, max_length=63)
    way: str = Field(primary_key=True, max_length=15)
    site_id: int = Field(foreign_key="site.id", primary_key=True)
    upto_news: int


Index("ix_news_site", NewsRow.site_id, NewsRow.id)  # type: ignore[arg-type]
Index("ix_news_resource", NewsRow.resource_id, NewsRow.id)  # type: ignore[arg-type]
Index("ix_news_what", NewsRow.what, NewsRow.id)  # type: ignore[arg-type]
Index("ix_news_at", NewsRow.at)  # type: ignore[arg-type]

NEWS: Table = NewsRow.__table__  # type: ignore[attr-defined]
ALERT: Table = AlertRow.__table__  # type: ignore[attr-defined]
ALERT_TOLD: Table = AlertToldRow.__table__  # type: ignore[attr-defined]
