"""Who we say we are: an honest User-Agent with a contact, and its name for robots.txt."""

import re
from importlib.metadata import PackageNotFoundError, version

from crawler.errors import ConfigError

_TOKEN = re.compile(r"[A-Za-z_-]+")
_BEHIND_MOZILLA = re.compile(r"\(compatible;\s*([A-Za-z_-]+)", re.IGNORECASE)


def user_agent(product: str | None = None, contact: str | None = None) -> str:
    """The User-Agent header, such as `Tallyho/0.1 (+https://example.org/crawler)`."""
    agent = (product or "").strip() or f"Tallyho/{_version()}"
    contact = (contact or "").strip()
    if contact and contact not in agent:
        agent = f"{agent} (+{contact})"
    if not (agent.isascii() and agent.isprintable()):
        raise ConfigError("politeness.user_agent and politeness.contact must be plain ASCII text")
    return agent


def product_token(user_agent: str) -> str:
    """The name that robots.txt knows this User-Agent by (RFC 9309, section 2.2.1)."""
    behind = _BEHIND_MOZILLA.search(user_agent)
    if behind:
        return behind.group(1)
    token = _TOKEN.match(user_agent.strip())
    return token.group() if token else "Tallyho"


def _version() -> str:
    try:
        return ".".join(version("tallyho").split(".")[:2])
    except PackageNotFoundError:
        return "0"
