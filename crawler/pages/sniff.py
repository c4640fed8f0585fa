"""What a file is by its first bytes, for servers that do not say."""

import re

_HTML = re.compile(
    rb"\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--.{0,1000}?-->\s*){0,5}"
    rb"<(?:!doctype\s+html|html|head|body|title|meta|link|script|style|table|div|h1|br|p|a|iframe)"
    rb"(?=[\s>/])",
    re.IGNORECASE | re.DOTALL,
)
_JSON = re.compile(rb"\s*(?:\{\s*(?:\"|\}|\Z)|\[\s*(?:[\[{\"\]0-9-]|true|false|null|\Z))")
_XML_ROOT = re.compile(rb"<(?:[A-Za-z_][\w.-]{0,60}:)?([A-Za-z_][\w.-]{0,60})")
_BOM = b"\xef\xbb\xbf"

_MAGIC = (
    (b"%PDF-", "application/pdf"),
    (b"PAR1", "application/vnd.apache.parquet"),
    (b"ARROW1\0\0", "application/vnd.apache.arrow.file"),
    (b"\x1f\x8b", "application/gzip"),
    (b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (b"Rar!\x1a\x07", "application/vnd.rar"),
    (b"BZh", "application/x-bzip2"),
    (b"\xfd7zXZ\0", "application/x-xz"),
    (b"\x28\xb5\x2f\xfd", "application/zstd"),
    (b"{\\rtf", "application/rtf"),
    (b"$FL2", "application/x-spss-sav"),
    (b"$FL3", "application/x-spss-sav"),
    (b"<stata_dta>", "application/x-stata-dta"),
    (b"SQLite format 3\0", "application/vnd.sqlite3"),
    (b"\0\x01\0\0Standard ", "application/x-msaccess"),
    (b"CDF\x01", "application/x-netcdf"),
    (b"CDF\x02", "application/x-netcdf"),
    (b"\x89HDF\r\n\x1a\n", "application/x-hdf5"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"\0\0\x01\0", "image/x-icon"),
    (b"\x1aE\xdf\xa3", "video/webm"),
    (b"FLV\x01", "video/x-flv"),
    (b"OggS\0", "audio/ogg"),
    (b"fLaC\0", "audio/flac"),
    (b"ID3\x02", "audio/mpeg"),
    (b"ID3\x03", "audio/mpeg"),
    (b"ID3\x04", "audio/mpeg"),
    (b"\xff\xfb", "audio/mpeg"),
    (b"wOFF", "font/woff"),
    (b"wOF2", "font/woff2"),
    (b"OTTO\0", "font/otf"),
    (b"\0\x01\0\0\0", "font/ttf"),
    (b"\x7fELF", "application/x-elf"),
    (b"\xca\xfe\xba\xbe", "application/java-vm"),
    (b"dex\n03", "application/vnd.android.dex"),
)
OLE = "application/x-ole-storage"
_OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP_MAGIC = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_OOXML = "application/vnd.openxmlformats-officedocument."
_SDMX = "application/vnd.sdmx."


def sniff(data: bytes) -> str | None:
    """The MIME type that the first bytes tell, or None where they tell nothing."""
    if data.startswith(_ZIP_MAGIC):
        return _zip(data)
    if data.startswith(_OLE_MAGIC):
        return OLE
    for magic, mime in _MAGIC:
        if data.startswith(magic):
            return mime
    return _structured_magic(data) or _markup(data.removeprefix(_BOM))


def looks_like_text(data: bytes) -> bool:
    """Whether the first bytes could be text in some encoding."""
    return data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" not in data


def _structured_magic(data: bytes) -> str | None:
    if data[:4] == b"RIFF":
        return {b"WEBP": "image/webp", b"WAVE": "audio/wav"}.get(data[8:12], "video/x-msvideo")
    if data[4:8] == b"ftyp":
        return "video/mp4"
    # Two letters may also begin a table; a program or a bitmap has zeros soon after.
    if data[:2] == b"MZ" and b"\0" in data[:64]:
        return "application/x-msdownload"
    if data[:2] == b"BM" and data[6:10] == b"\0\0\0\0":
        return "image/bmp"
    if data[257:262] == b"ustar":
        return "application/x-tar"
    return None


def _zip(data: bytes) -> str:
    if data[30:38] == b"mimetype":
        declared = re.match(rb"application/vnd\.oasis\.opendocument\.[a-z-]{1,40}", data[38:])
        if declared is not None:
            return declared[0].decode("ascii")
    if b"[Content_Types].xml" in data or b"_rels/.rels" in data:
        if b"word/" in data:
            return f"{_OOXML}wordprocessingml.document"
        if b"ppt/" in data:
            return f"{_OOXML}presentationml.presentation"
        return f"{_OOXML}spreadsheetml.sheet"
    return "application/zip"


def _markup(data: bytes) -> str | None:
    if _HTML.match(data):
        return "text/html"
    head = data.lstrip()
    if head.startswith(b"<?xml"):
        return _xml(head)
    if head.startswith(b"<svg"):
        return "image/svg+xml"
    if head.startswith((b"<rss", b"<feed", b"<rdf:RDF")):
        return _xml(head)
    if _JSON.match(data):
        return "application/json"
    return None


def _xml(head: bytes) -> str:
    root = _XML_ROOT.search(re.sub(rb"<!--.*?-->", b"", head, flags=re.DOTALL))
    name = root[1].decode("ascii").lower() if root is not None else ""
    if b"sdmx.org/resources/sdmxml" in head.lower():
        kind = {"genericdata": "genericdata", "structure": "structure"}.get(name)
        return f"{_SDMX}{kind or 'structurespecificdata'}+xml"
    by_root = {
        "html": "text/html",
        "rss": "application/rss+xml",
        "feed": "application/atom+xml",
        "rdf": "application/rdf+xml",
        "svg": "image/svg+xml",
    }
    return by_root.get(name, "application/xml")
