"""Pages, targets and neither are told apart by header, name and content, in that order of trust."""

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.pages.file_name import extension_of, suggested_name
from crawler.pages.mime import Detected, MimeRules, UrlClass
from crawler.pages.mime_groups import DEFAULT_TARGETS, TARGET_GROUPS

SITE = "https://stat.example"
RULES = MimeRules()

PAPER_TYPES = [
    "application/csv",
    "application/json",
    "application/msword",
    "application/octet-stream",
    "application/pdf",
    "application/rdf+xml",
    "application/rss+xml",
    "application/vnd.ms-excel",
    "application/vnd.ms-excel.sheet.macroenabled.12",
    "application/vnd.oasis.opendocument.presentation",
    "application/vnd.oasis.opendocument.spreadsheet",
    "application/vnd.oasis.opendocument.text",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
    "application/vnd.rar",
    "application/x-7z-compressed",
    "application/x-csv",
    "application/x-gtar",
    "application/x-gzip",
    "application/xml",
    "application/x-pdf",
    "application/x-rar-compressed",
    "application/x-tar",
    "application/x-yaml",
    "application/x-zip-compressed",
    "application/yaml",
    "application/zip",
    "application/zip-compressed",
    "text/comma-separated-values",
    "text/csv",
    "text/json",
    "text/plain",
    "text/x-comma-separated-values",
    "text/x-csv",
    "text/x-yaml",
    "text/yaml",
]


def zipped(*names: str, mimetype: str = "") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        if mimetype:
            archive.writestr("mimetype", mimetype)
        for name in names:
            archive.writestr(name, "<x/>")
    return buffer.getvalue()[:4096]


def test_the_38_types_of_the_paper_are_targets() -> None:
    assert len(PAPER_TYPES) == 38
    everything = MimeRules(TARGET_GROUPS)
    for mime in PAPER_TYPES:
        assert everything.classify(f"{SITE}/x", mime).url_class is UrlClass.TARGET, mime


def test_feeds_are_targets_only_on_request() -> None:
    assert set(DEFAULT_TARGETS) == set(TARGET_GROUPS) - {"feed"}
    assert RULES.classify(f"{SITE}/x", "application/rss+xml").url_class is UrlClass.NEITHER
    asked = MimeRules(["feed"])
    assert asked.classify(f"{SITE}/x", "application/rss+xml").group == "feed"


def test_no_type_and_no_extension_is_in_two_groups() -> None:
    mimes = [mime for group in TARGET_GROUPS.values() for mime in group.mimes]
    extensions = [name for group in TARGET_GROUPS.values() for name in group.extensions]
    assert len(mimes) == len(set(mimes))
    assert len(extensions) == len(set(extensions))


@pytest.mark.parametrize(
    ("content_type", "url_class", "group"),
    [
        ("text/html", UrlClass.HTML, None),
        ("Text/HTML; charset=utf-8", UrlClass.HTML, None),
        ("application/xhtml+xml", UrlClass.HTML, None),
        ("text/html, text/html", UrlClass.HTML, None),
        ("TEXT/CSV;header=present", UrlClass.TARGET, "csv"),
        ("application/vnd.sdmx.genericdata+xml;version=2.1", UrlClass.TARGET, "sdmx"),
        ("application/vnd.sdmx.data+json", UrlClass.TARGET, "sdmx"),
        ("application/geo+json", UrlClass.TARGET, "json"),
        ("text/xml", UrlClass.TARGET, "xml"),
        ("image/png", UrlClass.NEITHER, None),
        ("video/mp4", UrlClass.NEITHER, None),
        ("text/css", UrlClass.NEITHER, None),
    ],
)
def test_a_specific_type_is_trusted(
    content_type: str, url_class: UrlClass, group: str | None
) -> None:
    found = RULES.classify(f"{SITE}/a.pdf", content_type, "attachment; filename=a.doc", b"%PDF-1.4")
    assert (found.url_class, found.group) == (url_class, group)
    assert found.detected_by is Detected.HEADER


@pytest.mark.parametrize(
    ("url", "disposition", "group"),
    [
        ("/a.csv", "", "csv"),
        ("/a.XLSX?x=1.pdf", "", "excel"),
        ("/a.ods", "", "ods"),
        ("/get", 'attachment; filename="births.csv"', "csv"),
        ("/get.php", "attachment; filename=births.json", "json"),
        ("/get", "attachment; filename*=UTF-8''na%C3%AFve%20file.parquet", "parquet"),
        ("/a.csv", "attachment; filename=download", "csv"),
    ],
)
@pytest.mark.parametrize("content_type", ["", "application/octet-stream", "text/plain", "nonsense"])
def test_names_tell_what_a_vague_type_does_not(
    url: str, disposition: str, group: str, content_type: str
) -> None:
    found = RULES.classify(SITE + url, content_type, disposition)
    assert (found.url_class, found.group) == (UrlClass.TARGET, group)
    assert found.detected_by is Detected.EXTENSION


@pytest.mark.parametrize(
    ("data", "group"),
    [
        (b"%PDF-1.7\n", "pdf"),
        (b"PAR1\x15\0", "parquet"),
        (b"\x1f\x8b\x08\0", "archive"),
        (b"7z\xbc\xaf\x27\x1c\0", "archive"),
        (b"Rar!\x1a\x07\x01", "archive"),
        (b"BZh91AY", "archive"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0", "excel"),
        (b'  {"a": 1}', "json"),
        (b"[1, 2", "json"),
        (b"\xef\xbb\xbf[\n {", "json"),
        (b"<?xml version='1.0'?><data/>", "xml"),
        (b"<?xml version='1.0'?><rdf:RDF xmlns:rdf='x'>", "rdf"),
        (
            b"<?xml version='1.0'?><mes:GenericData "
            b"xmlns:mes='http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message'>",
            "sdmx",
        ),
        (b"$FL2@(#) SPSS DATA FILE", "statistical"),
        (b"SQLite format 3\0", "statistical"),
        (zipped("a.csv"), "archive"),
        (zipped("[Content_Types].xml", "xl/workbook.xml"), "excel"),
        (zipped("[Content_Types].xml", "word/document.xml"), "document"),
        (zipped("[Content_Types].xml", "ppt/slides.xml"), "document"),
        (zipped("x", mimetype="application/vnd.oasis.opendocument.spreadsheet"), "ods"),
        (zipped("x", mimetype="application/vnd.oasis.opendocument.text"), "document"),
    ],
)
@pytest.mark.parametrize("content_type", ["", "application/force-download", "text/plain"])
def test_content_tells_what_neither_header_nor_name_does(
    data: bytes, group: str, content_type: str
) -> None:
    found = RULES.classify(f"{SITE}/get", content_type, "", data)
    assert (found.url_class, found.group) == (UrlClass.TARGET, group)
    assert found.detected_by is Detected.CONTENT


@pytest.mark.parametrize(
    "data",
    [
        b"<!DOCTYPE html><html>",
        b"\n\n  <html lang=en>",
        b"\xef\xbb\xbf<!doctype HTML public>",
        b"<!-- saved -->\n<head>",
        b"<?xml version='1.0'?>\n<html xmlns='x'>",
        b"<h1>404</h1>",
    ],
)
@pytest.mark.parametrize("content_type", ["", "application/octet-stream", "text/plain"])
def test_an_error_page_under_the_name_of_a_table_is_a_page(data: bytes, content_type: str) -> None:
    found = RULES.classify(f"{SITE}/a.csv", content_type, "attachment; filename=a.csv", data)
    assert (found.url_class, found.detected_by) == (UrlClass.HTML, Detected.CONTENT)


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n",
        b"\xff\xd8\xff\xe0",
        b"GIF89a",
        b"RIFF\0\0\0\0WEBP",
        b"\0\0\0\x18ftypmp42",
        b"ID3\x03\0",
        b"OggS\0",
        b"wOF2\0",
        b"\0\x01\0\0\0\x0f",
        b"MZ\x90\0\x03",
        b"\x7fELF\x02",
        b"BM\x36\0\0\0\0\0\0\0",
        b"<svg xmlns='x'>",
    ],
)
def test_media_and_programs_are_neither(data: bytes) -> None:
    found = RULES.classify(f"{SITE}/get", "application/octet-stream", "", data)
    assert (found.url_class, found.detected_by) == (UrlClass.NEITHER, Detected.CONTENT)


@pytest.mark.parametrize(
    ("url", "data", "group", "detected_by"),
    [
        ("/a.xlsx", zipped("a"), "excel", Detected.EXTENSION),
        ("/a.docx", zipped("a"), "document", Detected.EXTENSION),
        ("/a.csv", zipped("a"), "archive", Detected.CONTENT),
        ("/a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "document", Detected.EXTENSION),
        ("/a.rds", b"\x1f\x8b\x08", "statistical", Detected.EXTENSION),
        ("/a.geojson", b'{"type": 1}', "json", Detected.EXTENSION),
        ("/a.csv", b"[1],[2]\n", "csv", Detected.EXTENSION),
        ("/a.csv", b"%PDF-1.4", "pdf", Detected.CONTENT),
        ("/a.csv", b"MZ,Mozambique\n", "csv", Detected.EXTENSION),
        ("/a.csv", b"a;b\n", "csv", Detected.EXTENSION),
    ],
)
def test_name_and_content_together(
    url: str, data: bytes, group: str, detected_by: Detected
) -> None:
    found = RULES.classify(SITE + url, "application/octet-stream", "", data)
    assert (found.group, found.detected_by) == (group, detected_by)


def test_a_program_in_a_container_is_no_archive() -> None:
    for url in ("/a.apk", "/a.jar"):
        found = RULES.classify(SITE + url, "application/octet-stream", "", zipped("a"))
        assert found.url_class is UrlClass.NEITHER
    assert RULES.classify(f"{SITE}/a.exe", "application/octet-stream").url_class is UrlClass.NEITHER


@pytest.mark.parametrize(
    ("content_type", "data", "url_class", "group"),
    [
        ("text/plain", b"year total\n", UrlClass.TARGET, "text"),
        ("text/plain", b"", UrlClass.TARGET, "text"),
        ("application/octet-stream", b"", UrlClass.TARGET, "binary"),
        ("binary/octet-stream", b"\0\x01\x02\x03", UrlClass.TARGET, "binary"),
        ("", b"a;b\n1;2\n", UrlClass.TARGET, "text"),
        ("", b"\x05\0\x01", UrlClass.TARGET, "binary"),
        ("", b"", UrlClass.NEITHER, None),
    ],
)
def test_where_nothing_tells_the_vague_type_stands(
    content_type: str, data: bytes, url_class: UrlClass, group: str | None
) -> None:
    found = RULES.classify(f"{SITE}/get", content_type, "", data)
    assert (found.url_class, found.group) == (url_class, group)


def test_a_site_may_want_a_few_types_only() -> None:
    rules = MimeRules(["csv", "application/pdf", "application/vnd.sdmx.*", "image/svg+xml"])
    assert rules.classify(f"{SITE}/x", "text/csv").group == "csv"
    assert rules.classify(f"{SITE}/x", "application/pdf").group == "pdf"
    assert rules.classify(f"{SITE}/x", "application/x-pdf").url_class is UrlClass.NEITHER
    assert rules.classify(f"{SITE}/x", "application/vnd.sdmx.data+json").group == "sdmx"
    assert rules.classify(f"{SITE}/x", "image/svg+xml").group == "other"
    assert rules.classify(f"{SITE}/x", "application/json").url_class is UrlClass.NEITHER
    assert rules.classify(f"{SITE}/x", "application/octet-stream").url_class is UrlClass.NEITHER
    assert rules.data_extension(f"{SITE}/a.pdf") == "pdf"
    assert rules.data_extension(f"{SITE}/a.json") is None
    assert not rules.is_media(f"{SITE}/a.svg")
    assert MimeRules(["application/*"]).classify(f"{SITE}/x", "application/pdf").group == "pdf"


def test_an_unknown_group_is_told_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"'exel' is neither .*excel"):
        MimeRules(["exel"])
    assert {"csv", "excel", "statistical", "feed"} <= set(TARGET_GROUPS)


@pytest.mark.parametrize(
    ("url", "media", "group"),
    [
        ("/a.PNG", True, None),
        ("/style.css?v=1", True, None),
        ("/app.js", True, None),
        ("/events.ics", True, None),
        ("/a.csv", False, "csv"),
        ("/a.zip?x", False, "archive"),
        ("/a.html", False, None),
        ("/a.php?f=x.png", False, None),
        ("/png", False, None),
        ("/a.csv;jsessionid=1", False, "csv"),
        ("/a%2Ecsv", False, "csv"),
        ("", False, None),
    ],
)
def test_extensions_tell_media_and_data(url: str, media: bool, group: str | None) -> None:
    assert RULES.is_media(SITE + url) is media
    assert RULES.data_extension(SITE + url) == group


@pytest.mark.parametrize(
    ("url", "extension"),
    [
        ("https://stat.zip", ""),
        ("https://stat.zip/", ""),
        ("https://stat.example/v1.2/data", ""),
        ("https://stat.example/a.tar.gz#x", "gz"),
        ("https://stat.example/.csv", ""),
        ("https://stat.example/a.", ""),
        ("https://stat.example/a.b c", ""),
        ("https://stat.example?x=/a.csv", ""),
    ],
)
def test_the_extension_is_that_of_the_path(url: str, extension: str) -> None:
    assert extension_of(url) == extension


@pytest.mark.parametrize(
    ("disposition", "name"),
    [
        ('attachment; filename="a b.csv"', "a b.csv"),
        ("attachment; filename=a.csv; size=3", "a.csv"),
        ("attachment;filename='a.csv'", "a.csv"),
        ('attachment; filename="a\\"b.csv"', 'a"b.csv'),
        ("attachment; filename=x.txt; filename*=UTF-8''d%C3%A9c%C3%A8s.csv", "décès.csv"),
        ("attachment; filename*=iso-8859-1'fr'd%E9c%E8s.csv", "décès.csv"),
        ('attachment; filename="../../etc/passwd"', "passwd"),
        ('attachment; filename="C:\\\\tmp\\\\a.csv"', "a.csv"),
        ('attachment; filename="a\x00\u202ecsv.exe"', "acsv.exe"),
        ('attachment; filename="unclosed.csv', "unclosed.csv"),
        ("inline", ""),
        ("", ""),
    ],
)
def test_the_suggested_name_is_read_safely(disposition: str, name: str) -> None:
    assert suggested_name(disposition) == name


@given(st.text(), st.text(), st.text(), st.binary())
def test_any_answer_is_classified(url: str, content_type: str, header: str, data: bytes) -> None:
    for disposition in (header, f"attachment; filename={header}", f"x; filename*=UTF-8''{header}"):
        found = RULES.classify(url, content_type, disposition, data)
        assert (found.group is not None) == (found.url_class is UrlClass.TARGET)
        name = suggested_name(disposition)
        assert "/" not in name
        assert len(name) <= 255
    assert isinstance(RULES.is_media(url), bool)
