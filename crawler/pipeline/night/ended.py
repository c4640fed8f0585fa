"""The end of a night whose site was removed, disabled or moved while it ran."""

from datetime import datetime

from crawler.catalog.write.runs import close_run
from crawler.config.settings import Settings
from crawler.pipeline.night.alarm import Alarm, AlarmKind, send_alarms
from crawler.pipeline.night.night import Night
from crawler.pipeline.services import open_services
from crawler.state.stop import StopReason


def end_night(settings: Settings, night: Night, why: str, now: datetime) -> None:
    """Record the end of the run, and tell somebody; what was acquired stays."""
    with open_services(settings) as services:
        close_run(services.database, night.run_id, StopReason.INTERRUPTED.value, why, now)
    sentence = f"the night ended before its crawl did: {why}; what was acquired stays"
    send_alarms(settings, [Alarm(AlarmKind.SITE_ENDED, night.site, sentence, night.run_id)])
