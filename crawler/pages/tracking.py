"""Parts of a URL that say who came and from where, not what is asked for."""

import re

_TRACKING = frozenset(
    {
        "_ga",
        "_gl",
        "_hsenc",
        "_hsmi",
        "_openstat",
        "at_campaign",
        "at_medium",
        "dclid",
        "fbclid",
        "gbraid",
        "gclid",
        "gclsrc",
        "hsctatracking",
        "igsh",
        "igshid",
        "li_fat_id",
        "mc_cid",
        "mc_eid",
        "mkt_tok",
        "msclkid",
        "oly_anon_id",
        "oly_enc_id",
        "s_kwcid",
        "ttclid",
        "twclid",
        "vero_id",
        "wbraid",
        "wickedid",
        "xtor",
        "yclid",
        "ymclid",
    }
)
_TRACKING_PREFIXES = ("utm_", "mtm_", "pk_", "piwik_")
_SESSION = frozenset({"phpsessid", "jsessionid", "cfid", "cftoken", "oscsid", "zenid"})
_SESSION_PREFIXES = ("aspsessionid",)
# Names that also mean other things (a session of parliament): only a long token is a session.
_PERHAPS_SESSION = frozenset({"sid", "sessid", "session", "sessionid", "session_id", "s"})
_LONG_TOKEN = re.compile(r"[0-9a-fA-F]{16,}")

_PATH_PARAMETER = re.compile(r";(?:jsessionid|phpsessid)=[^/;]*", re.IGNORECASE)
# ASP.NET without cookies: /(S(lit3py55t21z5v55vlm25s55))/page.aspx
_PATH_SEGMENT = re.compile(r"/\((?:[A-Z]\([A-Za-z0-9_-]{8,}\))+\)(?=/)")


def is_noise(name: str, value: str) -> bool:
    """Whether a query parameter only tracks the visitor or carries a session."""
    name = name.lower()
    if name in _TRACKING or name in _SESSION:
        return True
    if name.startswith(_TRACKING_PREFIXES) or name.startswith(_SESSION_PREFIXES):
        return True
    return name in _PERHAPS_SESSION and bool(_LONG_TOKEN.fullmatch(value))


def without_session_segments(path: str) -> str:
    """The path without the session ids that some servers write into it."""
    if ";" in path:
        path = _PATH_PARAMETER.sub("", path)
    if "/(" in path:
        path = _PATH_SEGMENT.sub("", path)
    return path
