"""Tables made of random cells, written in several formats and read back: no row may be lost."""

import io
import random
from collections.abc import Sequence
from typing import Any

import pytest

from crawler.readers.encoding import HEAD, encoding_of, sample_of
from crawler.readers.reading import read_file
from tests.validation.corpus.sheets import Sheet, ods, xlsx

FEW, MANY = 120, 2_000
LABELS = (
    "North", "Sex: Male", "ESTAT:UNE_RT_M(1.0)", "http://example.org/a?b=1", "Age 15-24", "a: b",
    "Note 7 district", "Source river", "C", "Île-de-France", "x*", "1st quarter", "Total",
)  # fmt: skip
NAMES = ("Births", "Deaths", "Rate", "Total")
FLAGS = ("", "", "", " p", " e", " (a)")
MARKS = ("..", ":", "", "", "-")
NOTES = ("Source: Office of Statistics", "1) Provisional figures.", "* see the notes", "Note: x")
SIGNS = (",", ";", "\t")


def table(draw: random.Random) -> tuple[list[str], list[list[str]]]:
    """A header, and rows with a label, an identifier and figures, some of them missing."""
    width = draw.randint(2, 6)
    names = [
        f"{draw.choice(('Births', 'Deaths', 'Rate', 'Total'))} {place}" for place in range(width)
    ]
    rows = []
    has_ids = draw.random() < 0.3
    for at in range(draw.randint(3, 30)):
        figures = []
        for _ in range(width):
            chance = draw.random()
            if chance < 0.12:
                figures.append(draw.choice(MARKS))
            else:
                number = (
                    str(draw.randint(0, 10**6)) if chance < 0.7 else f"{draw.random() * 99:.2f}"
                )
                figures.append(number + (draw.choice(FLAGS) if chance > 0.95 else ""))
        # A row of full width: a figure in the first column at least.
        figures[0] = figures[0] or "0"
        label = f"{draw.choice(LABELS)} {at}"
        rows.append([label, *([str(10**17 + at)] if has_ids else []), *figures])
    return ["Region", *(["Id"] if has_ids else []), *names], rows


def laid_out(draw: random.Random, header: list[str], rows: list[list[str]]) -> list[list[str]]:
    """The table with or without a title, a line of groups, and notes."""
    width = len(header)
    lines: list[list[str]] = []
    if draw.random() < 0.5:
        lines += [["Births and deaths by region"], *([[""]] if draw.random() < 0.5 else [])]
    if draw.random() < 0.3 and width > 4:
        lines.append(["", "2022", "", "2023", *[""] * (width - 4)])
    lines += [header, *rows]
    if draw.random() < 0.5:
        lines += [[""], *[[note] for note in draw.sample(NOTES, draw.randint(1, 3))]]
    return [line + [""] * (width - len(line)) for line in lines]


def written(draw: random.Random, lines: Sequence[Sequence[str]]) -> tuple[str, bytes]:
    """The lines in one of the formats, and its name."""
    form = draw.choice(("csv", "csv", "tsv", "xlsx", "ods"))
    if form in ("csv", "tsv"):
        sign = "\t" if form == "tsv" else draw.choice(SIGNS[:2])
        return form, "\n".join(sign.join(line) for line in lines).encode()
    cells = [[_cell(value) for value in line] for line in lines]
    sheet = Sheet("Data", cells)
    return form, (xlsx if form == "xlsx" else ods)([sheet])


def _cell(value: str) -> Any:
    if not value:
        return None
    if value.isdigit() and len(value) < 15:
        return int(value)
    try:
        return float(value) if "." in value and len(value) < 15 else value
    except ValueError:
        return value


def check(seed: int) -> None:
    """Writes a table and reads it back; every label must be there, in order."""
    draw = random.Random(seed)
    header, rows = table(draw)
    form, data = written(draw, laid_out(draw, header, rows))
    found = read_file(io.BytesIO(data), name=f"data.{form}").table
    labels = [str(value) for value in found.frame.iloc[:, 0].tolist()]
    said = f"seed {seed}, {form}: {found.ledger}"
    assert [row[0] for row in rows] == labels[-len(rows) :], said
    assert found.rows == len(rows), said
    assert found.ledger.unaccounted == 0, said
    if "Id" in header:
        ids = found.frame.iloc[:, 1].astype(str).tolist()
        assert ids == [row[1] for row in rows], said


@pytest.mark.parametrize("start", range(0, FEW, 20))
def test_no_row_of_full_width_is_lost(start: int) -> None:
    for seed in range(start, start + 20):
        check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(FEW, MANY, 188))
def test_no_row_of_full_width_is_lost_in_many_tables(start: int) -> None:
    for seed in range(start, min(start + 188, MANY)):
        check(seed)


ASIAN = {
    "big5": ("縣市,人口數,出生數", "臺北市"),
    "gb18030": ("地区,总人口,出生人数", "黑龙江省"),
    "shift_jis": ("都道府県,人口,出生数", "神奈川県"),
    "euc_jp": ("都道府県,人口,出生数", "神奈川県"),
    "euc_kr": ("시도,인구,출생아수", "서울특별시"),
}


@pytest.mark.parametrize("encoding", ASIAN)
def test_encoding_is_found_wherever_a_sample_is_cut(encoding: str) -> None:
    head, name = ASIAN[encoding]
    text = head + "\n" + "".join(f"{name},{at},{7 * at}\n" for at in range(16_000))
    for offset in range(8):
        data = ("x" * offset + text).encode(encoding)
        assert len(data) > HEAD
        found = encoding_of(sample_of(io.BytesIO(data), whole=False))
        assert found is not None
        assert data.decode(found) == data.decode(encoding), offset


@pytest.mark.parametrize("encoding", ASIAN)
def test_encoding_is_found_in_a_text_that_ends_anywhere(encoding: str) -> None:
    head, name = ASIAN[encoding]
    data = (head + "\n" + "".join(f"{name},{at},{7 * at}\n" for at in range(60))).encode(encoding)
    for end in range(80, 480):
        cut = data[:end]
        found = encoding_of([cut])
        assert found is not None
        assert cut.decode(found, "ignore") == cut.decode(encoding, "ignore"), end
