"""The pattern of a URL: pages made by the same program have the same one."""

import re

_DIGITS = re.compile(r"[0-9]+")
_MAX_FOLDERS = 4
_MAX_LENGTH = 120


def url_template(url: str) -> str:
    """The path with figures and names taken out, and the names of its parameters.

    `/news/2024/births-fall?id=3` is `/news/0/*?id`; names of one plain word stay, as lists and
    sections have them.
    """
    path, _, query = url.partition("?")
    segments = path.partition("://")[2].split("/")[1:]
    folders = [_DIGITS.sub("0", folder) for folder in segments[:-1][:_MAX_FOLDERS]]
    name = _name(segments[-1]) if segments else ""
    pattern = "/" + "/".join([*folders, name])
    if query:
        names = {part.partition("=")[0] for part in query.split("&")}
        pattern += "?" + "&".join(sorted(names))
    return pattern[:_MAX_LENGTH]


def _name(segment: str) -> str:
    stem, dot, extension = segment.rpartition(".")
    if not dot:
        stem, extension = segment, ""
    is_word = stem.isalpha() or not stem
    return (stem if is_word else "*") + dot + extension
