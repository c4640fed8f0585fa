"""Pages that are hard to read; behind each of them is a file."""

from collections.abc import Iterator

from tests.web.bare_server import Exchange, Handler

TEN_MB = 10_000_000


def html(body: bytes, content_type: str = "text/html; charset=utf-8") -> Handler:
    return lambda x: x.whole("200 OK", body, content_type=content_type)


def link(path: str) -> bytes:
    return b'<p><a href="%s">data</a></p>' % path.encode()


def huge(x: Exchange) -> None:
    """Just under ten megabytes, with a link at either end."""
    first, last = link("/huge/first.csv"), link("/huge/last.csv")
    row = b"<tr><td>2020</td><td>1234567</td></tr>\n"
    rows = row * ((TEN_MB - len(first) - len(last) - 100) // len(row))
    body = b"<html><body>" + first + b"<table>" + rows + b"</table>" + last
    x.whole("200 OK", body, content_type="text/html")


def endless(x: Exchange) -> None:
    """A page of 1 GB without a declared length; what it links to comes early."""
    x.head(content_type="text/html", connection="close")
    x.send(b"<html><body>" + link("/endless-page/data.csv"))
    for piece in _paragraphs(1_000_000_000):
        x.send(piece)


def _paragraphs(size: int) -> Iterator[bytes]:
    block = b"<p>figures, figures, figures</p>\n" * 2000
    for _ in range(size // len(block)):
        yield block


NESTED = b"<div>" * 2000 + link("/nested/inner.csv") + b"</div>" * 2000
# The parser goes no deeper than about 2,000 tags; what comes before that is read.
TOO_NESTED = link("/too-nested/before.csv") + b"<div>" * 20_000 + link("/no.csv")
NULS = b"\0<html\0><body>\0\0" + link("/nul/data.csv") + b"\0" * 1000 + b"</body>"
WRONG_CHARSET = b'<meta charset="utf-16"><title>\xff\xfe\xc3\x28</title>\x80\x81' + link(
    "/charset/wrong.csv"
)
UTF_16 = "\ufeff<html><body><a href='/charset/sixteen.csv'>données</a></body></html>".encode(
    "utf-16-le"
)
TAG_SOUP = (
    b"<table><a href='/soup/data.csv'><b><p></a></i><td><!-- <a href=x>--><script>'</scr"
    b"<a href=/no.csv>'</script><font size=<<>>"
)

PAGES: dict[str, Handler] = {
    "/huge-page": huge,
    "/endless-page": endless,
    "/nested-page": html(NESTED + link("/nested/after.csv")),
    "/too-nested-page": html(TOO_NESTED),
    "/nul-page": html(NULS),
    "/wrong-charset": html(WRONG_CHARSET, "text/html; charset=klingon"),
    "/utf-16": html(UTF_16, "text/html"),
    "/tag-soup": html(TAG_SOUP),
    "/empty-page": html(b""),
    "/binary-page": html(bytes(range(256)) * 64),
}
PAGE_TARGETS = (
    "/huge/first.csv",
    "/huge/last.csv",
    "/endless-page/data.csv",
    "/nested/inner.csv",
    "/nested/after.csv",
    "/too-nested/before.csv",
    "/nul/data.csv",
    "/charset/wrong.csv",
    "/charset/sixteen.csv",
    "/soup/data.csv",
)
