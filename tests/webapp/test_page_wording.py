"""How the pages say sizes, times, verdicts and reasons."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from crawler.webapp import wording


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (None, "unknown size"),
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1 kB"),
        (48213, "48.2 kB"),
        (999_960, "1 MB"),
        (2_147_483_648, "2.1 GB"),
        (5 * 10**15, "5,000 TB"),
    ],
)
def test_size_is_short(size, words):
    assert wording.size_words(size) == words


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (None, "first version"),
        (0, "same size"),
        (1, "+1 byte"),
        (-1200, "−1,200 bytes"),
    ],
)
def test_difference_has_its_sign(change, words):
    assert wording.change_words(change) == words


def test_time_of_another_zone_is_told_in_utc():
    moment = datetime(2026, 3, 2, 1, 12, 40, tzinfo=timezone(timedelta(hours=2)))
    assert wording.moment_words(moment) == "1 March 2026, 23:12 UTC"
    assert wording.machine_time(moment) == "2026-03-01T23:12:40Z"
    assert wording.day_words(None) == "unknown"
    assert wording.day_words(datetime(2026, 3, 2, tzinfo=UTC)) == "2 March 2026"


def test_unknown_names_stay_as_they_are():
    assert wording.format_words("csv") == "CSV table"
    assert wording.format_words("hologram") == "hologram"
    assert wording.verdict_words(None) == "not checked yet"
    assert wording.verdict_words("haunted") == "haunted"


@pytest.mark.parametrize(
    ("reason", "detail", "ended", "words"),
    [
        ("frontier_empty", "", True, "every link was followed"),
        ("", "", False, "it is running, or its process died"),
        ("", "", True, "it ended without a reason"),
        ("meteor", "large", True, "meteor: large"),
    ],
)
def test_stop_reason_is_a_sentence(reason, detail, ended, words):
    assert wording.stop_words(reason, detail, ended) == words
