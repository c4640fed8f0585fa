"""Files robots.txt that were made to exhaust the crawler. None of them forbids /files/."""

import gzip
from collections.abc import Callable
from dataclasses import dataclass, field

from crawler.lab.sites.answer import Answer, answer

HEAD = b"User-agent: *\nDisallow: /none\n"
ROOM = 500_000
"""About the bytes of a robots.txt that are read."""


@dataclass(frozen=True, slots=True)
class RobotsBomb:
    """One robots.txt."""

    name: str
    make: Callable[[], bytes]
    headers: dict[str, str] = field(default_factory=dict)

    def answer(self) -> Answer:
        """As the server sends it."""
        return answer(self.make(), "text/plain", headers=self.headers)


def filled(line: Callable[[int], bytes], room: int = ROOM) -> bytes:
    """As many different lines as there is room for."""
    made, number = bytearray(HEAD), 0
    while len(made) < room:
        made += line(number) + b"\n"
        number += 1
    return bytes(made)


def rules(name: str, line: Callable[[int], bytes]) -> RobotsBomb:
    return RobotsBomb(name, lambda: filled(line))


BOMBS = (
    rules("allow-with-stars", lambda n: b"Allow:/*%dx" % n),
    rules("disallow-with-stars", lambda n: b"Disallow:/x/*%dx" % n),
    rules("many-stars", lambda n: b"Disallow: /" + b"*a" * 200 + b"%d" % n),
    rules("stars-and-ends", lambda n: b"Disallow: /x*%d*$" % n),
    rules("plain-rules", lambda n: b"Disallow: /%d" % n),
    rules("plain-rules-of-all-lengths", lambda n: b"Disallow: /p" + b"p" * (n % 1900)),
    rules("escapes", lambda n: b"Disallow: /" + b"%2541" * 50 + b"%d" % n),
    rules("end-signs", lambda n: b"Disallow: /$%d$$" % n),
    rules("groups", lambda n: b"User-agent: bot%d\nDisallow: /" % n),
    rules("agents-without-rules", lambda n: b"User-agent: bot%d" % n),
    rules("sitemaps", lambda n: b"Sitemap: http://other.example/%d.xml" % n),
    rules("delays", lambda n: b"Crawl-delay: 0.000%d" % n),
    rules("empty-rules", lambda _: b"Disallow:"),
    RobotsBomb("one-rule-of-stars", lambda: HEAD + b"Disallow: /x" + b"*" * ROOM),
    RobotsBomb("one-long-rule", lambda: HEAD + b"Disallow: /x" + b"y" * ROOM),
    RobotsBomb("one-long-agent", lambda: b"User-agent: " + b"y" * ROOM + b"\nDisallow: /"),
    RobotsBomb("comment-of-twenty-megabytes", lambda: HEAD + b"#" * 20_000_000),
    RobotsBomb("zeros", lambda: HEAD + b"\0" * 400_000),
    RobotsBomb("returns-only", lambda: HEAD + b"\r" * 400_000),
    RobotsBomb("every-byte", lambda: HEAD + bytes(range(128, 256)) * 3000),
    RobotsBomb(
        "gzip-of-100-megabytes",
        lambda: gzip.compress(HEAD + b"#" * 100_000_000, 9, mtime=0),
        {"Content-Encoding": "gzip"},
    ),
)
