"""Task logs go to the object store: Airflow's pages show them whichever machine ran the task.

AIRFLOW__LOGGING__LOGGING_CONFIG_CLASS=crawler.nights.remote_logs.LOGGING_CONFIG switches it on.
"""

import logging
import os
from pathlib import Path
from typing import Any

from airflow.config_templates.airflow_local_settings import DEFAULT_LOGGING_CONFIG

from crawler.errors import TallyhoError

LOGGING_CONFIG = DEFAULT_LOGGING_CONFIG
"""Airflow's own; only where the logs of ended tasks go is added."""

log = logging.getLogger(__name__)


class StoreTaskLogs:
    """What Airflow calls a RemoteLogIO; a store that is away fails no task and loses no log."""

    @property
    def processors(self) -> tuple[Any, ...]:
        """None: lines are written to a local file, and the file is stored when its task ends."""
        return ()

    def upload(self, path: "os.PathLike[str] | str", ti: object = None) -> None:  # noqa: ARG002
        """Move a log into the store; where that fails it stays on this machine."""
        # Not at the top: every process of Airflow imports this module, few store or read a log.
        from airflow.sdk.configuration import conf

        from crawler.config.settings import load_settings
        from crawler.pipeline.night.task_logs import store_log

        local = Path(str(conf.get("logging", "base_log_folder"))) / path
        try:
            store_log(load_settings(), Path(path).as_posix(), local.read_bytes())
            local.unlink()
        except (TallyhoError, OSError) as error:
            log.warning("the log %s stays on this machine: %s", local, error)

    def read(self, relative_path: str, ti: object) -> tuple[list[str], list[str] | None]:  # noqa: ARG002
        """Where a log is, and its text; None when the store has none."""
        from crawler.config.settings import load_settings
        from crawler.pipeline.night.task_logs import key_of, stored_log

        try:
            data = stored_log(load_settings(), relative_path)
        except TallyhoError as error:
            return [f"the object store cannot be read: {error}"], None
        if data is None:
            return [], None
        return [f"object store: {key_of(relative_path)}"], [data.decode("utf-8", "replace")]


REMOTE_TASK_LOG = StoreTaskLogs()
