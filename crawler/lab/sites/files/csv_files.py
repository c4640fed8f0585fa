"""CSV as statistics offices write it: by the book, or as a French spreadsheet exports it."""

import gzip
import io
import zipfile

from crawler.lab.sites.files.figures import Cube

EPOCH = (2025, 1, 1, 0, 0, 0)
"""The date inside archives, so that the same seed gives the same bytes."""


def plain_csv(cube: Cube) -> bytes:
    """Commas, decimal points, UTF-8; one line per period and region."""
    lines = [",".join((*cube.labels[:2], "Code", cube.labels[2]))]
    for period, row in zip(cube.periods, cube.values, strict=True):
        for (code, region), value in zip(cube.regions, row, strict=True):
            lines.append(f'{period},"{region}",{code},{cube.text(value)}')
    return "\r\n".join([*lines, ""]).encode()


def french_csv(cube: Cube) -> bytes:
    """Semicolons, decimal commas, Latin-1; one line per period, one column per region."""
    lines = [";".join((cube.labels[0], *(region for _, region in cube.regions)))]
    for period, row in zip(cube.periods, cube.values, strict=True):
        lines.append(";".join((period, *(cube.text(value).replace(".", ",") for value in row))))
    return "\r\n".join([*lines, ""]).encode("latin-1", "replace")


def zipped_csv(cube: Cube) -> bytes:
    """A ZIP archive with the table and a note about it."""
    note = f"{cube.code}: {cube.title}\r\nOffice of Statistics of Norvenia\r\n"
    return archive({f"{cube.code}.csv": plain_csv(cube), "README.txt": note.encode()})


def gzipped_csv(cube: Cube) -> bytes:
    """The table under gzip."""
    return gzip.compress(plain_csv(cube), compresslevel=6, mtime=0)


def archive(members: dict[str, bytes], *, stored: tuple[str, ...] = ()) -> bytes:
    """A ZIP archive with the same bytes for the same members; `stored` ones are not packed."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as target:
        for name, body in members.items():
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.create_system = 3
            method = zipfile.ZIP_STORED if name in stored else zipfile.ZIP_DEFLATED
            target.writestr(entry, body, method, compresslevel=6)
    return packed.getvalue()
