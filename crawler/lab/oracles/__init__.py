"""Strategies that are given the class of every URL in advance: bounds to compare with, lab only."""

from collections.abc import Callable

from crawler.pages.mime import UrlClass

Oracle = Callable[[str], UrlClass]
"""The true class of a URL; only a site whose every answer is known can have one."""
