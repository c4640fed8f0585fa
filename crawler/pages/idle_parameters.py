"""Parameters that change nothing: print versions, session ids, orders and views of the same page.

They are learned from pages that were read with and without them: never from names alone.
"""

from collections.abc import Iterator
from typing import NamedTuple

from crawler.pages.counters import Counters
from crawler.pages.traps import split_url
from crawler.pages.url_template import url_template
from crawler.pages.urls import fingerprint

MAX_PARAMETERS = 30
"""A URL with more is looked at by the rules for traps only: each would cost the whole URL again."""
_PAGES_ALIKE = 3
"""Pages of one template that a value did not change."""
_PAGES_ALIKE_ANYWHERE = 6
"""The same for pages of any template."""
_VALUES_ALIKE = 4
"""Values that changed nothing, before any value of a parameter is believed to."""
_REFUTED = -1


class Parameter(NamedTuple):
    """One parameter of a URL."""

    name: str
    value: str
    bare: str
    """The URL without it."""


class IdleParameters:
    """What is known of each parameter, by the template of the path and for the whole site."""

    def __init__(self, counters: Counters) -> None:
        self._counters = counters

    def compared(self, url: str, parameter: Parameter, *, same: bool) -> None:
        """A page was read with and without a parameter."""
        by_template, anywhere, any_value = _keys(url, parameter)
        counters = self._counters
        if not same:
            for key in (by_template, anywhere, any_value):
                counters[key] = _REFUTED
            return
        if counters[by_template] == 0 and counters[any_value] != _REFUTED:
            counters[any_value] += 1
        for key in (by_template, anywhere):
            if counters[key] != _REFUTED:
                counters[key] += 1

    def idle(self, url: str) -> Iterator[str]:
        """For each parameter of a URL that changes nothing: the URL without it."""
        for parameter in parameters_of(url):
            by_template, anywhere, any_value = _keys(url, parameter)
            counters = self._counters
            if counters[by_template] == _REFUTED:
                continue
            if (
                counters[by_template] >= _PAGES_ALIKE
                or counters[anywhere] >= _PAGES_ALIKE_ANYWHERE
                or counters[any_value] >= _VALUES_ALIKE
            ):
                yield parameter.bare


def parameters_of(url: str) -> list[Parameter]:
    """Every parameter of a URL, with the URL that is left without it; none of very many."""
    before, question, query = url.partition("?")
    if not question or query.count("&") > MAX_PARAMETERS:
        return []
    parts = [part for part in query.partition("#")[0].split("&") if part]
    found = []
    for at, part in enumerate(parts):
        name, _, value = part.partition("=")
        rest = "&".join(parts[:at] + parts[at + 1 :])
        found.append(Parameter(name, value, f"{before}?{rest}" if rest else before))
    return found


def without(url: str, name: str) -> str:
    """A URL without its parameters of this name."""
    while True:
        named = [one for one in parameters_of(url) if one.name == name]
        if not named:
            return url
        url = named[0].bare


def _keys(url: str, parameter: Parameter) -> tuple[int, int, int]:
    place, _, _ = split_url(url)
    name, value, template = parameter.name, parameter.value, url_template(parameter.bare)
    return (
        fingerprint(f"idle {place} {template} {name}={value}"),
        fingerprint(f"idle {place} {name}={value}"),
        fingerprint(f"idle {place} {template} {name}"),
    )
