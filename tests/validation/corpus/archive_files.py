"""Archives that hold data, or something else."""

import bz2
import gzip
import io
import lzma
import struct
import zipfile
from collections.abc import Callable

import py7zr

from crawler.lab.sites.files.csv_files import archive
from crawler.readers.kinds import Kind
from crawler.validation.outcome import Judgement
from tests.validation.corpus import codes, xlsx_files
from tests.validation.corpus.doubtful import PROSE
from tests.validation.corpus.figures import births, csv_text
from tests.validation.corpus.not_data import PAGE, picture, rubbish
from tests.validation.corpus.pdf_files import report
from tests.validation.corpus.specimen import Expected, Specimen

CSV = csv_text().encode()
DEATHS = ("Year,Deaths\n" + "".join(f"{2000 + n},{500_000 + n}\n" for n in range(21))).encode()


def seven_zip(members: dict[str, bytes], password: str | None = None) -> bytes:
    """A 7z archive; with a password its list of members is encrypted too."""
    target = io.BytesIO()
    with py7zr.SevenZipFile(
        target, "w", password=password, header_encryption=password is not None
    ) as file:
        for name, body in members.items():
            file.writestr(body, name)
    return target.getvalue()


def locked_zip() -> bytes:
    """A member that is marked as encrypted, and noise."""
    body = bytearray(archive({"births.csv": rubbish()}, stored=("births.csv",)))
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = body.index(signature) + offset
        body[at] |= 1
    return bytes(body)


def unknown_method() -> bytes:
    """A member packed in a way that no library here knows."""
    body = bytearray(archive({"births.csv": CSV}))
    for signature, offset in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
        struct.pack_into("<H", body, body.index(signature) + offset, 97)
    return bytes(body)


def wrong_sum() -> bytes:
    """A stored member of which one byte was changed."""
    body = bytearray(archive({"births.csv": CSV}, stored=("births.csv",)))
    body[200] ^= 0xFF
    return bytes(body)


def climbing_names() -> bytes:
    """Names that point out of the folder they would be unpacked to."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as file:
        for name in ("../../../../tmp/climbed.csv", "/etc/climbed.csv", "C:\\climbed.csv"):
            file.writestr(name, CSV)
    return target.getvalue()


def archived(
    name: str,
    make: Callable[[], bytes],
    verdict: Judgement = Judgement.VALID,
    *reasons: str,
    kind: Kind = Kind.ZIP,
    file_name: str = "births.zip",
    tables: tuple[Expected, ...] | None = (),
    inner: tuple[Kind, ...] | None = None,
) -> Specimen:
    """An archive."""
    return Specimen(
        name,
        make,
        kind,
        verdict,
        file_name=file_name,
        declared="application/octet-stream",
        reasons=reasons,
        tables=tables,
        inner=inner,
    )


def packed(
    name: str,
    make: Callable[[], bytes],
    kind: Kind,
    suffix: str,
    *reasons: str,
    verdict: Judgement = Judgement.VALID,
    inner: tuple[Kind, ...] | None = (Kind.DELIMITED,),
) -> Specimen:
    """One file, packed on its own or in a 7z archive."""
    tables = (births(),) if verdict is Judgement.VALID else ()
    return archived(
        name,
        make,
        verdict,
        *reasons,
        kind=kind,
        file_name=f"births.{suffix}",
        tables=tables,
        inner=inner,
    )


SPECIMENS = (
    archived(
        "zip-csv",
        lambda: archive({"births.csv": CSV}),
        tables=(births("births.csv"),),
        inner=(Kind.DELIMITED,),
    ),
    archived(
        "zip-readme-and-csv",
        lambda: archive({"README.txt": PROSE.encode(), "data/births.csv": CSV}),
        tables=(births("births.csv"),),
        inner=(Kind.DELIMITED, Kind.DOCUMENT),
    ),
    archived(
        "zip-two-csv",
        lambda: archive({"births.csv": CSV, "deaths.csv": DEATHS}),
        tables=(
            births("births.csv"),
            Expected(rows=21, names=("Year", "Deaths"), table="deaths.csv"),
        ),
    ),
    archived(
        "zip-workbook",
        lambda: archive({"births.xlsx": xlsx_files.plain()}),
        tables=(births("births.xlsx"),),
        inner=(Kind.XLSX,),
    ),
    archived(
        "zip-in-zip",
        lambda: archive({"inner.zip": archive({"births.csv": CSV})}),
        tables=(births("births.csv"),),
    ),
    archived("zip-climbing-names", climbing_names, tables=(births(), births(), births())),
    archived(
        "zip-reports",
        lambda: archive({"report.pdf": report(), "cover.png": picture()}),
        Judgement.DOCUMENT,
        inner=(Kind.BINARY, Kind.PDF),
    ),
    archived(
        "zip-good-and-broken",
        lambda: archive({"births.csv": CSV, "more.xlsx": xlsx_files.plain()[:2_500]}),
        Judgement.SUSPECT,
        codes.PART_UNREADABLE,
        tables=(births("births.csv"),),
    ),
    archived(
        "zip-page-only",
        lambda: archive({"births.csv": PAGE.encode()}),
        Judgement.NOT_A_DATASET,
        codes.HTML,
        inner=(Kind.HTML,),
    ),
    archived("zip-locked", locked_zip, Judgement.BROKEN, codes.ENCRYPTED),
    archived("zip-unknown-method", unknown_method, Judgement.BROKEN, codes.UNSUPPORTED),
    archived("zip-wrong-sum", wrong_sum, Judgement.BROKEN, codes.CORRUPT),
    archived(
        "zip-truncated",
        lambda: archive({"births.csv": CSV, "deaths.csv": DEATHS})[:400],
        Judgement.BROKEN,
        codes.TRUNCATED,
    ),
    Specimen(
        "zip-called-csv",
        lambda: archive({"births.csv": CSV}),
        Kind.ZIP,
        Judgement.SUSPECT,
        file_name="births.csv",
        declared="text/csv",
        reasons=(codes.OTHERWISE_DECLARED,),
        tables=(births("births.csv"),),
    ),
    packed("gzip-csv", lambda: gzip.compress(CSV, mtime=0), Kind.GZIP, "csv.gz"),
    packed("bzip2-csv", lambda: bz2.compress(CSV), Kind.BZIP2, "csv.bz2"),
    packed("xz-csv", lambda: lzma.compress(CSV), Kind.XZ, "csv.xz"),
    packed("7z-csv", lambda: seven_zip({"births.csv": CSV}), Kind.SEVEN_ZIP, "7z"),
    packed(
        "gzip-truncated",
        lambda: gzip.compress(CSV, mtime=0)[:-60],
        Kind.GZIP,
        "csv.gz",
        codes.TRUNCATED,
        verdict=Judgement.BROKEN,
        inner=None,
    ),
    packed(
        "gzip-page",
        lambda: gzip.compress(PAGE.encode(), mtime=0),
        Kind.GZIP,
        "csv.gz",
        codes.HTML,
        verdict=Judgement.NOT_A_DATASET,
        inner=(Kind.HTML,),
    ),
    packed(
        "xz-damaged",
        lambda: lzma.compress(CSV)[:90] + b"damaged!" + lzma.compress(CSV)[98:],
        Kind.XZ,
        "csv.xz",
        codes.CORRUPT,
        verdict=Judgement.BROKEN,
        inner=None,
    ),
    packed(
        "7z-truncated",
        lambda: seven_zip({"births.csv": CSV})[:-40],
        Kind.SEVEN_ZIP,
        "7z",
        codes.CUT_SHORT,
        verdict=Judgement.BROKEN,
        inner=None,
    ),
    packed(
        "7z-locked",
        lambda: seven_zip({"births.csv": CSV}, "secret"),
        Kind.SEVEN_ZIP,
        "7z",
        codes.ENCRYPTED,
        verdict=Judgement.BROKEN,
        inner=None,
    ),
)
