"""The labels of a site's links, numbered, and whether links with a label led to files."""

import struct
from collections.abc import Iterable, Mapping

from crawler.config.strategy import PathAttributes
from crawler.learning.link_labels import label_of

MAX_LABELS = 5_000
"""Labels that are told apart; later ones count as none."""

NO_LABEL = 0
"""Of what is no link of a page: a URL that a sitemap names."""

_REMEMBERED_PATHS = 50_000
_COUNTS = struct.Struct("<2I")


class KnownLabels:
    """From tag paths to labels, and from labels to what was found behind them; durable."""

    def __init__(self, attributes: PathAttributes) -> None:
        self._ids = attributes is not PathAttributes.CLASS
        self._classes = attributes is not PathAttributes.ID
        self._texts = [""]
        self._numbers = {"": NO_LABEL}
        self._by_path: dict[str, int] = {}
        self._counts: dict[int, tuple[int, int]] = {}
        """Files, and everything else, that links with a label led to."""
        self._changes: dict[str, bytes] = {}
        self.opinion = 0
        """Changes when a label begins, or ceases, to lead to files."""

    def number(self, tag_path: str) -> int:
        """The label of a link."""
        known = self._by_path.get(tag_path)
        if known is not None:
            return known
        if len(self._by_path) >= _REMEMBERED_PATHS:
            self._by_path.clear()
        number = self._number_of(label_of(tag_path, ids=self._ids, classes=self._classes))
        self._by_path[tag_path] = number
        return number

    def _number_of(self, label: str) -> int:
        number = self._numbers.get(label)
        if number is None and len(self._texts) > MAX_LABELS:
            return NO_LABEL
        if number is None:
            number = self._numbers[label] = len(self._texts)
            self._texts.append(label)
            self._changes[f"label/{number:05}"] = label.encode("utf-8", "surrogatepass")
        return number

    def text(self, number: int) -> str:
        """A label as it is written."""
        return self._texts[number]

    def learn(self, number: int, *, is_target: bool) -> None:
        """A link with this label was followed."""
        if number == NO_LABEL:
            return
        before = self.leads_to_files(number)
        files, others = self._counts.get(number, (0, 0))
        files, others = files + is_target, others + (not is_target)
        self._counts[number] = files, others
        self._changes[f"seen/{number:05}"] = _COUNTS.pack(files, others)
        self.opinion += before is not self.leads_to_files(number)

    def leads_to_files(self, number: int) -> bool:
        """Whether more than half of the links with this label that were followed are files."""
        files, others = self._counts.get(number, (0, 0))
        return files > others

    def files(self) -> list[str]:
        """The labels that lead to files."""
        numbers = filter(self.leads_to_files, sorted(self._counts))
        return [self._texts[number] for number in numbers]

    def expect_files(self, labels: Iterable[str]) -> None:
        """Labels that led to files in an earlier crawl; what is found now can refute it."""
        for label in labels:
            self.learn(self._number_of(label), is_target=True)

    def take_changes(self) -> dict[str, bytes]:
        """What is new since the last call, under its names."""
        changes, self._changes = self._changes, {}
        return changes

    def load(self, memory: Mapping[str, bytes]) -> None:
        """Bring everything back."""
        for name in sorted(memory):
            kind, _, number = name.partition("/")
            if kind == "label":
                text = memory[name].decode("utf-8", "surrogatepass")
                self._numbers[text] = len(self._texts)
                self._texts.append(text)
            elif kind == "seen":
                files, others = _COUNTS.unpack(memory[name])
                self._counts[int(number)] = files, others
