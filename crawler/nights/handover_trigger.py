"""Waits in Airflow's triggerer until a lane is done with a site, or no lane is there.

One process waits for all sites: a task that looked again and again would start a process each time.
"""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from airflow.triggers.base import BaseTrigger, TriggerEvent
from asgiref.sync import sync_to_async

from crawler.nights.project import Project

SECONDS = 15.0
"""Between two looks."""


class HandoverTrigger(BaseTrigger):
    """Fires when the site's task has something to do."""

    def __init__(self, root: str, site: str, run_id: str) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.root = root
        self.site = site
        self.run_id = run_id

    def serialize(self) -> tuple[str, dict[str, Any]]:
        """How the triggerer makes it again."""
        path = f"{type(self).__module__}.{type(self).__qualname__}"
        return path, {"root": self.root, "site": self.site, "run_id": self.run_id}

    async def run(self) -> AsyncIterator[TriggerEvent]:
        """Looks at the handover until the task is to go on."""
        look = sync_to_async(self._look, thread_sensitive=False)
        while not await look():
            await asyncio.sleep(SECONDS)
        yield TriggerEvent({"run_id": self.run_id})  # type: ignore[no-untyped-call]

    def _look(self) -> bool:
        from crawler.pipeline.night.handing_over import is_settled

        settings = Project(Path(self.root)).task_settings()
        return is_settled(settings, self.site, self.run_id)
