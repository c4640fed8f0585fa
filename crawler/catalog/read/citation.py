"""How to cite a file: who, when, what, where, and exactly which bytes."""

from datetime import datetime


def citation(
    *,
    title: str,
    publisher: str,
    site: str,
    url: str,
    published_at: datetime | None,
    fetched_at: datetime | None,
    version: int | None,
    sha256: str | None,
) -> str:
    """One line: Office (2025): Births by region. https://... Version 2, acquired 2026-03-02, ..."""
    year = f"{published_at:%Y}" if published_at else "n.d."
    line = f"{publisher or site} ({year}): {title.rstrip('.')}. {url}"
    if version is None or fetched_at is None or not sha256:
        return line
    return f"{line} Version {version}, acquired {fetched_at:%Y-%m-%d}, SHA-256 {sha256}."
