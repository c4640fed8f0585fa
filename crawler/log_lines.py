"""Lines of a log: plain text or JSON, without what libraries tell about themselves."""

import json
import logging
from datetime import UTC, datetime

from crawler.redaction import redact

CHATTY = (
    "alembic",
    "boto3",
    "botocore",
    "great_expectations",
    "matplotlib",
    "s3transfer",
    "urllib3",
)
"""Libraries whose notes say nothing about a crawl; their warnings stay."""
FIELDS = "fields"
"""A message has its figures under this key: `log.info(text, extra={FIELDS: {"requests": 3}})`."""


def quiet_libraries() -> None:
    """Keep the notes of libraries out of the log, unless everything is asked for."""
    for name in CHATTY:
        log = logging.getLogger(name)
        if log.level < logging.WARNING:
            log.setLevel(logging.WARNING)


class JsonLines(logging.Formatter):
    """One JSON object per line: time, level, logger, message, and the figures of the message."""

    def format(self, record: logging.LogRecord) -> str:
        """The line; what comes from the web is escaped by JSON itself."""
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname,
            "logger": record.name,
            "message": redact(record.getMessage()),
            **getattr(record, FIELDS, {}),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def json_log() -> logging.Handler | None:
    """The handler that writes JSON lines; None where the log is text."""
    handlers = logging.getLogger().handlers
    return next((each for each in handlers if isinstance(each.formatter, JsonLines)), None)
