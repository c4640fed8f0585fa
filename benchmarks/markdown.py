"""Tables as the documents have them."""

from pathlib import Path

from crawler.lab.paper_tables import Table


def markdown(table: Table) -> str:
    """A table under its title."""
    lines = [table.columns, ("---",) * len(table.columns), *table.rows]
    return "\n".join([table.title, "", *(f"| {' | '.join(line)} |" for line in lines)])


def write_between_markers(document: Path, name: str, text: str) -> None:
    """Replace what stands between the markers of this name in a document."""
    first, last = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    before, begin, rest = document.read_text(encoding="utf-8").partition(first)
    _, end, after = rest.partition(last)
    if not begin or not end:
        raise SystemExit(f"{document} lacks the markers {first} and {last}")
    document.write_text(f"{before}{first}\n\n{text}\n\n{last}{after}", encoding="utf-8")
