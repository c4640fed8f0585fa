"""The formats of a synthetic site's files: declared types, first bytes and sizes."""

import math
from dataclasses import dataclass
from statistics import NormalDist

from crawler.lab.demo.chance import Stream
from crawler.lab.synth.paper import PaperSite

_STANDARD = NormalDist()
_KEPT_BYTES = 2048
_LEAST_BYTES = 200


@dataclass(frozen=True, slots=True)
class Format:
    """One format."""

    extension: str
    content_type: str
    begins: bytes
    share: int
    """Of a hundred files."""


_FORMATS = (
    Format("pdf", "application/pdf", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", 38),
    Format(
        "xlsx",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        b"PK\x03\x04\x14\x00\x06\x00",
        20,
    ),
    Format("xls", "application/vnd.ms-excel", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 12),
    Format("csv", "text/csv; charset=utf-8", b"region;year;value\n", 14),
    Format("zip", "application/zip", b"PK\x03\x04\x14\x00\x00\x00", 7),
    Format("ods", "application/vnd.oasis.opendocument.spreadsheet", b"PK\x03\x04", 4),
    Format("json", "application/json", b'{"values": [', 3),
    Format("tsv", "text/tab-separated-values", b"region\tyear\tvalue\n", 2),
)
_LOTTERY = tuple(each for each in _FORMATS for _ in range(each.share))


def pick_format(drawn: int) -> Format:
    """The format that belongs to a number."""
    return _LOTTERY[drawn % len(_LOTTERY)]


class Sizes:
    """True sizes of files: log-normal with mean and deviation of Table I."""

    def __init__(self, paper: PaperSite) -> None:
        variance = math.log1p((paper.size_deviation / paper.size_mean) ** 2)
        self._sigma = math.sqrt(variance)
        self._mu = math.log(paper.size_mean * 1000**2) - variance / 2

    def size(self, stream: Stream) -> int:
        """The size of the file that a stream belongs to."""
        share = min(max(stream.fraction(), 1e-9), 1 - 1e-9)
        size = int(math.exp(self._mu + self._sigma * _STANDARD.inv_cdf(share)))
        return max(size, _LEAST_BYTES)


def first_bytes(form: Format, size: int, stream: Stream) -> bytes:
    """The beginning of a file; no reader will like it, but its type can be told."""
    line = f"{stream.number():016x};{stream.number() % 100000}\n".encode()
    wanted = min(size, _KEPT_BYTES)
    return (form.begins + line * (wanted // len(line) + 1))[:wanted]
