"""Tables and edits of them whose difference is known beforehand."""

from dataclasses import dataclass, field

import pandas as pd
from hypothesis import strategies as st

from crawler.differences.records import Value

REGIONS = ["Ain", "Corsica", "Kärnten", "North-West", "Île-de-France", "Zürich", "x, y", "ÅÄÖ"]
YEARS = range(1998, 2026)
TEXTS = ["provisional", "final", "estimated", "", "see note 1"]
ANCHORS = [("Ain", 1998), ("Ain", 1999), ("Corsica", 1998), ("Corsica", 1999)]
"""Rows that stay, with one status: no other columns than region and year tell rows apart, as
otherwise there would be two ways to see what was done."""
Row = dict[str, Value]


@dataclass
class Edits:
    """A table before and after, and what was done to it."""

    old: pd.DataFrame
    new: pd.DataFrame
    key: tuple[str, ...]
    added: list[Row] = field(default_factory=list)
    gone: list[Row] = field(default_factory=list)
    revised: dict[tuple[tuple[Value, ...], str], tuple[Value, Value]] = field(default_factory=dict)
    columns_added: set[str] = field(default_factory=set)
    columns_gone: set[str] = field(default_factory=set)
    renamed: dict[str, str] = field(default_factory=dict)


def _figure(draw, base: int) -> Value:
    """A figure of a column: the columns' ranges do not overlap, so that none looks renamed."""
    choice = draw(st.integers(0, 9))
    if choice == 0:
        return None
    return base + draw(st.integers(0, 9_999)) + (0.5 if choice < 5 else 0)


@st.composite
def edited_tables(draw) -> Edits:
    """A table of figures by region and year, edited in every way at once."""
    drawn = draw(
        st.lists(
            st.tuples(st.sampled_from(REGIONS), st.sampled_from(YEARS)),
            min_size=3,
            max_size=40,
            unique=True,
        )
    )
    keys = [key for key in drawn if key not in ANCHORS] + ANCHORS
    measures = [f"measure {number}" for number in range(draw(st.integers(1, 4)))]
    has_text = draw(st.booleans())

    def fresh(key: tuple[str, int]) -> Row:
        row: Row = {"region": key[0], "year": key[1]}
        for number, name in enumerate(measures):
            row[name] = _figure(draw, 100_000 * (number + 1))
        if has_text:
            row["status"] = "final" if key in ANCHORS else draw(st.sampled_from(TEXTS))
        return row

    gone_count = draw(st.integers(0, len(keys) // 5))
    added_count = draw(st.integers(0, len(keys) // 5))
    old_keys, added_keys = keys[added_count:], keys[:added_count]
    old_rows = [fresh(key) for key in old_keys]
    gone_rows, kept_rows = old_rows[:gone_count], old_rows[gone_count:]
    new_rows = [dict(row) for row in kept_rows]
    added_rows = [fresh(key) for key in added_keys]

    columns_gone: set[str] = set()
    renamed: dict[str, str] = {}
    columns_added: set[str] = set()
    revised: dict[tuple[tuple[Value, ...], str], tuple[Value, Value]] = {}
    for number, name in enumerate(measures):
        fate = draw(st.sampled_from(["stays", "stays", "stays", "gone", "renamed"]))
        if fate == "gone" and len(measures) - len(columns_gone) > 1:
            columns_gone.add(name)
            continue
        after = name
        if fate == "renamed" and any(row[name] is not None for row in new_rows):
            after = renamed[name] = draw(st.sampled_from([name.upper(), f"figure of {name}"]))
        else:
            chosen = st.lists(st.integers(0, len(new_rows) - 1), unique=True, max_size=5)
            for place in draw(chosen):
                value = _figure(draw, 100_000 * (number + 1))
                row = new_rows[place]
                if value != row[name]:
                    revised[(row["region"], row["year"]), after] = (row[name], value)
                    row[name] = value
        if after != name:
            for row in [*new_rows, *added_rows]:
                row[after] = row.pop(name)
    if has_text and draw(st.booleans()):
        row = new_rows[draw(st.integers(0, len(new_rows) - 1))]
        is_anchor = (row["region"], row["year"]) in ANCHORS
        text = draw(st.sampled_from(TEXTS))
        before = row["status"]
        if text != before and not is_anchor:
            revised[(row["region"], row["year"]), "status"] = (before, text)
            row["status"] = text
    if draw(st.booleans()):
        columns_added.add("new measure")
        for row in [*new_rows, *added_rows]:
            row["new measure"] = _figure(draw, 9_000_000)
    for name in columns_gone:
        for row in [*new_rows, *added_rows]:
            del row[name]

    order = draw(st.permutations([*new_rows, *added_rows]))
    names = draw(st.permutations(list(order[0])))
    old, new = pd.DataFrame(old_rows), pd.DataFrame(order, columns=names)
    return Edits(
        old,
        new,
        ("region", "year"),
        added_rows,
        gone_rows,
        revised,
        columns_added,
        columns_gone,
        renamed,
    )
