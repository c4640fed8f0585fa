"""The bytes of a site's files: sketches of any size, or real tables."""

import math
from dataclasses import replace
from statistics import NormalDist

from crawler.lab.sites.addresses import Addresses
from crawler.lab.sites.answer import Answer, answer
from crawler.lab.sites.chance import Stream
from crawler.lab.sites.files.figures import Cube, cube, revised
from crawler.lab.sites.files.formats import Format
from crawler.lab.sites.holdings import Holdings
from crawler.lab.sites.places import File

_STANDARD = NormalDist()
_SKETCHED_BYTES = 2048
_MIN_BYTES = 200
_MISLABELLED = 60
"""One of this many files is declared as bytes without a type."""


def contents_of(addresses: Addresses, holdings: Holdings) -> "Sketches | Tables":
    """What is in the files of a site of its kind."""
    return Tables(addresses, holdings) if addresses.kind.real_files else Sketches(addresses)


class Sketches:
    """First bytes and true sizes only: log-normal with mean and deviation of Table I."""

    def __init__(self, addresses: Addresses) -> None:
        profile = addresses.kind.profile
        variance = math.log1p((profile.size_deviation / profile.size_mean) ** 2)
        self._sigma = math.sqrt(variance)
        self._mu = math.log(profile.size_mean * 1000**2) - variance / 2
        self._addresses = addresses
        self._chance = addresses.chance

    def answer(self, file: File, version: int = 0) -> Answer:
        """The beginning of a file under the headers of the whole."""
        form, size = self._addresses.format(file), self.size(file, version)
        stream = self._chance.stream("bytes", *_key(file, version))
        headers = {"Content-Type": form.content_type, "Content-Length": str(size)}
        return Answer(200, headers, _first_bytes(form, size, stream), size)

    def size(self, file: File, version: int = 0) -> int:
        """The size that belongs to a version of a file; every second has that of the one before."""
        stream = self._chance.stream("size", *_key(file, version // 2))
        share = min(max(stream.fraction(), 1e-9), 1 - 1e-9)
        size = int(math.exp(self._mu + self._sigma * _STANDARD.inv_cdf(share)))
        return max(size, _MIN_BYTES)


def _first_bytes(form: Format, size: int, stream: Stream) -> bytes:
    """The beginning of a file: no reader accepts it, but its type can be detected."""
    line = f"{stream.number():016x};{stream.number() % 100000}\n".encode()
    wanted = min(size, _SKETCHED_BYTES)
    return (form.begins + line * (wanted // len(line) + 1))[:wanted]


class Tables:
    """Real tables of believable figures, in formats that standard tools open."""

    def __init__(self, addresses: Addresses, holdings: Holdings) -> None:
        self._sections = addresses.sections
        self._addresses = addresses
        self._chance = addresses.chance
        self._regions = addresses.kind.regions
        self._original, self._duplicate = self._pair(holdings)
        """The same bytes under two URLs; no other two files are alike."""

    def answer(self, file: File, version: int = 0) -> Answer:
        """The whole file, sometimes with a wrong type."""
        body = self._body(file, version)
        headers: dict[str, str] = {}
        content_type = self._addresses.format(file).content_type
        if self._addresses.is_bare(file):
            headers["Content-Disposition"] = f'attachment; filename="{self._name(file)}"'
        elif self._chance.below(_MISLABELLED, "mislabelled", *_key(file)) == 0:
            # Some servers do not know the types of their files; the extension does.
            content_type = "application/octet-stream"
        return answer(body, content_type, headers=headers)

    def size(self, file: File, version: int = 0) -> int:
        """The size of the bytes, which are written for it."""
        return len(self._body(file, version))

    def figures(self, file: File, version: int = 0) -> Cube:
        """The table that a version of a file holds, whatever its format."""
        if file == self._duplicate and not version:
            file = self._original
        form, stream = self._addresses.format(file), self._chance.stream("figures", *_key(file))
        language = int("iso-8859-1" in form.content_type or stream.number() % 4 == 0)
        section = replace(self._sections[file.section], language=language)
        title = self._addresses.title(section, "leaf", file.slot)
        code = f"NV-{file.section}-{file.slot}-{file.number}"
        table = cube(code, title, self._addresses.code(language), stream, self._regions)
        if version:
            table = revised(table, version, self._chance.stream("revision", *_key(file, version)))
        return table

    def _body(self, file: File, version: int) -> bytes:
        form = self._addresses.format(file)
        if form.write is None:
            raise TypeError(f"{form.extension}: a sketched format has no real files")
        return form.write(self.figures(file, version))

    def _pair(self, holdings: Holdings) -> tuple[File, File]:
        section, form = self._sections[0], self._addresses.format
        files = (
            File(0, slot, number)
            for slot in holdings.slots(section)
            for number in range(holdings.count(section, slot))
        )
        original = next(files)
        return original, next((file for file in files if form(file) == form(original)), original)

    def _name(self, file: File) -> str:
        extension = self._addresses.format(file).extension
        return f"table-{file.section}-{file.slot}-{file.number}.{extension}"


def _key(file: File, version: int = 0) -> tuple[int, ...]:
    numbers = file.section, file.slot, file.number
    return (*numbers, version) if version else numbers
