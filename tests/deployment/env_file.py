"""A file such as .env.example: names and values, and a copy with every secret filled in."""

import base64
import re
import secrets

_LINE = re.compile(r"(?P<name>[A-Z][A-Z0-9_]*)=(?P<value>.*)")


def read_env(text: str) -> dict[str, str]:
    """Names and values; ValueError for a line that is neither, or a name that comes twice."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        match = _LINE.fullmatch(line)
        if match is None or match["name"] in found:
            raise ValueError(f"not a line of NAME=value, or told twice: {line}")
        found[match["name"]] = match["value"]
    return found


def filled_in(values: dict[str, str], required: set[str]) -> dict[str, str]:
    """As a person would have it who did what the comments say."""
    made = {name: secrets.token_hex(32) for name in required}
    made["FERNET_KEY"] = base64.urlsafe_b64encode(secrets.token_bytes(32)).decode()
    return values | {name: value for name, value in made.items() if name in required}
