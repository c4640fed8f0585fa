"""Words that mean the same to statisticians, in several languages: GDP, PIB, BIP.

One concept is one line: terms separated by commas, languages by `|`. A file of one's own adds
lines to those that are shipped; a line that shares a term with another one extends it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from crawler.catalog.search.stemming import DEFAULT_LANGUAGE, stem, stems
from crawler.catalog.search.stop_words import STOP_WORDS
from crawler.catalog.search.words import words_in_order
from crawler.errors import ConfigError

SHIPPED = Path(__file__).with_name("thesaurus.txt")
MAX_FILE_BYTES = 1024**2
MAX_TERM_WORDS = 5
_LETTERS = 3
_MAX_TERMS = 40
"""Of one concept that a question is widened by."""

TermStems = tuple[tuple[str, ...], ...]
"""For each word of a term, the stems that it may have."""


@dataclass(frozen=True, slots=True)
class ThesaurusTerm:
    """One way to name a concept."""

    text: str
    words: tuple[str, ...]
    language: str

    @property
    def stems(self) -> TermStems:
        """Made when they are asked for: those of the whole file would take half a second."""
        return tuple(_stems(word, self.language) for word in self.words)


@dataclass(slots=True)
class Thesaurus:
    """Concepts by the first letters of their terms, which no stem changes."""

    concepts: list[list[ThesaurusTerm]] = field(default_factory=list)
    words: set[str] = field(default_factory=set)
    """All words of all terms, to correct spelling by."""
    _begin: dict[str, list[tuple[ThesaurusTerm, int]]] = field(default_factory=dict)

    def add(self, terms: Sequence[ThesaurusTerm]) -> None:
        """A concept; terms that are known in another one stay there as well."""
        number = len(self.concepts)
        self.concepts.append(list(terms))
        for term in terms:
            self._begin.setdefault(term.words[0][:_LETTERS], []).append((term, number))
            self.words.update(term.words)

    def others(self, words: Sequence[str]) -> tuple[int, list[ThesaurusTerm]]:
        """How many of the first words are a known term (0: none), and what else it is called."""
        longest, concepts = 0, dict[int, None]()
        for term, number in self._begin.get(words[0][:_LETTERS], ()) if words else ():
            if len(term.words) >= max(longest, 1) and _begins_with(words, term):
                if len(term.words) > longest:
                    longest, concepts = len(term.words), {}
                concepts[number] = None
        named = {term.text: term for number in concepts for term in self.concepts[number]}
        asked = [set(stems(word)) for word in words[:longest]]
        rest = [term for term in named.values() if not _is(asked, term.stems)]
        return longest, rest[:_MAX_TERMS]


def load_thesaurus(extra: Path | None = None) -> Thesaurus:
    """The shipped thesaurus with the lines of another file, where there is one."""
    stamp = None
    if extra is not None:
        try:
            stamp = extra.stat().st_mtime_ns
        except FileNotFoundError:
            extra = None
        except OSError as error:
            raise ConfigError(f"{extra}: {error.strerror or error}") from error
    return _load(extra, stamp)


@cache
def _load(extra: Path | None, _stamp: int | None) -> Thesaurus:
    thesaurus = Thesaurus()
    for path in (SHIPPED, extra) if extra else (SHIPPED,):
        for number, line in enumerate(_lines(path), start=1):
            terms = list(_terms(line, path, number))
            if len(terms) == 1:
                raise ConfigError(f"{path}:{number}: a line needs two terms that mean the same")
            if terms:
                thesaurus.add(terms)
    return thesaurus


def _lines(path: Path) -> list[str]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from error
    if len(data) > MAX_FILE_BYTES:
        raise ConfigError(f"{path}: a thesaurus has at most {MAX_FILE_BYTES:,} bytes")
    try:
        return data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise ConfigError(f"{path}: the file is not UTF-8") from None


def _terms(line: str, path: Path, number: int) -> Iterator[ThesaurusTerm]:
    for part in line.partition("#")[0].split("|"):
        code, colon, listed = part.partition(":")
        language = code.strip().lower() if colon else DEFAULT_LANGUAGE
        if colon and not (2 <= len(language) <= 3 and language.isalpha()):
            raise ConfigError(
                f"{path}:{number}: '{code.strip()[:40]}' is no language; write de: before terms"
            )
        for text in (listed if colon else part).split(","):
            words = [word for word in words_in_order(text) if word not in STOP_WORDS]
            if len(words) > MAX_TERM_WORDS:
                raise ConfigError(
                    f"{path}:{number}: '{text.strip()[:60]}' has more than {MAX_TERM_WORDS} words"
                )
            if words:
                yield ThesaurusTerm(text.strip(), tuple(words), language)


def _stems(word: str, language: str) -> tuple[str, ...]:
    """In its own language, and as it is taken for English where the page says nothing."""
    return tuple(dict.fromkeys((stem(word, language), stem(word, DEFAULT_LANGUAGE))))


def _begins_with(words: Sequence[str], term: ThesaurusTerm) -> bool:
    if len(term.words) > len(words):
        return False
    pairs = zip(words, term.stems, strict=False)
    return all(not set(stems(word)).isdisjoint(known) for word, known in pairs)


def _is(asked: Sequence[set[str]], term: TermStems) -> bool:
    return len(asked) == len(term) and all(
        not one.isdisjoint(known) for one, known in zip(asked, term, strict=True)
    )
