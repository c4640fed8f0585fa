"""No message shows a password that somebody wrote into a URL."""

import pytest

from crawler.errors import StorageError
from crawler.redaction import has_userinfo, redact


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("ask https://bob:hunter2@a.example/x now", "ask https://…@a.example/x now"),
        ("postgresql+psycopg://u:p@db/x", "postgresql+psycopg://…@db/x"),
        ("'https://bob:a@b@c.example/'", "'https://…@c.example/'"),
        ("https://a.example/x@y", "https://a.example/x@y"),
        ("mail me@example.org", "mail me@example.org"),
    ],
)
def test_user_and_password_are_taken_out(text: str, shown: str) -> None:
    assert redact(text) == shown


def test_every_error_is_redacted() -> None:
    error = StorageError(
        "https://bob:hunter2@a.example/ is away", url="https://x:hunter2@b.example"
    )
    assert "hunter2" not in str(error)
    assert "hunter2" not in error.message
    assert "hunter2" not in repr(error)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://bob:hunter2@a.example/", True),
        ("bob:hunter2@a.example", True),
        ("https://bob@a.example:99999", True),
        ("https://a.example/@x", False),
        ("https://a.example?mail=a@b", False),
    ],
)
def test_userinfo_is_recognised(url: str, expected: bool) -> None:
    assert has_userinfo(url) is expected
