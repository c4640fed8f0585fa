"""Archives: what is in them is read, and what is made to do harm is refused before it does."""

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from dataclasses import replace
from pathlib import Path

import py7zr
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.errors import NotATable
from crawler.readers.archives import read_archive
from crawler.readers.bounds import DEFAULT_BOUNDS, Bounds
from crawler.readers.content import Content, Table, Trouble
from crawler.readers.kinds import Kind
from crawler.readers.unreadable import Unreadable

BOUNDS = replace(DEFAULT_BOUNDS, unpacked=100 * 1000**2)
CSV = b"region,births\nNord,12\nSud,9\n"
MAGIC = {b"PK": Kind.ZIP, b"\x1f\x8b": Kind.GZIP, b"BZ": Kind.BZIP2, b"7z": Kind.SEVEN_ZIP}


def read_simply(stream: io.BufferedIOBase, name: str, bounds: Bounds) -> Content:
    """A reader of plain commas, and of archives in archives."""
    import pandas as pd

    head = stream.read(2)
    stream.seek(0)
    if head in MAGIC:
        try:
            return read_archive(stream, MAGIC[head], bounds, read_simply, name=name)  # type: ignore[arg-type]
        except Unreadable as error:
            return Content(MAGIC[head], trouble=error.trouble, detail=error.detail)
    if not head:
        return Content(Kind.EMPTY)
    if b"," not in stream.read(200):
        return Content(Kind.DOCUMENT)
    stream.seek(0)
    frame = pd.read_csv(stream, nrows=100)
    table = Table("", Kind.DELIMITED, frame, len(frame))
    return Content(Kind.DELIMITED, tables=(table,))


def read(data: bytes, kind: Kind, bounds: Bounds = BOUNDS, **options: str) -> Content:
    return read_archive(io.BytesIO(data), kind, bounds, read_simply, **options)  # type: ignore[arg-type]


def trouble_of(data: bytes, kind: Kind, bounds: Bounds = BOUNDS) -> Trouble | None:
    try:
        return read(data, kind, bounds).trouble
    except Unreadable as error:
        return error.trouble


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return target.getvalue()


def seven_zipped(files: dict[str, bytes], password: str | None = None) -> bytes:
    target = io.BytesIO()
    with py7zr.SevenZipFile(target, "w", password=password) as archive:
        for name, data in files.items():
            archive.writestr(data, name)
    return target.getvalue()


def tarred(files: dict[str, bytes]) -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return target.getvalue()


PACKED = [
    (zipped({"a.csv": CSV}), Kind.ZIP, "a.csv"),
    (zipped({"a.csv": CSV}, zipfile.ZIP_LZMA), Kind.ZIP, "a.csv"),
    (seven_zipped({"a.csv": CSV}), Kind.SEVEN_ZIP, "a.csv"),
    (gzip.compress(CSV), Kind.GZIP, ""),
    (bz2.compress(CSV), Kind.BZIP2, ""),
    (lzma.compress(CSV), Kind.XZ, ""),
    (gzip.compress(tarred({"a.csv": CSV})), Kind.GZIP, "a.csv"),
]
IDS = ["zip", "zip of lzma", "7z", "gzip", "bzip2", "xz", "tar.gz"]


@pytest.mark.parametrize(("data", "kind", "name"), PACKED, ids=IDS)
def test_file_is_read_however_it_is_packed(data, kind, name):
    content = read(data, kind)
    assert content.kind is kind
    assert content.inner == (Kind.DELIMITED,)
    assert [table.name for table in content.tables] == [name]
    assert content.tables[0].frame["births"].tolist() == [12, 9]


@pytest.mark.parametrize(("data", "kind", "name"), PACKED, ids=IDS)
@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
def test_truncated_archive_is_told(data, kind, name, share):
    found = trouble_of(data[: int(len(data) * share)], kind)
    assert found in (Trouble.TRUNCATED, Trouble.CORRUPT)


def test_readme_is_no_data():
    files = {"README.txt": b"Read, please, this.", "data/a.csv": CSV, "codes.pdf": b"%PDF"}
    content = read(zipped(files), Kind.ZIP)
    assert [table.name for table in content.tables] == ["data/a.csv"]
    assert {part.name for part in content.parts} == {"README.txt", "codes.pdf"}
    assert {part.trouble for part in content.parts} == {None}


def test_what_systems_leave_behind_is_not_there():
    content = read(zipped({"a.csv": CSV, "__MACOSX/._a.csv": CSV, ".DS_Store": b"x"}), Kind.ZIP)
    assert (len(content.tables), content.parts) == (1, ())


@pytest.mark.parametrize(
    ("pack", "kind"), [(zipped, Kind.ZIP), (seven_zipped, Kind.SEVEN_ZIP)], ids=["zip", "7z"]
)
def test_each_member_is_a_table_and_one_can_be_chosen(pack, kind):
    data = pack({"a.csv": CSV, "b.csv": CSV, "c.txt": b"prose"})
    content = read(data, kind)
    assert [table.name for table in content.tables] == ["a.csv", "b.csv"]
    assert content.inner == (Kind.DELIMITED, Kind.DOCUMENT)
    assert [part.name for part in content.parts] == ["c.txt"]
    assert [table.name for table in read(data, kind, member="b.csv").tables] == ["b.csv"]
    with pytest.raises(NotATable, match=r"holds no 'd\.csv', but a\.csv, b\.csv"):
        read(data, kind, member="d.csv")


def test_tables_of_an_archive_in_an_archive_have_both_names():
    content = read(zipped({"2024.zip": zipped({"a.csv": CSV})}), Kind.ZIP)
    assert [table.name for table in content.tables] == ["2024.zip!a.csv"]
    assert content.inner == (Kind.DELIMITED, Kind.ZIP)


def test_archives_are_opened_only_so_deep():
    data = CSV
    for _ in range(3):
        data = gzip.compress(data)
    assert trouble_of(data, Kind.GZIP) is Trouble.TOO_DEEP
    assert trouble_of(zipped({"a.gz": data}), Kind.ZIP) is Trouble.TOO_DEEP


def test_tables_are_bounded_and_the_others_named():
    files = {f"{number}.csv": CSV for number in range(20)}
    content = read(zipped(files), Kind.ZIP, replace(BOUNDS, tables=3))
    assert [table.name for table in content.tables] == ["0.csv", "1.csv", "2.csv"]
    assert len(content.parts) == 17
    assert content.trouble is None


def test_cells_are_bounded_over_all_members():
    files = {f"{number}.csv": CSV for number in range(20)}
    assert len(read(zipped(files), Kind.ZIP, replace(BOUNDS, cells=8)).tables) == 2


def test_members_beyond_the_bound_are_counted_only():
    files = {f"{number}.csv": CSV for number in range(30)}
    content = read(zipped(files), Kind.ZIP, replace(BOUNDS, members=5))
    assert len(content.tables) == 5
    assert content.parts[-1].detail == "25 more files were not looked at"


@pytest.mark.parametrize(
    "name", ["../../etc/passwd.csv", "/tmp/x.csv", "C:\\x.csv", "a\x00b\x1b.csv"]
)
def test_names_are_never_paths(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    info = zipfile.ZipInfo("x")
    info.filename = name
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr(info, CSV)
    (table,) = read(target.getvalue(), Kind.ZIP).tables
    assert table.name.isprintable()
    for data, kind in ((gzip.compress(tarred({name.replace("\0", ""): CSV})), Kind.GZIP),):
        assert len(read(data, kind).tables) == 1
    assert list(Path(tmp_path).iterdir()) == []


def test_name_that_leads_out_of_a_7z_archive_costs_its_own_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = seven_zipped({"a.csv": CSV, "bb/c.csv": CSV}).replace(
        "bb/c".encode("utf-16-le"), "../c".encode("utf-16-le")
    )
    body = bytearray(data)
    offset, size = struct.unpack_from("<2Q", body, 12)
    struct.pack_into("<L", body, 28, zlib.crc32(bytes(body[32 + offset : 32 + offset + size])))
    struct.pack_into("<L", body, 8, zlib.crc32(bytes(body[12:32])))
    try:
        tables = read(bytes(body), Kind.SEVEN_ZIP).tables
    except Unreadable:
        tables = ()
    assert {table.name for table in tables} <= {"a.csv", "bb/c.csv"}
    assert list(Path(tmp_path).iterdir()) == []


def test_names_in_utf8_that_do_not_say_so_are_read():
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("région.csv", CSV)
    data = bytearray(target.getvalue())
    for magic, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        struct.pack_into("<H", data, data.find(magic) + place, 0)
    assert read(bytes(data), Kind.ZIP).tables[0].name == "région.csv"


def test_broken_member_costs_itself_only():
    data = bytearray(zipped({"a.csv": CSV * 50, "b.csv": CSV}))
    data[60] ^= 0xFF
    content = read(bytes(data), Kind.ZIP)
    assert [table.name for table in content.tables] == ["b.csv"]
    assert [(part.name, part.trouble) for part in content.parts] == [("a.csv", Trouble.CORRUPT)]


def test_archive_of_nothing_but_trouble_is_in_trouble_itself():
    data = bytearray(zipped({"a.csv": CSV * 50}))
    data[60] ^= 0xFF
    content = read(bytes(data), Kind.ZIP)
    assert content.trouble is Trouble.CORRUPT
    assert content.detail.startswith("a.csv: ")


def test_encrypted_archives_are_told():
    data = bytearray(zipped({"a.csv": CSV}))
    for magic, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.find(magic) + place] |= 1
    assert trouble_of(bytes(data), Kind.ZIP) is Trouble.ENCRYPTED
    assert trouble_of(seven_zipped({"a.csv": CSV}, "secret"), Kind.SEVEN_ZIP) is Trouble.ENCRYPTED


def test_unknown_compression_is_told():
    data = bytearray(zipped({"a.csv": CSV}))
    for magic, place in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        struct.pack_into("<H", data, data.find(magic) + place, 9)
    assert trouble_of(bytes(data), Kind.ZIP) is Trouble.UNSUPPORTED


ZEROS = bytes(30 * 1000**2)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (zipped({"a.csv": ZEROS}), Kind.ZIP),
        (gzip.compress(ZEROS), Kind.GZIP),
        (bz2.compress(ZEROS), Kind.BZIP2),
        (lzma.compress(ZEROS), Kind.XZ),
        (seven_zipped({"a.csv": ZEROS}), Kind.SEVEN_ZIP),
        (zipped({"a.csv": CSV, "b.zip": zipped({"a.csv": ZEROS})}), Kind.ZIP),
        (gzip.compress(gzip.compress(ZEROS)), Kind.GZIP),
    ],
    ids=["zip", "gzip", "bzip2", "xz", "7z", "zip in zip", "gzip in gzip"],
)
def test_bombs_are_refused(data, kind):
    assert trouble_of(data, kind) is Trouble.BOMB


def test_archive_that_holds_more_than_it_may_is_refused():
    noise = b"".join(b"%d,%d\n" % (number, number * 7919) for number in range(50_000))
    bounds = replace(BOUNDS, unpacked=500_000)
    for data, kind in (
        (zipped({"a.csv": noise}), Kind.ZIP),
        (gzip.compress(noise), Kind.GZIP),
        (seven_zipped({"a.csv": noise}), Kind.SEVEN_ZIP),
    ):
        assert trouble_of(data, kind, bounds) is Trouble.BOMB


def test_size_that_is_a_lie_does_not_help_a_bomb():
    data = bytearray(zipped({"a.csv": ZEROS}))
    for magic, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        struct.pack_into("<L", data, data.rfind(magic) + place, 100)
    assert trouble_of(bytes(data), Kind.ZIP) is Trouble.BOMB


def test_members_that_share_their_bytes_are_refused():
    data = zipped({"a.csv": CSV})
    start = data.find(b"PK\x01\x02")
    end = data.find(b"PK\x05\x06")
    entry = data[start:end]
    finish = bytearray(data[end:])
    struct.pack_into("<HHL", finish, 8, 500, 500, 500 * len(entry))
    assert trouble_of(data[:start] + entry * 500 + bytes(finish), Kind.ZIP) is Trouble.BOMB


def test_directory_of_any_size_is_not_read():
    data = bytearray(zipped({"a.csv": CSV}))
    struct.pack_into("<L", data, data.rfind(b"PK\x05\x06") + 12, 10**9)
    assert trouble_of(bytes(data), Kind.ZIP) is Trouble.TOO_LARGE


def test_large_archive_with_a_directory_in_64_bits_is_read(tmp_path):
    target = io.BytesIO()
    with (
        zipfile.ZipFile(target, "w") as archive,
        archive.open("a.csv", "w", force_zip64=True) as to,
    ):
        to.write(CSV)
    assert len(read(target.getvalue(), Kind.ZIP).tables) == 1


def test_empty_archive_holds_nothing():
    content = read(zipped({}), Kind.ZIP)
    assert (content.tables, content.trouble) == ((), None)
    assert content.detail == "an archive of 0 files"


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(PACKED), st.integers(0, 10**6), st.integers(1, 255))
def test_changed_byte_gives_content_or_a_trouble(packed, place, change):
    data, kind, _ = packed
    body = bytearray(data)
    body[place % len(body)] ^= change
    trouble_of(bytes(body), kind)
