"""A few inputs to start from, made here so that no corpus has to be kept."""

import gzip
import io
import zipfile

_CSV = b"region,year,births\nNord,2024,17\nOst,2024,18\n"


def _zip() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.csv", _CSV)
    return packed.getvalue()


SEEDS: dict[str, tuple[bytes, ...]] = {
    "robots": (
        b"User-agent: *\nDisallow: /a*b$\nAllow: /\nCrawl-delay: 2\nSitemap: https://a/b\nx",
        b"\xef\xbb\xbfuser agent tallyho\ndisallow /%7Ea?b=*\n%7ea?b=1",
    ),
    "html": (
        b"<html><head><title>T</title><base href=/x/></head><body><a href=a.csv class=b id=c>d</a>",
        b"<meta http-equiv=refresh content='5; url=b'><iframe src=c></iframe><a href='http://[::1]'>",
    ),
    "urls": (b"../a;b?c=d&e#f", b"//www.Example.org:443/%7Ea//./..", b"http://\xc3\xa9.example/ "),
    "yaml": (
        b"start_url: https://a.example/\nbudget: {requests: 5}\nscope:\n  exclude: ['(a+)+$']\n",
        b"a: &x [1, 2]\nb: *x\nc: !!python/object:os.system {}\n",
    ),
    "readers": (
        _CSV,
        gzip.compress(_CSV),
        _zip(),
        b'{"data": [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]}',
        b"<?xml version='1.0'?><rows><row><a>1</a></row><row><a>2</a></row></rows>",
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF",
        b"PAR1\x15\x04\x15\x10PAR1",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504),
    ),
}
