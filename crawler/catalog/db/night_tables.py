"""The tables of the nights: what the fleet allots, what was published, where upkeep stands."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import Column, String, Text
from sqlmodel import Field, SQLModel

from crawler.catalog.db.models import UtcDateTime


class AllottedBy(StrEnum):
    """Who decided how many requests a site gets."""

    FLEET = "fleet"
    HAND = "hand"
    """A person: it stays until a person takes it away."""


class Allotment(SQLModel, table=True):
    """How many requests a site without a budget of its own may make in a night."""

    __tablename__ = "allotment"

    site: str = Field(primary_key=True, max_length=63)
    """By name: a site may have an allotment before it was ever crawled."""
    requests: int
    allotted_by: AllottedBy = Field(sa_column=Column(String(16), nullable=False))
    reason: str = Field(default="", sa_column=Column(Text, nullable=False))
    decided_at: datetime = Field(sa_column=Column(UtcDateTime(), nullable=False))
    expires_at: datetime | None = Field(
        default=None, sa_column=Column(UtcDateTime(), nullable=True)
    )


class Publication(SQLModel, table=True):
    """The versions of a site that one night announced: those above one id, up to another."""

    __tablename__ = "publication"

    site_id: int = Field(foreign_key="site.id", primary_key=True)
    night: str = Field(primary_key=True, max_length=250)
    after_version: int
    upto_version: int
    published_at: datetime = Field(sa_column=Column(UtcDateTime(), nullable=False))


class Bookmark(SQLModel, table=True):
    """Where a long task of upkeep goes on the next night."""

    __tablename__ = "bookmark"

    name: str = Field(primary_key=True, max_length=63)
    position: str = Field(default="", sa_column=Column(Text, nullable=False))
    moved_at: datetime = Field(sa_column=Column(UtcDateTime(), nullable=False))
