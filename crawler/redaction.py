"""What no message may show: the user name and password in front of a URL's host."""

import re

_USERINFO = re.compile(r"://[^\s/?#'\"<>]*@")


def redact(text: str) -> str:
    """The text with `user:password@` taken out of every URL in it."""
    return _USERINFO.sub("://…@", text) if "@" in text else text


def has_userinfo(url: str) -> bool:
    """Whether a URL, or what was meant to be one, names a user before its host."""
    rest = url.partition("://")[2] or url
    return "@" in re.split(r"[/?#\\]", rest, maxsplit=1)[0]
