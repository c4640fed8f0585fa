"""The program that shows the catalog inside its own pages: its login, and the way back to it."""

from typing import Protocol

from fastapi import Request


class Host(Protocol):
    """A program that mounts the application behind its own login."""

    @property
    def name(self) -> str:
        """As people know it."""

    async def admit(self, request: Request) -> None:
        """Raises HTTPException when the user may not see the catalog."""

    def login_address(self, request: Request) -> str:
        """Where to log in to see what was asked for."""

    def night_address(self, site: str, night: str) -> str | None:
        """Where the host shows a night of a site; None when it was not the host's."""
