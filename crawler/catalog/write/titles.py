"""What a file is called, and which files are the same data: pure rules over the words of a page."""

import re
from hashlib import blake2b
from urllib.parse import unquote, urlsplit

from crawler.catalog.db.texts import plain
from crawler.catalog.search.words import normalised
from crawler.pages.file_name import extension_of_name
from crawler.pages.mime_groups import EXTENSION_GROUPS
from crawler.pages.urls import canonical

MAX_TITLE = 300
KEY_BYTES = 16
"""Bytes of a key; it is stored as twice as many hexadecimal digits."""

_WORD = re.compile(r"[^\W_]+")
_BRACKETS = re.compile(r"[(\[{]([^()\[\]{}]*)[)\]}]")
_UNIT = re.compile(r"[kmg]i?[bo]|bytes?|octets?")
_SIZE = re.compile(r"[\d.,]*\d(?:[kmg]i?[bo]|bytes?|octets?)")
_NUMBER = re.compile(r"[\d.,]+")
_YEAR = re.compile(r"(?:19|20)\d\d")
_OPAQUE = re.compile(r"(?=.*\d)[0-9a-f]{8,}")
_EDGE = " \t-–—−|:;,./·•»«>"
_SITE_NAME = re.compile(r"\s(?:\||::|»|·)\s")


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(normalised(text)))


_VERBS = _words(
    "download downloads télécharger téléchargement téléchargements descargar descarga descargas "
    "herunterladen download-link scarica scaricare baixar transferir pobierz stáhnout letöltés "
    "ladda hent lataa downloaden"
)
# Words that also mean something else ("text", "archive", "document") are left out.
_FORMATS = (frozenset(EXTENSION_GROUPS) - _words("bin dat tab por nt nc px doc dot")) | _words(
    "excel doc html spreadsheet"
)
_CONNECTING = _words(
    "the a an this le la les l ce cette das der die den dies el los las il lo gli o os as in en "
    "im als au aux to for format formats file files fichier fichiers datei dateien archivo "
    "archivos ficheiro arquivo formato version and et und y e or ou of de du des"
)
_EMPTY = _words(
    "here ici hier aquí qui click cliquez klicken data dataset datasets données daten datos dati "
    "dados table tables tableau tabelle link links lien more mehr plus más read open view see show "
    "all full series access export get save print attachment document documents archive text "
    "details info new window tab opens size taille"
)
_STRIPPED = _VERBS | _FORMATS | _CONNECTING
_LANGUAGES = _words("en fr de es it pt nl sv da fi no pl cs hu el eng fra deu esp ger fre")


def title_of(anchor: str, file_name: str, page_title: str, url: str) -> str:
    """What a file is called: the words of its link if they say it, else its page and file name."""
    words = _without_noise(plain(anchor, MAX_TITLE))
    if _says_something(words):
        return words
    page = _SITE_NAME.split(_without_noise(plain(page_title, MAX_TITLE)))[0].strip()
    name = plain(file_name, MAX_TITLE) or name_in_url(url)
    file = _file_words(name)
    if not _says_something(page):
        return file or name or words or page or plain(url, MAX_TITLE) or "?"
    # A page that lists many files as "CSV", or as "Table 12", must not call them all the same.
    part = words if any(map(str.isdigit, words)) else _new_words(file, page)
    return plain(f"{page} – {part}", MAX_TITLE) if part else page


def dataset_key(site: str, page_url: str, title: str) -> str:
    """32 digits that files share when they are the same data: same page, same title."""
    words = " ".join(_WORD.findall(normalised(title))) or title
    return _key("\0".join((site, canonical(page_url), words)))


def url_key(url: str) -> str:
    """32 digits that stand for all spellings of a URL."""
    return _key(canonical(url))


def name_in_url(url: str) -> str:
    """The last part of a URL's path, as a file name; empty if it has none."""
    try:
        path = urlsplit(url).path
    except ValueError:
        return ""
    return plain(unquote(path.rstrip("/").rpartition("/")[2], errors="replace"), MAX_TITLE)


def _key(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=KEY_BYTES).hexdigest()


def _without_noise(text: str) -> str:
    """The text without `(CSV, 12 KB)`, `Download` before it and `xlsx` behind it."""
    text = _BRACKETS.sub(lambda match: " " if _is_noise(match[1]) else match[0], text)
    tokens = text.split()
    tokens = tokens[_noisy_beginning(tokens) :]
    tokens = tokens[: len(tokens) - _noisy_beginning(tokens[::-1], formats_begin=True)]
    return " ".join(tokens).strip(_EDGE)


def _noisy_beginning(tokens: list[str], *, formats_begin: bool = False) -> int:
    """How many of the first words only say how to get the file, up to a verb or a format.

    "Excel" at the beginning of a title may be its subject, unless a verb or a colon is with it.
    """
    noisy = 0
    started = after_unit = False
    for number, token in enumerate(tokens, start=1):
        word = normalised(token).strip(_EDGE + "()[]{}*\"'")
        is_mark = word in _FORMATS or _is_size(word)
        amount = after_unit and _is_amount(word)
        if word and word not in _STRIPPED and not is_mark and not amount:
            break
        started = started or word in _VERBS or (is_mark and (formats_begin or token.endswith(":")))
        after_unit = bool(_UNIT.fullmatch(word))
        if started:
            noisy = number
    return noisy


def _is_noise(text: str) -> bool:
    words = [word for word in re.split(r"[\s,;:/|–—-]+", normalised(text)) if word]
    return all(
        word in _STRIPPED or word in _EMPTY or _is_size(word) or _is_amount(word) for word in words
    )


def _is_size(word: str) -> bool:
    return bool(_SIZE.fullmatch(word) or _UNIT.fullmatch(word))


def _is_amount(word: str) -> bool:
    return bool(_NUMBER.fullmatch(word)) and not _YEAR.fullmatch(word)


def _says_something(text: str) -> bool:
    return any(
        (sum(map(str.isalpha, word)) > 1 or not word.isascii())
        and not word.isdigit()
        and word not in _STRIPPED
        and word not in _EMPTY
        and not _is_size(word)
        for word in _WORD.findall(normalised(text))
    )


def _is_meaningful(word: str) -> bool:
    bare = normalised(word)
    if _YEAR.fullmatch(bare):
        return True
    letters = sum(letter.isalpha() for letter in bare)
    return (
        (letters >= 3 or not bare.isascii())
        and bare not in _STRIPPED
        and bare not in _EMPTY
        and not _OPAQUE.fullmatch(bare)
    )


def _new_words(file: str, page: str) -> str:
    known = _words(page)
    words = (word for word in file.split() if _is_meaningful(word) and not _words(word) <= known)
    return " ".join(words)


def _file_words(name: str) -> str:
    stem = name
    while (extension := extension_of_name(stem)) and extension in EXTENSION_GROUPS:
        stem = stem[: -len(extension) - 1]
    words = [word for word in re.split(r"[\s_.+–-]+", stem) if word]
    while len(words) > 1 and words[-1].lower() in _LANGUAGES:
        words.pop()
    return " ".join(words) if any(_is_meaningful(word) for word in words) else ""
