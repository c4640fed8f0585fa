"""Quotes that open or close nothing: a sign for inches, or one that was never closed."""

import re

STAND_IN = "\ue022"
"""Stands for a quote that is part of a value, until the values are read."""
_MAX_LINES = 200


def set_stray_quotes_aside(data: bytes, delimiter: str) -> bytes:
    """The text with a stand-in for each stray quote, where an odd number says there is one.

    A quoted value may go over lines; a line with an odd number of quotes whose neighbour has one
    as well is the beginning or the end of such a value, and is left alone.
    """
    if data.count(b'"') % 2 == 0 or not delimiter.strip():
        return data
    lines = data.split(b"\n")
    odd = [at for at, line in enumerate(lines) if line.count(b'"') % 2]
    if len(odd) > _MAX_LINES:
        return data
    sign = re.escape(delimiter.encode())
    inner = re.compile(
        rb"(?<=[^" + sign + rb'\s"])"(?=[^' + sign + rb'\s"])|(?<=\d)"(?=\s|' + sign + rb")"
    )
    strays = [at for at in odd if inner.search(lines[at])] or odd[-1:]
    for at in strays:
        lines[at] = _without_stray(lines[at], inner)
    return b"\n".join(lines)


def _without_stray(line: bytes, inner: "re.Pattern[bytes]") -> bytes:
    stand_in = STAND_IN.encode()
    changed = inner.sub(stand_in, line)
    if changed.count(b'"') % 2:
        place = changed.find(b'"') if changed == line else changed.rfind(b'"')
        changed = changed[:place] + stand_in + changed[place + 1 :]
    return changed
