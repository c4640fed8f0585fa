"""Who has store and catalog open at the same time shares them; the last one closes them."""

import threading

from crawler.config.settings import Settings
from crawler.pipeline.services import Services, open_services


def test_those_who_have_them_open_at_once_share_them(settings: Settings) -> None:
    with open_services(settings) as first, open_services(settings) as second:
        assert first is second
    with open_services(settings) as later:
        assert later is not first


def test_another_home_has_its_own(settings: Settings) -> None:
    other = settings.model_copy(update={"home": settings.home / "other"})
    with open_services(settings) as first, open_services(other) as second:
        assert first.database is not second.database


def test_many_threads_open_them_once(settings: Settings) -> None:
    seen: list[Services] = []
    together = threading.Barrier(8)

    def use() -> None:
        together.wait()
        with open_services(settings) as services:
            seen.append(services)
            together.wait()

    threads = [threading.Thread(target=use) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 8
    assert all(services is seen[0] for services in seen)
