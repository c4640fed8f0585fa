"""What a strategy may be told in the lab: the class of every URL, before anybody asks for it."""

from collections.abc import Callable

from crawler.pages.mime import UrlClass

Oracle = Callable[[str], UrlClass]
"""The truth about a URL; only a site whose every answer is known can have one."""
