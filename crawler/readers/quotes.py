"""Quotes that open or close nothing: a sign for inches, or one that was never closed."""

import re

STAND_IN = "\ue022"
"""Stands for a quote that is part of a value, until the values are read."""
_MAX_LINES = 200
MAX_LINES_OF_A_VALUE = 1000
"""A quoted value with more lines, which look like rows, was never closed."""
_SAMPLED = 100
_PIECE = 16 * 1024**2
_QUOTE, _LINE_END = ord('"'), ord("\n")


def set_stray_quotes_aside(data: bytes, delimiter: str) -> bytes:
    """The text with a stand-in for each stray quote, where an odd number says there is one.

    A quoted value may go over lines; a line with an odd number of quotes whose neighbour has one
    as well is the beginning or the end of such a value, and is left alone.
    """
    if not delimiter.strip():
        return data
    data = _without_swallowed_lines(data, delimiter.encode())
    if data.count(b'"') % 2 == 0:
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


def _without_swallowed_lines(data: bytes, delimiter: bytes) -> bytes:
    """The text with stand-ins for two quotes that have rows upon rows between them.

    Two quotes that were never closed are even in number: the second closes what the first opened,
    and all the lines between them would be one value.
    """
    pieces: list[bytes] = []
    stand_in, done = STAND_IN.encode(), 0
    for first, last in _long_values(data):
        opening, closing = data.rfind(b'"', done, first), data.find(b'"', last)
        sample = data[first + 1 : last].split(b"\n", _SAMPLED)[:_SAMPLED]
        are_rows = 2 * sum(delimiter in line for line in sample) > len(sample)
        if min(opening, closing) >= 0 and are_rows:
            pieces += [data[done:opening], stand_in, data[opening + 1 : closing], stand_in]
            done = closing + 1
    return b"".join([*pieces, data[done:]]) if pieces else data


def _long_values(data: bytes) -> list[tuple[int, int]]:
    """The first and the last end of a line within each quoted value of very many lines."""
    if b'"' not in data:
        return []
    import numpy as np

    # Of each line whose end lies otherwise than that of the line before, within a quoted value
    # or not: its number, where it ends, and where the line before it ended.
    turns: list[np.ndarray] = []
    is_inside, before, count, end_before = 0, 0, 0, 0
    for start in range(0, len(data), _PIECE):
        signs = np.frombuffer(data, np.uint8, min(_PIECE, len(data) - start), start)
        inside = np.bitwise_xor.accumulate((signs == _QUOTE).astype(np.uint8)) ^ is_inside
        is_inside = int(inside[-1])
        ends = np.flatnonzero(signs == _LINE_END)
        if not len(ends):
            continue
        states = inside[ends]
        at = np.flatnonzero(np.diff(states, prepend=np.uint8(before)))
        ends += start
        turns.append(np.stack([at + count, ends[at], np.concatenate([[end_before], ends])[at]]))
        before, count, end_before = int(states[-1]), count + len(ends), int(ends[-1])
    numbers, ends, ends_before = np.concatenate(turns, axis=1) if turns else np.empty((3, 0), int)
    # The first turn leads into a value, the second out of it.
    pairs = len(numbers) // 2 * 2
    is_long = numbers[1:pairs:2] - numbers[0:pairs:2] > MAX_LINES_OF_A_VALUE
    firsts, lasts = ends[0:pairs:2][is_long], ends_before[1:pairs:2][is_long]
    return list(zip(firsts.tolist(), lasts.tolist(), strict=True))


def _without_stray(line: bytes, inner: "re.Pattern[bytes]") -> bytes:
    stand_in = STAND_IN.encode()
    changed = inner.sub(stand_in, line)
    if changed.count(b'"') % 2:
        place = changed.find(b'"') if changed == line else changed.rfind(b'"')
        changed = changed[:place] + stand_in + changed[place + 1 :]
    return changed
