"""Pages give their links in order, with tag paths and anchors, whatever bytes they are made of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.pages.html import MAX_LINKS, LinkRel, Page, PageReader
from crawler.pages.urls import canonical, fingerprint, resolve

URL = "https://stat.example/data/index.html?x=1"


def read(html: str | bytes, url: str = URL, content_type: str = "") -> Page:
    body = html.encode() if isinstance(html, str) else html
    return PageReader().read(body, url, content_type)


def urls(html: str, url: str = URL) -> list[str]:
    return [link.url for link in read(html, url).links]


def test_the_paper_s_example_of_a_tag_path() -> None:
    page = read(
        "<html><body><div id='main'><ul class='datasets'><li><a href='a.csv'>A</a></ul></div>"
    )
    assert page.links[0].tag_path == "html body div#main ul.datasets li a"


def test_links_come_from_all_that_leads_on_in_document_order() -> None:
    page = read(
        """<html><head><link rel=next href=n><link rel="prev" href=p>
        <meta http-equiv=Refresh content="5; URL='r'"></head><body>
        <iframe src=i></iframe><a href=a>A</a><map><area href=m></map>
        <img src=no><link rel=stylesheet href=no.css><form action=no></form></body></html>"""
    )
    assert [(link.url.rpartition("/")[2], link.rel) for link in page.links] == [
        ("n", LinkRel.NEXT),
        ("p", LinkRel.PREV),
        ("r", LinkRel.REFRESH),
        ("i", LinkRel.ANCHOR),
        ("a", LinkRel.ANCHOR),
        ("m", LinkRel.ANCHOR),
    ]


def test_frames_of_a_frameset_are_links() -> None:
    html = "<html><frameset><frame src=left.html><frame src=right.html></frameset></html>"
    assert urls(html) == [
        "https://stat.example/data/left.html",
        "https://stat.example/data/right.html",
    ]


@pytest.mark.parametrize(
    ("attributes", "kept"),
    [
        ("rel=alternate", True),
        ("rel=alternate hreflang=fr", True),
        ("rel='ALTERNATE' type='application/rss+xml'", True),
        ("rel=alternate type=text/csv", True),
        ("rel=alternate type='application/ld+json'", True),
        ("rel=alternate type='application/json+oembed'", False),
        ("rel='alternate stylesheet'", False),
        ("rel=alternate type=image/png", False),
        ("rel=canonical", False),
        ("rel=icon", False),
        ("", False),
    ],
)
def test_alternates_are_links_when_they_are_pages_feeds_or_data(
    attributes: str, kept: bool
) -> None:
    assert bool(urls(f"<head><link {attributes} href=/x></head>")) is kept


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0;url=/a", "https://stat.example/a"),
        ("0; URL = '/a b'", "https://stat.example/a%20b"),
        ('5,"/a"', "https://stat.example/a"),
        ("5", None),
        ("", None),
        ("0;url=", None),
        ("0;url=javascript:x", None),
    ],
)
def test_meta_refresh(content: str, target: str | None) -> None:
    html = f"<meta http-equiv=refresh content='{content.replace(chr(39), '&#39;')}'>"
    assert urls(html) == ([target] if target else [])


def test_the_first_base_with_an_address_counts() -> None:
    html = "<head><base target=x><base href='/b/'><base href='/c/'></head><a href=a>A</a>"
    assert urls(html) == ["https://stat.example/b/a"]


@pytest.mark.parametrize("base", ["javascript:x", "http://[", "mailto:x"])
def test_a_bad_base_is_ignored(base: str) -> None:
    assert urls(f"<base href='{base}'><a href=a>A</a>") == ["https://stat.example/data/a"]


def test_the_same_page_twice_is_one_link_the_first() -> None:
    page = read("<p><a href=/a>One</a><b><a href='/a?utm_source=x#y'>Two</a></b><a href=/b>B</a>")
    assert [(link.url, link.anchor) for link in page.links] == [
        ("https://stat.example/a", "One"),
        ("https://stat.example/b", "B"),
    ]


def test_links_are_requested_as_found_and_known_by_their_canonical_form() -> None:
    link = read("<a href='/A%7e?utm_source=x&b=1'>A</a>").links[0]
    assert link.url == "https://stat.example/A%7e?utm_source=x&b=1"
    assert link.fingerprint == fingerprint("https://stat.example/A~?b=1")


def test_nofollow_links_are_links() -> None:
    assert urls("<a rel=nofollow href=/a>A</a>") == ["https://stat.example/a"]


def test_what_cannot_be_requested_is_no_link() -> None:
    assert (
        urls("<a href='javascript:x'>x</a><a href='mailto:x'>x</a><a name=x>x</a><a href=#x>") == []
    )


def test_the_cache_never_mixes_up_pages() -> None:
    reader = PageReader()
    hrefs = ["a", "/a", "?a", "", "//h.example/a", "http:a", "http:?q", "https:x", " ?b", "../a"]
    hrefs += ["./a", "\\a", "http://h.example/a", "%2e%2e/a", "a:b", "\t/a", "javascript:x", ";a"]
    body = "".join(f"<p><a href='{href}'>x</a>" for href in hrefs).encode()
    pages = [
        "https://stat.example/data/index.html?x=1",
        "https://stat.example/data/other.html",
        "http://stat.example/data/",
        "http://stat.example:8000/",
        "https://www.stat.example/a/b/c?d/e",
    ]
    for page_url in pages * 2:
        expected = dict.fromkeys(url for href in hrefs if (url := resolve(page_url, href)))
        known = {canonical(url): url for url in reversed(expected)}
        found = [link.url for link in reader.read(body, page_url).links]
        assert found == [url for url in expected if known[canonical(url)] == url]


@pytest.mark.slow
def test_a_full_cache_changes_nothing() -> None:
    reader = PageReader()
    bodies = [
        "".join(f"<a href=/{part}{n}>x</a>" for n in range(MAX_LINKS)).encode() for part in "abc"
    ]
    first = [[link.fingerprint for link in reader.read(body, URL).links] for body in bodies]
    assert [len(prints) for prints in first] == [MAX_LINKS] * 3
    again = [[link.fingerprint for link in reader.read(body, URL).links] for body in bodies]
    assert again == first


@pytest.mark.parametrize(
    ("html", "anchor"),
    [
        ("<a href=x> Births \n and <b>deaths</b>, 2024 </a>", "Births and deaths, 2024"),
        ("<a href=x><div>Title</div><div>Text</div></a>", "Title Text"),
        ("<a href=x>A<script>var x</script>B<style>c</style></a>", "AB"),
        ("<a href=x>A<!-- no -->B</a>", "AB"),
        ("<a href=x title='The title'><img src=y alt='The image'></a>", "The title"),
        ("<a href=x aria-label='The label'></a>", "The label"),
        ("<a href=x><span><img src=y alt=' The image '></span></a>", "The image"),
        ("<map><area href=x alt='The area'></map>", "The area"),
        ("<a href=x></a>", ""),
    ],
)
def test_the_anchor_is_what_a_visitor_reads(html: str, anchor: str) -> None:
    assert read(html).links[0].anchor == anchor


def test_anchors_and_titles_are_bounded() -> None:
    page = read(f"<title>{'t ' * 9999}</title><a href=x>{'<i>word </i>' * 9999}</a>")
    assert len(page.links[0].anchor) in (299, 300)
    assert len(page.title) in (299, 300)


@pytest.mark.parametrize(
    ("attributes", "label"),
    [
        ("class=' a \n b\tc '", "a.a.b.c"),
        ("id='x y'", "a#xy"),
        ("id=x class=y", "a#x.y"),
        ("id='' class='  '", "a"),
        (f"id={'i' * 99} class={'c' * 99}", f"a#{'i' * 64}.{'c' * 64}"),
        ("class='b\xa0c'", "a.b.c"),
    ],
)
def test_labels_have_no_spaces_and_bounded_names(attributes: str, label: str) -> None:
    assert read(f"<a href=x {attributes}>x</a>").links[0].tag_path == f"html body {label}"


def test_the_classes_of_one_tag_are_bounded() -> None:
    path = read(f"<a href=x class='{'name ' * 500}'>x</a>").links[0].tag_path
    assert len(path) < 300


def test_siblings_and_cousins_have_their_own_paths() -> None:
    page = read("<div id=a><p><a href=1>x</a><i><a href=2>x</a></i></p></div><div id=b><a href=3>")
    assert [link.tag_path for link in page.links] == [
        "html body div#a p a",
        "html body div#a p i a",
        "html body div#b a",
    ]
    assert page.links[0].tag_path == "html body div#a p a"


@pytest.mark.parametrize("depth", [97, 98, 99, 100, 150, 197])
def test_paths_up_to_200_tags_are_whole(depth: int) -> None:
    html = "".join(f"<div id=d{n}>" for n in range(depth)) + "<a href=x>x</a>"
    tags = " ".join(f"div#d{n}" for n in range(depth))
    assert read(html).links[0].tag_path == f"html body {tags} a"


@pytest.mark.parametrize("depth", [198, 250, 1500])
def test_deeper_paths_keep_both_their_ends(depth: int) -> None:
    html = "".join(f"<div id=d{n}>" for n in range(depth)) + "<a href=x>x</a><b><a href=y>y</a>"
    page = read(html)
    for link, end in zip(page.links, ("a", "b a"), strict=True):
        tags = link.tag_path.split(" ")
        assert len(tags) == 200
        assert tags[:3] == ["html", "body", "div#d0"]
        assert tags[99] == "div#d97"
        assert link.tag_path.endswith(f"div#d{depth - 1} {end}")


def test_title_language_and_feeds() -> None:
    page = read(
        """<html lang=" pt-BR "><head><title>
        Births  &amp; deaths</title><link rel=alternate type=application/rss+xml href=/feed>
        <link rel=alternate type=application/atom+xml href=/atom>
        <link rel=alternate type=text/csv href=/x.csv></head></html>"""
    )
    assert page.title == "Births & deaths"
    assert page.language == "pt-BR"
    assert page.feeds == ["https://stat.example/feed", "https://stat.example/atom"]
    assert read("<html xml:lang=fr><p>x").language == "fr"


def test_the_visible_text_shows_a_page_that_needs_javascript() -> None:
    empty = read(
        "<html><head><title>App</title><style>x{}</style></head><body><div id=root></div>"
        f"<noscript><p>Please enable JavaScript</p></noscript><script>{'x' * 9999}</script></body>"
    )
    assert empty.text_length == 0
    assert read("<body><p>Twelve <b>chars</b>!<script>x</script>&nbsp;</p>").text_length == 12
    assert read("").text_length == 0


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("<title>Démographie</title>".encode(), ""),
        (b"\xef\xbb\xbf" + "<title>Démographie</title>".encode(), "text/html; charset=latin1"),
        ("<title>Démographie</title>".encode("utf-16"), "text/html"),
        ("<title>Démographie</title>".encode("utf-16-be"), "text/html; charset=UTF-16BE"),
        ("<title>Démographie</title>".encode("latin-1"), ""),
        ("<title>Démographie</title>".encode("latin-1"), 'text/html; charset="ISO-8859-1"'),
        ("<meta charset=latin1><title>Démographie</title>".encode("latin-1"), "text/html"),
        ("<meta charset=klingon><title>Démographie</title>".encode("latin-1"), "text/html"),
        ("<meta charset=utf-16><title>Démographie</title>".encode(), "text/html"),
        ("<meta charset=latin1><title>Démographie</title>".encode(), "text/html;charset=utf8"),
        ("<title>Démographie</title>".encode(), "text/html; charset=rot13"),
        ("<title>Démographie</title>".encode("mac-roman"), "text/html; charset=macintosh"),
    ],
)
def test_the_encoding_is_found(body: bytes, content_type: str) -> None:
    assert read(body, content_type=content_type).title == "Démographie"


@pytest.mark.parametrize(
    ("charset", "title"),
    [("shift_jis", "統計"), ("gb2312", "统计"), ("euc-kr", "통계"), ("windows-1251", "Статистика")],
)
def test_pages_of_the_world_are_read(charset: str, title: str) -> None:
    body = f"<meta charset={charset}><title>{title}</title><a href='/{title}'>x</a>".encode(charset)
    page = read(body)
    assert page.title == title
    assert page.links[0].url == resolve(URL, f"/{title}")


@pytest.mark.parametrize("charset", ["windows-1252", "shift_jis", "gbk", "euc-jp", "utf-8", "big5"])
def test_a_wrong_byte_does_not_end_a_page(charset: str) -> None:
    body = b"<p>\x81\xff\xfe\x8d \xff</p><p>x</p><a href=/after>x</a>"
    page = read(body, content_type=f"text/html; charset={charset}")
    assert [link.url for link in page.links] == ["https://stat.example/after"]


def test_a_page_cut_inside_of_a_character_is_still_utf8() -> None:
    body = "<title>Données</title><a href=/é>é".encode()[:-1]
    page = read(body)
    assert page.title == "Données"
    assert page.links[0].url == "https://stat.example/%C3%A9"


@pytest.mark.parametrize(
    "body", [b"", b" ", b"\0", b"<!-- x -->", b"<?xml?>", b"\xff\xfe", b"%PDF-1.4\n\xff", b"<"]
)
def test_bytes_without_links_give_a_page_without_links(body: bytes) -> None:
    page = read(body)
    assert page.links == []
    assert (page.title, page.language, page.feeds) == ("", "", [])
    assert page.text_length >= 0


def test_nul_bytes_do_not_hide_what_follows() -> None:
    assert urls("<p>a\0b<a href='/x'>x</a>\0<a href=/y>y</a>") == [
        "https://stat.example/x",
        "https://stat.example/y",
    ]


def test_hundred_thousand_nested_tags_end() -> None:
    page = read("<a href=/first>x</a>" + "<div>" * 100_000 + "<a href=/deep>x</a>")
    assert page.links[0].url == "https://stat.example/first"
    assert page.text_length >= 1


def test_unclosed_tags_do_not_hide_what_follows() -> None:
    assert urls("<p><font>" * 900 + "<a href=/after>x</a>") == ["https://stat.example/after"]


@pytest.mark.slow
def test_a_page_of_ten_megabytes_is_read() -> None:
    row = f"<tr><td class=x>{'<b>1 234</b> ' * 40}</td><td><a href='/t/%d'>table</a></td></tr>"
    body = ("<table>" + "".join(row % n for n in range(20_000)) + "</table>").encode()
    assert len(body) > 10_000_000
    page = read(body)
    assert len(page.links) == 20_000
    assert page.links[-1].tag_path == "html body table tr td a"


def test_a_tag_of_a_megabyte_of_attributes_ends() -> None:
    attributes = " ".join(f"a{n}=1" for n in range(150_000))
    page = read(f"<a href=/before>x</a><p {attributes}>x</p><a href=/after>x</a>")
    assert [link.url for link in page.links] == [
        "https://stat.example/before",
        "https://stat.example/after",
    ]


def test_large_scripts_and_images_inside_of_a_page_are_left_alone() -> None:
    script = "<script>" + '{"a": 1, ' * 20_000 + "</script>"
    image = f"<img src='data:image/png;base64,{'A' * 100_000}'>"
    text = "<pre>" + "word " * 20_000 + "</pre>"
    page = read(f"{script}{image}{text}<a href=/after>x</a>")
    assert [link.url for link in page.links] == ["https://stat.example/after"]
    assert page.text_length > 99_000


_PIECES = st.one_of(
    st.sampled_from(["<a href=x>", "<a href='", "</a>", "<div id=a class='b c'>", "</div>"]),
    st.sampled_from(["<base href=", "//", "<table>", "<tr>", "<frameset>", "<frame src=f>"]),
    st.sampled_from(["<iframe src='?x'>", "<svg>", "<html>", "<link rel=next href=n>", "<head>"]),
    st.sampled_from(["<meta http-equiv=refresh content='0;url=r'>", "<!--", "-->", "<![CDATA["]),
    st.sampled_from(["<?x ", ">", "'", '"', "&amp;", "&#0;", "\0", "é", "http://h/", "<title>"]),
    st.sampled_from(["<a href='http://[x/'>", "<script>", "</script>", "<area href=z>"]),
)
_MARKUP = st.lists(_PIECES, max_size=25).map(lambda pieces: "".join(pieces).encode())


@given(st.one_of(st.binary(), _MARKUP), st.one_of(st.just(URL), st.text()), st.text())
def test_any_bytes_are_read(body: bytes, url: str, content_type: str) -> None:
    page = read(body, url, content_type)
    assert isinstance(page.title + page.language, str)
    assert page.text_length >= 0
    assert len({link.fingerprint for link in page.links}) == len(page.links)
    for link in page.links:
        assert link.url.startswith(("http://", "https://"))
        assert resolve("", link.url) == link.url
        assert link.fingerprint == fingerprint(canonical(link.url))
        assert len(link.anchor) <= 300
        tags = link.tag_path.split(" ")
        assert tags[0].partition("#")[0].partition(".")[0] == "html"
        tag = tags[-1].partition("#")[0].partition(".")[0]
        assert tag in {"a", "area", "iframe", "frame", "link", "meta"}


def test_text_of_a_page_is_what_a_visitor_sees_and_bounded():
    body = (
        b"<html><head><title>no</title></head><body><p>Births<script>no()</script> by <b>re</b>gion"
        b"</p><ul><li>2024<li>2025</ul><style>no</style></body></html>"
    )
    page = PageReader().read(body, "https://stat.example/")
    assert page.text.split() == ["Births", "by", "region", "2024", "2025"]
    long = PageReader().read(b"<p>" + b"word " * 100_000, "https://stat.example/")
    assert len(long.text) == 200_000
    assert PageReader().read(b"", "https://stat.example/").text == ""
