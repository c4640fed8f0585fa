"""Verdicts get a profile of the file, the address of their Data Docs, and who decided."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_NEW: dict[str, tuple[sa.types.TypeEngine[Any], str]] = {
    "profile": (sa.JSON(), "{}"),
    "data_docs": (sa.Text(), ""),
    "validator": (sa.String(length=31), ""),
}


def upgrade() -> None:
    """Adds the columns; a verdict that is there has an empty profile until it is renewed."""
    for name, (kind, default) in _NEW.items():
        op.add_column("verdict", sa.Column(name, kind, nullable=False, server_default=default))


def downgrade() -> None:
    """Removes them."""
    for name in _NEW:
        op.drop_column("verdict", name)
