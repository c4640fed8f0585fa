"""Scripted sites where everything goes wrong somewhere, made from a seed."""

import random

from crawler.config.site import SiteConfig
from crawler.web.messages import Failure
from tests.engine.crawl_run import site_config
from tests.engine.scripted_site import (
    HOME,
    HTML,
    Answer,
    Script,
    ScriptedSite,
    file,
    redirect,
    robots,
    status,
)

URLS = 50
FILES = "https://files.example"
DATA = "https://data.stat.example"
SILENT = "https://silent.example"
PLACES = ["ul.datasets li", "p.more", "nav#top div", "aside.news div", "table.figures tr td"]
KINDS = ["page", "page", "page", "file", "file", "moved", "flaky", "down", "dead", "picture"]
SHAPES = {"page": "/p/{}", "file": "/data/{}.csv", "picture": "/map/{}"}
REFUSALS = [status(405), status(403), Answer(200), status(503), redirect("/p/0"), Failure.TIMEOUT]


class NastySite:
    """Pages and files that move, fail for a while, fail for ever, or lie about their type."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        kinds = [self._rng.choice(KINDS) for _ in range(URLS)]
        self._urls = [self._url(number, kind) for number, kind in enumerate(kinds)]
        self.answers: dict[str, Script] = {
            "/": self._page(),
            "/also": self._page(),
            "/robots.txt": [status(503), robots("Disallow: /private", "Crawl-delay: 2")],
            f"{FILES}/robots.txt": redirect(f"{FILES}/r"),
            f"{FILES}/r": robots("Disallow: /d/closed"),
            f"{SILENT}/robots.txt": Failure.TIMEOUT,
        }
        for number, (url, kind) in enumerate(zip(self._urls, kinds, strict=True)):
            self.answers[url] = self._script(kind, number)
            if self._rng.random() < 0.3:
                self.answers[f"HEAD {url}"] = self._rng.choice(REFUSALS)

    def _url(self, number: int, kind: str) -> str:
        if self._rng.random() < 0.1:
            return self._rng.choice([f"{FILES}/d/", f"{SILENT}/", f"{DATA}/x/"]) + f"{number}.csv"
        if self._rng.random() < 0.1:
            return f"/list?a={number}&b=1"
        # Some pages look like files and some files like pages: the classifier must err.
        shape = self._rng.choice(list(SHAPES.values())) if self._rng.random() < 0.2 else ""
        return (shape or SHAPES.get(kind, "/node/{}")).format(number)

    def _page(self) -> Answer:
        hrefs = self._rng.choices(self._urls, k=self._rng.randint(0, 9))
        hrefs += self._rng.sample(
            ["/private/x", "https://elsewhere.example/", "/logo.png", f"{FILES}/d/closed/1.csv"],
            k=1,
        )
        body = "".join(self._link(href) for href in hrefs)
        return Answer(200, {"Content-Type": HTML}, f"<html><body>{body}</body></html>".encode())

    def _link(self, href: str) -> str:
        tags = self._rng.choice(PLACES).split()
        opening = "".join(_opened(tag) for tag in tags)
        closing = "".join(f"</{tag.partition('.')[0].partition('#')[0]}>" for tag in tags[::-1])
        return f'{opening}<a href="{href}">{href}</a>{closing}'

    def _script(self, kind: str, number: int) -> Script:
        settled = self._rng.choice([self._page(), file(f"n\n{number}\n")])
        match kind:
            case "page":
                return self._page()
            case "file":
                return file(f"n\n{number}\n")
            case "moved":
                there = self._rng.choice([*self._urls, f"/new/{number}", f"{FILES}/d/{number}"])
                self.answers.setdefault(f"/new/{number}", settled)
                self.answers.setdefault(f"{FILES}/d/{number}", file(f"m\n{number}\n"))
                return redirect(there)
            case "flaky":
                failing = [status(503), status(429, retry_after="7"), Failure.BROKEN]
                return [*self._rng.choices(failing, k=self._rng.randint(1, 6)), settled]
            case "down":
                return self._rng.choice([status(500), Failure.CONNECT])
            case "dead":
                return self._rng.choice([status(404), status(410), Failure.TOO_LARGE])
            case _:
                return Answer(200, {"Content-Type": "image/png"}, b"\x89PNG")

    def served(self) -> ScriptedSite:
        """The site with an empty log."""
        return ScriptedSite(self.answers)


def _opened(tag: str) -> str:
    name, _, marked = tag.partition("#")
    if marked:
        return f'<{name} id="{marked}">'
    name, _, marked = tag.partition(".")
    return f'<{name} class="{marked}">' if marked else f"<{name}>"


def nasty_config(strategy: str, seed: int = 0) -> SiteConfig:
    """How it is crawled: small limits, so that all of them are met."""
    chosen: dict[str, object] = {"name": strategy}
    if strategy == "sb":
        chosen |= {"b": 4, "max_actions": 4, "theta": 0.9}
    return site_config(
        start_also=[f"{HOME}/also"],
        strategy=chosen,
        seed=seed,
        scope={"file_hosts": ["files.example", "silent.example"]},
        politeness={"retries": 2},
        limits={"traps": {"parameter_combinations": 3}},
        early_stopping={"half_life": 20, "floor": 0.01, "patience": 40},
    )
