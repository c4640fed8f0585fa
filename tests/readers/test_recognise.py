"""What a file is, whatever its name and its server say."""

import io
import zipfile

import pytest

from crawler.readers.kinds import Kind
from crawler.readers.recognise import recognise

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def kind_of(data: bytes, name: str = "", declared: str = "") -> Kind:
    return recognise(io.BytesIO(data), name, declared)


def zipped(*names: str, first: tuple[str, str] | None = None) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        if first is not None:
            archive.writestr(*first)
        for name in names:
            archive.writestr(name, "x")
    return file.getvalue()


def ole(*names: str) -> bytes:
    """The header of a compound file, and a directory with these streams in its first sector."""
    header = bytearray(512)
    header[:8] = OLE
    header[30:32] = (9).to_bytes(2, "little")
    entries = b""
    for name in ("Root Entry", *names):
        entry = bytearray(128)
        text = name.encode("utf-16-le")
        entry[: len(text)] = text
        entry[64:66] = (len(text) + 2).to_bytes(2, "little")
        entry[66] = 2
        entries += bytes(entry)
    return bytes(header) + entries


@pytest.mark.parametrize("data", [b"", b"  \n\t\r\n", b"\xef\xbb\xbf \n", bytes(5000)])
def test_nothing_but_blanks_or_zeros_is_empty(data):
    assert kind_of(data) is Kind.EMPTY
    assert kind_of("\n \n".encode("utf-16")) is Kind.EMPTY


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"%PDF-1.7 ...", Kind.PDF),
        (b"\r\n junk %PDF-1.4", Kind.PDF),
        (b"PAR1....PAR1", Kind.PARQUET),
        (b"PARE....PARE", Kind.PARQUET),
        (b"ARROW1\0\0", Kind.ARROW),
        (b"\x1f\x8b\x08", Kind.GZIP),
        (b"BZh91AY", Kind.BZIP2),
        (b"\xfd7zXZ\0", Kind.XZ),
        (b"7z\xbc\xaf\x27\x1c", Kind.SEVEN_ZIP),
        (b"{\\rtf1 text}", Kind.DOCUMENT),
        (b"\x89PNG\r\n\x1a\n" + bytes(50), Kind.BINARY),
        (b"SQLite format 3\0" + bytes(50), Kind.BINARY),
        (b"\x00\x01\x02\x03" * 10, Kind.BINARY),
        (b"MZ" + bytes(100), Kind.BINARY),
    ],
)
def test_magic_bytes_tell_the_kind(data, kind):
    assert kind_of(data, "data.csv", "text/csv") is kind


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (zipped("[Content_Types].xml", "xl/workbook.xml"), Kind.XLSX),
        (zipped("[Content_Types].xml", "xl/workbook.bin"), Kind.XLSB),
        (zipped("[Content_Types].xml", "word/document.xml"), Kind.DOCUMENT),
        (zipped("a.csv"), Kind.ZIP),
        (zipped(), Kind.ZIP),
        (zipped("xl/workbook.xml", "xl/worksheets/sheet1.xml")[:-60], Kind.XLSX),
        (b"PK\x03\x04 broken", Kind.ZIP),
        (ole("Workbook"), Kind.XLS),
        (ole("Book"), Kind.XLS),
        (ole("WordDocument"), Kind.DOCUMENT),
        (ole("EncryptedPackage"), Kind.XLSX),
        (ole("SomethingElse"), Kind.BINARY),
        (OLE + b"broken", Kind.XLS),
    ],
)
def test_containers_are_told_by_what_is_in_them(data, kind):
    assert kind_of(data) is kind


@pytest.mark.parametrize(("declared", "kind"), [("spreadsheet", Kind.ODS), ("text", Kind.DOCUMENT)])
def test_open_documents_say_what_they_are(declared, kind):
    mime = f"application/vnd.oasis.opendocument.{declared}"
    assert kind_of(zipped("content.xml", first=("mimetype", mime))) is kind


@pytest.mark.parametrize(
    "text",
    [
        "<!DOCTYPE html><html><p>404</p></html>",
        "\n<!-- comment -->\n<HTML><BODY>x",
        "<h1>Not found</h1>",
        "<br />\n<b>Warning</b>: something",
        "<table><tr><td>1</td></tr></table>",
        '<a href="/login">Log in</a>',
        "Warning: out of memory\n<!doctype html><html>",
        "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><body/></html>",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_pages_are_pages_whatever_they_are_called(text, encoding):
    assert kind_of(text.encode(encoding), "data.csv", "text/csv") is Kind.HTML


@pytest.mark.parametrize(
    "text",
    [
        "404 Not Found",
        "HTTP Error 503. The service is unavailable.",
        "Access denied",
        "An error occurred while processing your request.",
        "The requested URL was not found on this server.",
        "Error: no data",
        "ORA-01017: invalid username/password; logon denied",
        "Accès refusé",
        "Page non trouvée",
        "Une erreur est survenue, veuillez réessayer.",
        "Zugriff verweigert",
        "Die Datei wurde nicht gefunden.",
        "Es ist ein Fehler aufgetreten.",
        "Página no encontrada",
        "Se ha producido un error",
        "お探しのページは見つかりませんでした。",
        "アクセスが拒否されました",
        '{"error": "x"}',
        '{"error": {"code": 404, "message": "x"}}',
        '{"message": "Not found"}',
        '{"status": 404, "title": "Not Found", "type": "about:blank"}',
        '{"success": false, "message": "x"}',
        '{"errors": [{"code": 1}, {"code": 2}]}',
        "<?xml version='1.0'?><Error><Code>NoSuchKey</Code></Error>",
        "<ServiceExceptionReport><ServiceException/></ServiceExceptionReport>",
        "<s:Envelope xmlns:s='x'><s:Body><s:Fault/></s:Body></s:Envelope>",
        "<m:Error xmlns:m='http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message'/>",
    ],
)
def test_messages_of_servers_are_no_data(text):
    assert kind_of(text.encode(), "data.csv", "text/csv") is Kind.ERROR_MESSAGE


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Error rate,2020\n5,3\n", Kind.DELIMITED),
        ("501,abc,3\n", Kind.DELIMITED),
        ("Page,Views\nNot found,3\n", Kind.DELIMITED),
        ('{"error": null, "data": [{"a": 1}, {"a": 2}]}', Kind.JSON),
        ('{"status": "ok", "data": [{"a": 1}, {"a": 2}]}', Kind.JSON),
        ('{"message": "two rows", "items": [{"a": 1}, {"a": 2}]}', Kind.JSON),
        ("<?xml version='1.0'?><table><row/></table>", Kind.XML),
        ("<a><b/></a>", Kind.XML),
    ],
)
def test_data_about_errors_is_data(text, kind):
    assert kind_of(text.encode()) is kind


SDMX = "xmlns:m='http://www.sdmx.org/resources/sdmxml/schemas/v2_1/message'"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (f"<?xml version='1.0'?><!-- c --><m:GenericData {SDMX}/>", Kind.SDMX_ML),
        (f"<m:Structure {SDMX}/>", Kind.SDMX_ML),
        ("DATAFLOW,FREQ,OBS_VALUE\nX:Y(1.0),A,1\n", Kind.SDMX_CSV),
        ("STRUCTURE,STRUCTURE_ID,FREQ,OBS_VALUE\ndataflow,X:Y(1.0),A,1\n", Kind.SDMX_CSV),
        ("STRUCTURE[;],STRUCTURE_ID,A\ndataflow,X,1\n", Kind.SDMX_CSV),
        ('{"version": "2.0", "class": "dataset", "value": []}', Kind.JSON_STAT),
        ('{"dataset": {"dimension": {"a": {"category": {}}}, "value": [1]}}', Kind.JSON_STAT),
        ("[]", Kind.JSON),
        ('{"a": 1}\n{"a": 2}\n', Kind.JSON),
        ("[note] a sentence, and no JSON at all. It ends.", Kind.DOCUMENT),
    ],
)
def test_formats_of_statistics_are_told_by_their_structure(text, kind):
    assert kind_of(text.encode()) is kind


@pytest.mark.parametrize(
    "text",
    [
        "Hello world",
        "Hello world, this is a text.",
        "Chapter 1\n\nThe population, which grew in 2020, is large.\nIt will, then, grow.\n",
        "README\n======\n\nThis archive holds:\n- a.csv: births\n- b.csv: deaths\n\nCC-BY\n",
        "This is one line\nThis is another line of text\nAnd a third line here\n",
    ],
)
def test_prose_is_a_document(text):
    assert kind_of(text.encode()) is Kind.DOCUMENT


@pytest.mark.parametrize(
    "text",
    ["a,b\n1,2\n", "a;b;c\n", "value\n1\n2\n3\n", "code\nFR\nDE\nIT\n", "a b\n1 2\n3 4\n5 6\n"],
)
def test_tables_in_text_are_told_from_prose(text):
    assert kind_of(text.encode()) is Kind.DELIMITED


class _Counting(io.BytesIO):
    taken = 0

    def read(self, size: int | None = -1) -> bytes:
        data = super().read(size)
        self.taken += len(data)
        return data


def test_large_files_are_recognised_from_their_head():
    stream = _Counting(b"a,b\n" + b"1,2\n" * 5_000_000)
    assert recognise(stream) is Kind.DELIMITED
    assert stream.taken < 1_000_000
