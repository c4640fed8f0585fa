"""URLs as other formats take them."""

from urllib.parse import quote


def iri(url: str) -> str:
    """A URL with everything escaped that an IRI may not hold; empty unless it is http(s)."""
    if not url.lower().startswith(("http://", "https://")):
        return ""
    return quote(url, safe="!#$%&'()*+,/:;=?@[]~-._")
