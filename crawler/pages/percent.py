"""Percent-encoding: what a browser encodes before it asks, and the one spelling for identity."""

import re

_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

_PATH_UNSAFE = re.compile(r"[^!$-;=@-\[\]_a-z|~]")
_QUERY_UNSAFE = re.compile(r"[^!$%&(-;=?-~]")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})?")
_SPELT_TWO_WAYS = re.compile(r"[\\^`{|}]")


def encode_path(path: str) -> str:
    """Encode what may not stand in a path; escapes that are there stay."""
    return _PATH_UNSAFE.sub(_encode, path)


def encode_query(query: str) -> str:
    """Encode what may not stand in a query; escapes that are there stay."""
    return _QUERY_UNSAFE.sub(_encode, query)


def normalise(text: str) -> str:
    """One spelling for all: unreserved characters bare, escapes in upper case, a lone % escaped."""
    if "%" in text:
        text = _ESCAPE.sub(_normal_escape, text)
    return _SPELT_TWO_WAYS.sub(_encode, text)


def _encode(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "replace"))


def _normal_escape(match: re.Match[str]) -> str:
    if match[1] is None:
        return "%25"
    byte = int(match[1], 16)
    return chr(byte) if byte in _UNRESERVED else f"%{byte:02X}"
