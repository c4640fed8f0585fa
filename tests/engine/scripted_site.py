"""A site of a few lines: what every URL answers, and a log of what was asked."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from crawler.lab.replay import answer_request
from crawler.web.messages import Decision, Failure, Head, Method, Reply, Request

HOME = "https://stat.example"
HTML = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Answer:
    """Status, headers and body, as the replay takes them."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    @property
    def size(self) -> int:
        return len(self.body)


Script = Answer | Failure | list[Answer | Failure]
"""What a URL answers: always the same, or one after the other, the last for ever."""


def page(*hrefs: str, title: str = "") -> Answer:
    """A page with these links in their order."""
    links = "".join(f'<li><a href="{href}">{href}</a></li>' for href in hrefs)
    body = f"<html><head><title>{title}</title></head><body><ul>{links}</ul></body></html>"
    return Answer(headers={"Content-Type": HTML}, body=body.encode())


def marked_up(body: str) -> Answer:
    """A page with this text for its body."""
    return Answer(headers={"Content-Type": HTML}, body=f"<html><body>{body}</body></html>".encode())


def file(content: str = "year,births\n2024,17\n", content_type: str = "text/csv") -> Answer:
    """A data file."""
    return Answer(headers={"Content-Type": content_type}, body=content.encode())


def redirect(location: str, status: int = 302) -> Answer:
    """A hop."""
    return Answer(status, {"Location": location, "Content-Type": HTML})


def status(code: int, **headers: str) -> Answer:
    """A bare status; `retry_after` becomes Retry-After."""
    named = {name.replace("_", "-").title(): value for name, value in headers.items()}
    return Answer(code, {"Content-Type": HTML} | named)


def robots(*lines: str) -> Answer:
    """A robots.txt for everybody."""
    text = "\n".join(["User-agent: *", *lines, ""])
    return Answer(headers={"Content-Type": "text/plain"}, body=text.encode())


class ScriptedSite:
    """Answers by URL, or by path for the home host; `HEAD /x` scripts HEAD alone.

    Anything else is 404, robots.txt too. Which answer of a list comes depends on the log only, so
    that requests of a process that died can be taken back.
    """

    def __init__(self, answers: Mapping[str, Script]) -> None:
        self.answers = answers
        self.requests: list[Request] = []
        self.journal: list[str] = []
        self._asked: Counter[str] = Counter()

    def reply(self, request: Request, decide: Callable[[Head, bytes], Decision]) -> Reply:
        """What a fetcher would report of this request."""
        entry = f"{request.method} {shown(request.url)}"
        script = self._script(request)
        number = self._asked[entry]
        self._asked[entry] += 1
        self.requests.append(request)
        self.journal.append(entry)
        answer = script[min(number, len(script) - 1)] if isinstance(script, list) else script
        if isinstance(answer, Failure):
            return Reply(failure=answer, detail=f"scripted {answer.value}")
        return answer_request(request, lambda _: answer, decide)

    def _script(self, request: Request) -> Script:
        path = shown(request.url)
        if request.method is Method.HEAD and (script := self.answers.get(f"HEAD {path}")):
            return script
        return self.answers.get(path) or Answer(404, {"Content-Type": HTML})

    @property
    def log(self) -> list[str]:
        """Method and URL of every request, robots.txt too."""
        return [f"{request.method} {shown(request.url)}" for request in self.requests]

    @property
    def asked(self) -> list[str]:
        """The log without requests for robots.txt."""
        return [entry for entry in self.log if not entry.endswith("/robots.txt")]

    def forget_after(self, requests: int) -> None:
        """The process died: what it asked after these was asked in vain."""
        del self.requests[requests:]
        self._asked = Counter(self.log)


def shown(url: str) -> str:
    """A URL of the home host by its path; robots.txt is asked for with the port spelt out."""
    plain = url.replace(":443/", "/", 1)
    return plain.removeprefix(HOME) if plain.startswith(f"{HOME}/") else plain
