"""What an answer means, and whether and when to ask again."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.engine.answers import (
    HeadMeaning,
    describe,
    head_meaning,
    is_redirect,
    is_success,
    skip_reason,
)
from crawler.engine.retries import (
    MAX_WAIT,
    RetryPolicy,
    is_temporary,
    pause,
    retry_after,
)
from crawler.pages.mime import UrlClass
from crawler.pages.reasons import SkipReason
from crawler.web.messages import Failure, Head, Reply

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


def reply(status: int, **headers: str) -> Reply:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(head=Head("https://stat.example/x", status, named))


def waiting(value: str, status: int = 503) -> Reply:
    return reply(status, retry_after=value)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_the_five_that_name_a_place(status):
    assert is_redirect(reply(status))
    assert not is_success(reply(status))


@pytest.mark.parametrize("status", [200, 203, 206, 299])
def test_success_is_2xx(status):
    assert is_success(reply(status))


def test_answer_that_broke_off_is_neither_success_nor_redirect():
    for status in (200, 302):
        head = Head("https://stat.example/", status)
        broken = Reply(head=head, failure=Failure.BROKEN, detail="cut")
        assert not is_success(broken)
        assert not is_redirect(broken)
        assert skip_reason(broken) is SkipReason.NO_ANSWER
        assert describe(broken) == "cut"


@given(st.sampled_from(list(Failure)))
def test_every_failure_has_a_reason_and_words(failure):
    failed = Reply(failure=failure)
    assert skip_reason(failed) in SkipReason
    assert describe(failed) == failure.value
    assert is_temporary(failed) is failure.retryable


@given(st.integers(100, 599).filter(lambda status: not 200 <= status <= 299))
def test_every_status_that_is_no_success_has_a_reason_by_its_family(status):
    families = {3: SkipReason.BAD_REDIRECT, 4: SkipReason.DEAD, 5: SkipReason.SERVER_ERROR}
    expected = families.get(status // 100, SkipReason.OTHER_TYPE)
    assert skip_reason(reply(status)) is (SkipReason.SERVER_ERROR if status == 429 else expected)
    assert describe(reply(status)) == f"HTTP {status}"


@pytest.mark.parametrize(
    ("status", "content_type", "url_class", "meaning"),
    [
        (200, "text/html", UrlClass.HTML, HeadMeaning.HTML),
        (200, "text/csv", UrlClass.TARGET, HeadMeaning.TARGET),
        (200, "image/png", UrlClass.NEITHER, HeadMeaning.NEITHER),
        (200, "", UrlClass.TARGET, HeadMeaning.REFUSED),
        (403, "text/html", UrlClass.HTML, HeadMeaning.REFUSED),
        (405, "text/html", UrlClass.HTML, HeadMeaning.REFUSED),
        (501, "text/html", UrlClass.HTML, HeadMeaning.REFUSED),
        (404, "text/html", UrlClass.HTML, HeadMeaning.DEAD),
        (410, "text/html", UrlClass.HTML, HeadMeaning.DEAD),
        (302, "text/html", UrlClass.HTML, HeadMeaning.NOTHING),
        (401, "text/html", UrlClass.HTML, HeadMeaning.NOTHING),
        (500, "text/html", UrlClass.HTML, HeadMeaning.REFUSED),
    ],
)
def test_head_is_read_by_status_first_and_then_by_type(status, content_type, url_class, meaning):
    assert head_meaning(reply(status, content_type=content_type), url_class) is meaning


def test_head_without_an_answer_is_a_refusal():
    assert head_meaning(Reply(failure=Failure.DNS), UrlClass.HTML) is HeadMeaning.REFUSED


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("", 0.0),
        ("0", 0.0),
        (" 120 ", 120.0),
        ("99999999999999999999", 999999999.0),
        ("-5", 0.0),
        ("1.5", 0.0),
        ("soon", 0.0),
        ("²", 0.0),
        ("Mon, 01 Jun 2026 12:02:00 GMT", 120.0),
        ("Mon, 01 Jun 2026 12:02:00 -0000", 120.0),
        ("Mon, 01 Jun 2026 14:02:00 +0200", 120.0),
        ("Monday, 01-Jun-26 12:02:00 GMT", 120.0),
        ("Mon, 01 Jun 2020 12:00:00 GMT", 0.0),
        ("Mon, 01 Jun 9999999 12:00:00 GMT", 0.0),
    ],
)
def test_retry_after_is_seconds_or_a_date_and_nonsense_is_nothing(value, seconds):
    assert retry_after(waiting(value), NOW.timestamp()) == seconds


@given(
    st.text(max_size=60)
    | st.from_regex(r"\w{3}, \d{1,5} \w{3} \d{1,9} \d+:\d+:\d+ ([+-]\d{1,9}|GMT)")
)
def test_retry_after_of_any_text_is_a_time_that_is_not_over(value):
    assert retry_after(waiting(value), NOW.timestamp()) >= 0.0


@given(st.integers(0, 10**6))
def test_retry_after_as_a_date_is_the_time_until_then(seconds):
    date = format_datetime(NOW + timedelta(seconds=seconds), usegmt=True)
    assert retry_after(waiting(date), NOW.timestamp()) == seconds


@given(st.integers(0, 10), st.floats(0, 600), st.integers(1, 15))
def test_backoff_doubles_until_the_retries_are_used_up(retries, backoff, attempts):
    wait = RetryPolicy(retries, backoff).wait(reply(503), attempts, 0.0)
    if attempts > retries:
        assert wait is None
    else:
        assert wait == backoff * 2 ** (attempts - 1)


def test_longer_of_backoff_and_retry_after_is_waited_for():
    policy = RetryPolicy(3, 2.0)
    assert policy.wait(waiting("5"), 1, 0.0) == 5.0
    assert policy.wait(waiting("5"), 3, 0.0) == 8.0


def test_pause_of_more_than_an_hour_is_not_waited_for():
    policy = RetryPolicy(3, 2.0)
    assert policy.wait(waiting(str(int(MAX_WAIT))), 1, 0.0) == MAX_WAIT
    assert policy.wait(waiting(str(int(MAX_WAIT) + 1)), 1, 0.0) is None


def test_final_answers_are_not_waited_for():
    assert RetryPolicy(3, 2.0).wait(waiting("5", status=404), 1, 0.0) is None
    assert pause(waiting("5", status=404), 0.0) == 0.0
    assert pause(waiting("5"), 0.0) == 5.0
    assert pause(waiting("3601"), 0.0) == 0.0
