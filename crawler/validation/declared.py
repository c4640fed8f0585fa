"""What a file claims to be, by its name and by its server, against what it is."""

from crawler.pages.file_name import extension_of, extension_of_name
from crawler.pages.mime_groups import EXTENSION_GROUPS, HTML_TYPES, TARGET_GROUPS
from crawler.readers.kinds import ARCHIVES, Kind

# The groups of `targets` that a kind may be called without anybody being misled.
_FITTING: dict[Kind, frozenset[str]] = {
    Kind.DELIMITED: frozenset({"csv", "text", "statistical"}),
    Kind.SDMX_CSV: frozenset({"csv", "text", "sdmx"}),
    Kind.XLS: frozenset({"excel"}),
    Kind.XLSX: frozenset({"excel"}),
    Kind.XLSB: frozenset({"excel"}),
    Kind.ODS: frozenset({"ods"}),
    Kind.PARQUET: frozenset({"parquet"}),
    Kind.ARROW: frozenset({"parquet"}),
    Kind.JSON: frozenset({"json", "text", "feed", "rdf"}),
    Kind.JSON_STAT: frozenset({"json", "text"}),
    Kind.SDMX_ML: frozenset({"sdmx", "xml", "text"}),
    Kind.XML: frozenset({"xml", "rdf", "feed", "sdmx", "text", "html"}),
    Kind.PDF: frozenset({"pdf"}),
    Kind.DOCUMENT: frozenset({"document", "text", "rdf", "yaml"}),
    Kind.HTML: frozenset({"html"}),
    **dict.fromkeys(ARCHIVES, frozenset({"archive"})),
}
# Servers call these any kind of file; nothing is claimed.
_CLAIM_NOTHING = frozenset({"binary", "text"})


def disagreement(kind: Kind, name: str, declared: str) -> str | None:
    """What the file was said to be, where nothing of that fits; None where it fits or is unsaid."""
    fitting = _FITTING.get(kind)
    if fitting is None:
        return None
    by_name, by_server = _group_of_name(name), _group_of_type(declared)
    claims = [group for group in (by_name, by_server) if group]
    if not claims or any(group in fitting for group in claims):
        return None
    if all(group in _CLAIM_NOTHING for group in claims):
        return None
    said = by_name if by_name and by_name not in _CLAIM_NOTHING else by_server
    return said or None


def _group_of_name(name: str) -> str:
    ending = extension_of(name) if "://" in name else extension_of_name(name)
    return EXTENSION_GROUPS.get(ending, "html" if ending in ("html", "htm", "xhtml") else "")


def _group_of_type(declared: str) -> str:
    essence = declared.partition(";")[0].strip().lower()
    if essence in HTML_TYPES:
        return "html"
    for group in TARGET_GROUPS.values():
        for mime in group.mimes:
            if essence == mime or (mime.endswith("*") and essence.startswith(mime[:-1])):
                return group.name
    return ""
