"""Templates: everything escaped, addresses relative to where the application is mounted."""

import hashlib
import re
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from crawler.pipeline.report.wording import skip_words
from crawler.webapp import wording

FOLDER = Path(__file__).parent
STATIC = FOLDER / "static"
LEAVE_FRAME = Markup((FOLDER / "templates" / "leave_frame.js").read_text(encoding="utf-8"))  # noqa: S704 - ours
"""The one script, for pages that a host shows in a frame."""

# Control characters, and those that turn the direction of all that follows.
_HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def visible(value: object) -> object:
    """Text without characters that would hide or reverse what stands around them."""
    if isinstance(value, Markup):
        return value
    return _HIDDEN.sub("", value) if isinstance(value, str) else value


def web_link(url: str) -> str | None:
    """The URL if a browser may follow it: http and https only."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    clean = url.isprintable() and not re.search(r"[\s\\]", url)
    return url if clean and parts.scheme in ("http", "https") and parts.hostname else None


def path_to(request: Request, name: str, /, **values: object) -> str:
    """The path of a route, under whatever prefix the application is mounted."""
    query = values.pop("query", None)
    path = str(request.scope.get("root_path", "")).rstrip("/")
    path += str(request.app.url_path_for(name, **values))
    return with_query(path, query) if isinstance(query, Mapping) else path


def origin_of(request: Request) -> str:
    """Scheme and host as the asker wrote them, for what must be absolute."""
    return f"{request.url.scheme}://{request.url.netloc}"


def with_query(path: str, query: Mapping[str, object]) -> str:
    """A path with those parameters that are not empty."""
    given = {name: value for name, value in query.items() if value not in (None, "", [])}
    return f"{path}?{urlencode(given, doseq=True)}" if given else path


@pass_context
def _path(context: Context, name: str, /, **values: object) -> str:
    return path_to(context["request"], name, **values)


def _short(text: str, limit: int = 160) -> str:
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


@cache
def style_stamp() -> str:
    """A few digits that change with the style sheet, so that no browser keeps an old one."""
    return hashlib.sha256((STATIC / "style.css").read_bytes()).hexdigest()[:12]


def make_environment() -> Environment:
    """The templates with the words and addresses they may use."""
    made = Environment(
        loader=FileSystemLoader(FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(path=_path, style_stamp=style_stamp(), count=wording.count_words)
    made.filters.update(
        {name: partial(wording.in_words, words) for name, words in wording.WORDS.items()},
        verdict_words=wording.verdict_words,
        share=wording.share_words,
        size=wording.size_words,
        change=wording.change_words,
        cell=wording.cell_words,
        day=wording.day_words,
        moment=wording.moment_words,
        machine_time=wording.machine_time,
        why_skipped=skip_words,
        web_link=web_link,
        short=_short,
    )
    return made


_environment = cache(make_environment)


def compile_templates() -> None:
    """Compiles all templates now, which otherwise the first page of each kind waits for."""
    for name in _environment().list_templates(extensions=["html"]):
        _environment().get_template(name)


def render(request: Request, template: str, status: int = 200, /, **values: object) -> HTMLResponse:
    """A page."""
    shown = {
        "request": request,
        "host": getattr(request.app.state, "host", None),
        "root": str(request.scope.get("root_path", "")).rstrip("/"),
        "leave_frame": LEAVE_FRAME,
        **values,
    }
    text = _environment().get_template(template).render(shown)
    return HTMLResponse(text, status_code=status)
