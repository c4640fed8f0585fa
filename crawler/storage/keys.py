"""The names of things in a store. Nothing in them comes from a URL."""

import re

_SHA256 = re.compile(r"[0-9a-f]{64}")
_KEY = re.compile(r"[a-z0-9_][a-z0-9_.-]*(/[a-z0-9_][a-z0-9_.-]*)*")
_RESERVED = frozenset({"blobs", "spool"})
MAX_KEY = 512
"""S3 allows 1,024 bytes; the rest is for the prefix of the store."""
CHECK_KEY = "check"
CHECK_BYTES = b"Written and read back before every crawl, to see that this store can be used.\n"
"""Always the same, so that a store that keeps every version of an object keeps one of it."""


def object_key(sha256: str) -> str:
    """The key of a blob, `blobs/sha256/ab/<sha256>`; ValueError unless it is a SHA-256."""
    if not is_sha256(sha256):
        raise ValueError(f"not a SHA-256 in lower-case hexadecimal: {sha256!r}")
    return f"blobs/sha256/{sha256[:2]}/{sha256}"


def is_sha256(text: str) -> bool:
    """Whether a text is a SHA-256 as keys have it."""
    return _SHA256.fullmatch(text) is not None


def is_key(text: str) -> bool:
    """Whether a text is the key of a named object, and none among the blobs."""
    words_fit = _KEY.fullmatch(text) is not None and ".." not in text
    return words_fit and len(text) <= MAX_KEY and not is_reserved(text.split("/")[0])


def is_reserved(word: str) -> bool:
    """Whether what begins with this word is no named object."""
    return word in _RESERVED


def check_key(key: str) -> str:
    """The key of a named object itself; ValueError when it is none."""
    if not is_key(key):
        raise ValueError(f"not a key of a named object: {key[:80]!r}")
    return key


def check_prefix(prefix: str) -> str:
    """The beginning of keys itself, such as `state/demo/`; ValueError when no key begins so."""
    check_key(prefix.removesuffix("/"))
    if "/" not in prefix:
        raise ValueError(f"a prefix of keys has at least one whole word: {prefix[:80]!r}")
    return prefix
