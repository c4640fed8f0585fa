"""Pages with style sheets, for tests of what links look like."""

from collections.abc import Sequence

from tests.engine.scripted_site import HTML, Answer


def styled(*hrefs: str, sheets: Sequence[str] = (), text: str = "") -> Answer:
    """A page with these links and style sheets."""
    head = "".join(f"<link rel='stylesheet' href='{href}'>" for href in sheets)
    links = "".join(f"<li><a href='{href}'>{href}</a></li>" for href in hrefs)
    body = f"<html><head>{head}</head><body><p>{text}</p><ul>{links}</ul></body></html>"
    return Answer(headers={"Content-Type": HTML}, body=body.encode())


def sheet(text: str) -> Answer:
    """A style sheet."""
    return Answer(headers={"Content-Type": "text/css"}, body=text.encode())
