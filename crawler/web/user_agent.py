"""Who we say we are: an honest User-Agent with a contact."""

from importlib.metadata import PackageNotFoundError, version

from crawler.errors import ConfigError


def user_agent(product: str | None = None, contact: str | None = None) -> str:
    """The User-Agent header, such as `Tallyho/0.1 (+https://example.org/crawler)`."""
    agent = (product or "").strip() or f"Tallyho/{_version()}"
    contact = (contact or "").strip()
    if contact and contact not in agent:
        agent = f"{agent} (+{contact})"
    if not (agent.isascii() and agent.isprintable()):
        raise ConfigError("politeness.user_agent and politeness.contact must be plain ASCII text")
    return agent


def _version() -> str:
    try:
        return ".".join(version("tallyho").split(".")[:2])
    except PackageNotFoundError:
        return "0"
