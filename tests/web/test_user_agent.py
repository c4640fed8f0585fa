"""The User-Agent says who we are, and robots.txt can name us."""

import re

import pytest

from crawler.errors import ConfigError
from crawler.web.user_agent import user_agent


def test_default_names_product_version_and_contact() -> None:
    agent = user_agent(None, "https://example.org/crawler")
    assert re.fullmatch(r"Tallyho/\d+\.\d+ \(\+https://example\.org/crawler\)", agent)


def test_contact_may_be_missing() -> None:
    assert re.fullmatch(r"Tallyho/\d+\.\d+", user_agent(None, None))


def test_own_product_gets_the_contact_once() -> None:
    assert user_agent("StatBot/2.1", "a@b.example") == "StatBot/2.1 (+a@b.example)"
    assert user_agent("StatBot/2.1 (a@b.example)", "a@b.example") == "StatBot/2.1 (a@b.example)"


@pytest.mark.parametrize("contact", ["a\r\nX-Evil: 1", "été@example.org"])
def test_text_that_does_not_fit_a_header_is_refused(contact: str) -> None:
    with pytest.raises(ConfigError):
        user_agent(None, contact)
