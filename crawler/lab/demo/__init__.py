"""The demo site: a small but realistic national statistics office that does not exist."""

from crawler.lab.demo.answer import Answer
from crawler.lab.demo.site import DemoSite

__all__ = ["Answer", "DemoSite"]
