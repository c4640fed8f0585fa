"""The data files: which exist, what they are called, where they are, and their bytes."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from enum import Enum

from crawler.lab.demo.answer import Answer, answer, etag
from crawler.lab.demo.chance import Chance
from crawler.lab.demo.figures import cube
from crawler.lab.demo.formats import LOTTERY, Format
from crawler.lab.demo.plan import Plan, Section
from crawler.lab.demo.titles import Titles
from crawler.lab.demo.topics import BREAKDOWNS, TOPICS, Lang, Name

_FILE = re.compile(r"/files/[a-z-]+/[a-z0-9-]+-([a-z])([0-9]{1,9})-([0-9]{1,3})\.[a-z.]+\Z")
_DOWNLOAD = re.compile(r"/en/download/([0-9]{1,12})\Z")
_OLDEST = datetime(2015, 1, 5, 8, 0, tzinfo=UTC)


class Owner(Enum):
    """Where a file is listed; the letter is part of its name."""

    DATASET = "d"
    SUBTOPIC = "s"
    ARCHIVE = "a"
    BULK = "b"
    METHOD = "m"


class Style(Enum):
    """How pages link to a file."""

    PLAIN = "plain"
    EXTENSIONLESS = "extensionless"
    BEHIND_REDIRECT = "behind redirect"


OWNERS = tuple(Owner)


@dataclass(frozen=True, slots=True)
class DataFile:
    """One file, by the page that lists it."""

    owner: Owner
    index: int
    number: int = 0

    @property
    def id(self) -> int:
        """One number for all of it, used in download links."""
        return (self.index * 256 + self.number) * 8 + OWNERS.index(self.owner)


class Files:
    """The data files of one site."""

    def __init__(self, plan: Plan, chance: Chance, titles: Titles) -> None:
        self.plan = plan
        self.chance = chance
        self.titles = titles
        self._owners = {
            Owner.DATASET: plan.datasets,
            Owner.SUBTOPIC: plan.subtopics,
            Owner.ARCHIVE: plan.archived_files,
            Owner.BULK: plan.items[Section.BULK],
            Owner.METHOD: plan.items[Section.METHODS],
        }
        self.original = DataFile(Owner.DATASET, 0)
        self.duplicate = DataFile(Owner.BULK, 0, self.count(Owner.BULK, 0) - 1)
        """Has the same bytes as `original`, under another URL; no other two files have."""

    def of(self, owner: Owner, index: int) -> list[DataFile]:
        """The files that one page lists."""
        return [DataFile(owner, index, number) for number in range(self.count(owner, index))]

    def count(self, owner: Owner, index: int) -> int:
        """How many files one page lists."""
        draw = self.chance.number("count", owner.value, index)
        match owner:
            case Owner.DATASET:
                return (1, 2, 2, 3, 3, 4, 4, 5, 6, 8 if draw % 7 else 14)[draw // 7 % 10]
            case Owner.SUBTOPIC:
                return draw % 3
            case Owner.ARCHIVE:
                return 1
            case Owner.BULK:
                return min(150, int(9 / ((draw % 1000 + 1) / 1000) ** 0.6))
            case Owner.METHOD:
                return int(draw % 3 == 0)

    def totals(self) -> dict[Owner, int]:
        """How many pages, or rows of an archive, each owner has."""
        return dict(self._owners)

    def topic(self, file: DataFile) -> int:
        """The topic of a file's figures."""
        topics = self.plan.topics
        match file.owner:
            case Owner.DATASET:
                return self.plan.topic_of_dataset(file.index)
            case Owner.SUBTOPIC | Owner.ARCHIVE:
                return file.index % topics
            case Owner.BULK | Owner.METHOD:
                return self.chance.below(topics, "topic", file.owner.value, file.index, file.number)

    def format(self, file: DataFile) -> Format:
        """The format of a file."""
        if file == self.duplicate:
            return self.format(self.original)
        if file.owner is Owner.METHOD:
            return Format.PDF
        if file == DataFile(Owner.ARCHIVE, 0):
            return Format.XLSX
        return self.chance.pick(LOTTERY, "format", file.id)

    def style(self, file: DataFile) -> Style:
        """How pages link to a file."""
        if file in (self.duplicate, DataFile(Owner.ARCHIVE, 0)):
            return Style.PLAIN
        draw = self.chance.below(100, "style", file.id)
        if draw < 12:
            return Style.EXTENSIONLESS
        return Style.BEHIND_REDIRECT if draw < 14 else Style.PLAIN

    def title(self, file: DataFile) -> Name:
        """What the link to a file says."""
        measure = self.titles.measure(self.topic(file), "file", file.id).name
        breakdown = self.chance.pick(BREAKDOWNS, "file breakdown", file.id)
        return Name(f"{measure.en} {breakdown.en}", f"{measure.fr} {breakdown.fr}")

    def name(self, file: DataFile) -> str:
        """The file's own name."""
        code = f"{file.owner.value}{file.index}-{file.number}"
        return f"{self.title(file).slug(Lang.EN)}-{code}.{self.format(file).value.extension}"

    def path(self, file: DataFile) -> str:
        """The canonical path of a file."""
        if self.style(file) is Style.EXTENSIONLESS:
            return f"/en/download/{file.id}"
        return f"/files/{TOPICS[self.topic(file)].name.slug(Lang.EN)}/{self.name(file)}"

    def link(self, file: DataFile) -> str:
        """What pages link to: the path, or a redirect to it."""
        behind = self.style(file) is Style.BEHIND_REDIRECT
        return f"/r/file/{file.id}" if behind else self.path(file)

    def find(self, path: str) -> DataFile | None:
        """The file at a path."""
        if found := _DOWNLOAD.match(path):
            file = self.by_id(int(found[1]))
        elif found := _FILE.match(path):
            file = self._existing(found[1], int(found[2]), int(found[3]))
        else:
            return None
        return file if file and self.path(file) == path else None

    def by_id(self, number: int) -> DataFile | None:
        """The file with this number in its download link."""
        rest, owner = divmod(number, 8)
        return self._existing(OWNERS[owner].value, *divmod(rest, 256)) if owner < 5 else None

    def _existing(self, letter: str, index: int, number: int) -> DataFile | None:
        if letter not in {owner.value for owner in OWNERS}:
            return None
        owner = Owner(letter)
        exists = index < self._owners[owner] and number < self.count(owner, index)
        return DataFile(owner, index, number) if exists else None

    def body(self, file: DataFile) -> bytes:
        """The bytes of a file."""
        if file == self.duplicate:
            return self.body(self.original)
        form = self.format(file)
        french = form is Format.CSV_FRENCH or self.chance.below(4, "french", file.id) == 0
        lang = Lang.FR if french else Lang.EN
        measure = self.titles.measure(self.topic(file), "file", file.id)
        code = f"NV-{file.owner.value.upper()}{file.index}-{file.number}"
        stream = self.chance.stream("figures", file.id)
        return form.value.write(cube(code, self.title(file).of(lang), lang, measure, stream))

    def answer(self, file: DataFile) -> Answer:
        """The answer to a request for a file."""
        body = self.body(file)
        age = timedelta(minutes=self.chance.below(5_600_000, "modified", file.id))
        headers = {"ETag": etag(body), "Last-Modified": format_datetime(_OLDEST + age, usegmt=True)}
        if self.style(file) is Style.EXTENSIONLESS:
            headers["Content-Disposition"] = f'attachment; filename="{self.name(file)}"'
        return answer(body, self._content_type(file), headers=headers)

    def _content_type(self, file: DataFile) -> str:
        form = self.format(file)
        # Some servers do not know their own files; the extension still tells.
        mislabelled = self.chance.below(60, "mislabelled", file.id) == 0
        plain = self.style(file) is not Style.EXTENSIONLESS
        if file == DataFile(Owner.ARCHIVE, 0) or (mislabelled and plain):
            return "application/octet-stream"
        return form.value.content_type
