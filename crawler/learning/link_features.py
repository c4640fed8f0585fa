"""What a link looks like to the yield model: words of URL and anchor, and its place in a page."""

import re
from functools import lru_cache
from urllib.parse import urlsplit
from zlib import crc32

import numpy as np
import numpy.typing as npt

from crawler.pages.mime_groups import TARGET_GROUPS
from crawler.pages.url_template import url_template

SIZE = 1 << 15
"""The number of buckets that features are hashed to."""
NOTHING = SIZE
"""Fills the rest of a link's row; its weight is always 0."""
MAX_FEATURES = 24
"""Features of one link; those beyond are dropped, so the most telling come first."""

_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"[^\W_]+")
_ID = re.compile(r"#[^\s.]+")
_HEXADECIMAL = re.compile(r"(?<![0-9A-Za-z])(?=[a-f]*[0-9])[0-9a-f]{8,}(?![0-9A-Za-z])")
"""Ids that programs write into classes and paths: `js-view-dom-id-3f2a9c51`."""
_LAST_TAGS = 3
_FOLDERS, _WORDS, _ANCHOR_WORDS, _QUERY_PARTS = 4, 5, 5, 4
_MAX_LENGTH = 40

_DATA_EXTENSIONS = frozenset(
    extension for group in TARGET_GROUPS.values() for extension in group.extensions
)

_FILLED_UP = [NOTHING] * MAX_FEATURES

Row = npt.NDArray[np.uint16]
"""The features of one link, filled up with NOTHING."""


def _hashed(feature: str) -> int:
    return crc32(feature.encode("utf-8", "surrogatepass")) % SIZE


ALWAYS = _hashed("always")
DATA_FILE = _hashed("data file")
"""The extension is one of a data file: known before anything was learned."""
_RESERVED = {ALWAYS, DATA_FILE}
"""What they say before anything was learned must not be said of another feature."""


@lru_cache(maxsize=1 << 16)
def number_of(feature: str) -> int:
    """The number that a feature is hashed to."""
    number = _hashed(feature)
    while number in _RESERVED:
        feature += "'"
        number = _hashed(feature)
    return number


@lru_cache(maxsize=1 << 14)
def shape_of(tag_path: str) -> str:
    """A tag path without ids and digits: the same for pages that give every tag a unique id."""
    return _DIGITS.sub("0", _HEXADECIMAL.sub("0", _ID.sub("", tag_path)))


def features_of(url: str, anchor: str, tag_path: str, action: int, parent_action: int) -> Row:
    """The features of a link in a row of fixed length."""
    names = [f"action {action}", f"page {parent_action}"]
    names.append(f"template {url_template(_HEXADECIMAL.sub('0', url))}")
    names += _url_features(url)
    shape = shape_of(tag_path)
    names.append("tags " + " ".join(shape.split(" ")[-_LAST_TAGS:]))
    words = _WORD.findall(_folded(anchor))[:_ANCHOR_WORDS]
    names += [f"anchor {word[:_MAX_LENGTH]}" for word in words]
    numbers = dict.fromkeys([ALWAYS, *map(number_of, names)])
    if _extension(url) in _DATA_EXTENSIONS:
        numbers = dict.fromkeys([DATA_FILE, *numbers])
    return np.array([*numbers, *_FILLED_UP][:MAX_FEATURES], dtype=np.uint16)


def _url_features(url: str) -> list[str]:
    parts = urlsplit(url)
    folders, name = _folders_and_name(_folded(parts.path))
    stem, dot, extension = name.rpartition(".")
    stem, extension = (stem, extension) if dot else (name, "")
    features = [
        f"host {parts.netloc}",
        f"extension {extension[:8]}",
        f"depth {min(len(folders), 8)}",
    ]
    features += [f"under {'/'.join(folders[:deep])}" for deep in range(1, _FOLDERS + 1)][
        : len(folders)
    ]
    features += [f"folder {folder[:_MAX_LENGTH]}" for folder in folders[-2:]]
    features += [f"word {word[:_MAX_LENGTH]}" for word in _WORD.findall(stem)[:_WORDS]]
    if parts.query:
        for pair in _folded(parts.query).split("&")[:_QUERY_PARTS]:
            features += [
                f"key {pair.partition('=')[0][:_MAX_LENGTH]}",
                f"pair {pair[:_MAX_LENGTH]}",
            ]
    return features


def _folders_and_name(path: str) -> tuple[list[str], str]:
    segments = [segment for segment in path.split("/") if segment]
    return segments[:-1], segments[-1] if segments else ""


def _extension(url: str) -> str:
    _, dot, extension = urlsplit(url).path.lower().rpartition("/")[2].rpartition(".")
    return extension if dot else ""


def _folded(text: str) -> str:
    """Small letters, and every number the same: `births-2019` and `births-2020` are alike."""
    return _DIGITS.sub("0", text.lower())
