"""Pages that were made to exhaust the crawler: depth, width, names, texts, addresses, encodings.

Each is a function that makes the body of one page; it gets an address of a good file that the page
must not hide, where a reader of pages can still be expected to see it.
"""

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass

from crawler.lab.sites.answer import HTML, Answer, answer


@dataclass(frozen=True, slots=True)
class PageBomb:
    """A page, and whether the file that it links to can be seen in spite of it."""

    name: str
    make: Callable[[str], Answer]
    shows_file: bool = True


def page(inside: str, file: str, *, head: str = "", after: bool = True) -> Answer:
    """A page with a link to the file, at its end or at its start."""
    link = f"<p><a href='{file}'>file</a></p>"
    body = f"{inside}{link}" if after else f"{link}{inside}"
    text = f"<html><head>{head}</head><body>{body}</body></html>"
    return answer(text.encode("utf-8", "surrogatepass"), HTML)


def inside(
    name: str, text: Callable[[], str], *, after: bool = False, shows: bool = True
) -> PageBomb:
    """A bomb in the body; the link to the file stands before it unless it says `after`."""
    return PageBomb(name, lambda file: page(text(), file, after=after), shows)


def in_head(name: str, text: Callable[[], str]) -> PageBomb:
    return PageBomb(name, lambda file: page("", file, head=text()))


def links(addresses: list[str]) -> str:
    return "".join(f'<a href="{each}">x</a>' for each in addresses)


def nested(tag: str, depth: int, attributes: str = "") -> str:
    return f"<{tag} {attributes}>" * depth


def long_paths(count: int) -> str:
    """190 elements with long names around links with a class of their own each."""
    around = "".join(
        f"<div id={'i' * 60}{n} class='{'c' * 60} {'d' * 60} {'e' * 60}{n}'>" for n in range(190)
    )
    return around + "".join(
        f'<a class="k{n}" href="http://other.example/{n}">x</a>' for n in range(count)
    )


def misnested(count: int) -> str:
    return "<b><i><u>" * count + "</b></i></u>" * count


def encoded(name: str, change: Callable[[bytes], bytes], **headers: str) -> PageBomb:
    """A page whose bytes are changed on the way."""

    def make(file: str) -> Answer:
        body = change(page("", file).body)
        return answer(body, HTML, headers={key.replace("_", "-"): v for key, v in headers.items()})

    return PageBomb(name, make, shows_file=False)


def typed(name: str, content_type: str, body: Callable[[str], bytes]) -> PageBomb:
    return PageBomb(name, lambda file: answer(body(file), content_type), shows_file=False)


def laughs() -> str:
    made = ['<!ENTITY e0 "ha">']
    made += [f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10)]
    return f"<!DOCTYPE html [{''.join(made)}]>"


OFF = "http://other.example/"
N = 100_000

NESTED = [
    inside(f"nested-{tag}", lambda tag=tag: nested(tag, 50_000))
    for tag in ("div", "table", "ul", "font", "b", "p", "span", "svg", "iframe", "select", "form")
]
NAMES = [
    inside("long-paths-of-3000-links", lambda: long_paths(3_000)),
    inside("long-paths-of-10000-links", lambda: long_paths(10_000)),
    inside("class-of-100000-names", lambda: f"<div class='{'c ' * N}'>" + links([OFF])),
    inside("id-of-a-megabyte", lambda: f"<div id='{'i' * 10**6}'>" + links([OFF])),
    inside(
        "attributes-100000",
        lambda: f"<a {' '.join(f'a{n}=1' for n in range(N))} href='{OFF}'>x</a>",
    ),
    inside(
        "attribute-of-five-megabytes", lambda: f"<a title='{'x' * 5 * 10**6}' href='{OFF}'>x</a>"
    ),
    inside("attribute-without-end", lambda: "<a href='" + "x" * 10**6),
    inside("tag-without-end", lambda: "<a " + "x " * 500_000),
    inside("name-of-a-tag-of-a-megabyte", lambda: f"<{'x' * 10**6}>"),
    inside(
        "different-tags",
        lambda: "".join(f"<t{n}><a href='{OFF}{n}'>x</a></t{n}>" for n in range(20_000)),
    ),
    inside("misnested", lambda: misnested(3_000)),
]
LINKS = [
    inside("links-off-site-100000", lambda: links([f"{OFF}{n}" for n in range(N)])),
    inside("links-to-itself-100000", lambda: links([f"#{n}" for n in range(N)])),
    inside("links-to-pictures-100000", lambda: links([f"/p{n}.png" for n in range(N)])),
    inside("links-with-sessions", lambda: links([f"/?sid={n:032x}&a={n}" for n in range(50)])),
    inside("address-of-a-megabyte", lambda: links(["/" + "x" * 10**6])),
    inside("address-of-dots", lambda: links(["../" * N + "x"])),
    inside("address-of-slashes", lambda: links(["/" * N])),
    inside("address-of-escapes", lambda: links(["/" + "%25" * N])),
    inside("address-of-questions", lambda: links(["/?" + "a&" * N])),
    inside(
        "addresses-of-nonsense",
        lambda: links(
            [
                "http://[",
                "http://a:99999/",
                "http://%zz/",
                "//\\",
                "http://\u202e/",
                "http://" + "a." * 5000,
                "http://xn--" + "a" * 3000,
                "data:," + "x" * 10**6,
                "javascript:0",
                "mailto:a",
                "\ud800",
                "/\x00",
                "http://u:p@/",
            ]
            * 50
        ),
    ),
    in_head(
        "bases-10000",
        lambda: "".join(f"<base href='http://b{n}.example/'>" for n in range(10_000)).replace(
            "http://b0.example", "/"
        ),
    ),
    in_head(
        "alternates-100000",
        lambda: "<link rel=alternate type='application/rss+xml' href=http://other.example/f>" * N,
    ),
    in_head(
        "refreshes-10000",
        lambda: "<meta http-equiv=refresh content='0;url=http://other.example/'>" * 10_000,
    ),
]
TEXTS = [
    inside("anchor-of-five-megabytes", lambda: f"<a href='{OFF}'>{'word ' * 10**6}</a>"),
    in_head("title-of-five-megabytes", lambda: f"<title>{'word ' * 10**6}</title>"),
    inside("comment-without-end", lambda: "<!--" + "-" * 10**6),
    inside("comments-100000", lambda: "<!-- a -->" * N),
    inside("script-of-five-megabytes", lambda: "<script>" + "if(a<b)" * 700_000 + "</script>"),
    inside("references-500000", lambda: "&amp;&#65;&#x110000;&#xd800;" * 150_000),
    inside("reference-without-end", lambda: "&#" + "9" * 10**6 + ";"),
    inside("dates-100000", lambda: "Published 2024-01-01, updated 31.12.2023; " * N),
    inside("digits-of-a-megabyte", lambda: "Published " + "1" * 10**6),
    inside("months-of-a-megabyte", lambda: "January " * 120_000),
    inside("times-100000", lambda: "<time datetime='2024-01-01'>x</time>" * N),
    inside("words-of-a-megabyte", lambda: "a" * 10**6 + " " + "licence " * 100_000),
    in_head(
        "json-ld-100000-deep", lambda: f"<script type='application/ld+json'>{'[' * N}</script>"
    ),
    in_head(
        "json-ld-of-five-megabytes",
        lambda: (
            "<script type='application/ld+json'>"
            + json.dumps([{"@type": "Dataset", "name": "x" * 100}] * 40_000)
            + "</script>"
        ),
    ),
    in_head("metas-100000", lambda: "<meta name='dc.date' content='2024-01-01'>" * N),
    PageBomb(
        "language-of-a-megabyte",
        lambda file: answer(f"<html lang='{'x' * 10**6}'><a href='{file}'>f</a>".encode(), HTML),
    ),
    inside("rows-100000", lambda: "<table>" + "<tr><td>1<td>2" * N + "</table>"),
    inside("items-200000", lambda: "<ul>" + "<li>x" * 200_000 + "</ul>"),
]
ENCODED = [
    encoded(
        "gzip-of-100-megabytes",
        lambda body: gzip.compress(body + b" " * 100_000_000, 9, mtime=0),
        Content_Encoding="gzip",
    ),
    encoded(
        "gzip-twice",
        lambda body: gzip.compress(gzip.compress(body + bytes(30_000_000), mtime=0), mtime=0),
        Content_Encoding="gzip, gzip",
    ),
    encoded("gzip-that-is-none", lambda body: body, Content_Encoding="gzip"),
    encoded("zeros-of-nine-megabytes", lambda body: body + bytes(9_000_000)),
    encoded("ones-of-nine-megabytes", lambda body: body + b"\xff" * 9_000_000),
    encoded(
        "utf-16-of-half-characters",
        lambda body: body.decode().encode("utf-16") + b"\x00" + b"\xd8\x00" * 500_000,
    ),
    encoded(
        "charset-of-no-name",
        lambda body: (
            b"<meta charset=" + b"x" * 1000 + b">" + b"<meta charset=utf-7>" * 50_000 + body
        ),
    ),
    encoded("over-the-limit-of-a-page", lambda body: body + b"<p>word</p>" * 1_500_000),
    typed(
        "laughs",
        "application/xhtml+xml",
        lambda file: f"{laughs()}<html><body>&e9;<a href='{file}'>f</a></body></html>".encode(),
    ),
    typed(
        "type-without-end",
        "text/html; charset=" + "x" * 5000,
        lambda file: f"<a href='{file}'>f</a>".encode(),
    ),
]

GROUPS = {"nested": NESTED, "names": NAMES, "links": LINKS, "texts": TEXTS, "encoded": ENCODED}
