"""Names and types from strangers become harmless headers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.storage.attachment import OCTETS, attachment, content_type, harmless_type


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("births.csv", "attachment; filename=\"births.csv\"; filename*=UTF-8''births.csv"),
        ("", "attachment; filename=\"download\"; filename*=UTF-8''download"),
        ("..", "attachment; filename=\"download\"; filename*=UTF-8''download"),
        ("../../etc/passwd", "attachment; filename=\"_.._etc_passwd\"; filename*=UTF-8''_.._etc_p"),
        ('a";x="b', 'attachment; filename="a__x=_b"'),
        ("人口.xlsx", "attachment; filename=\"xlsx\"; filename*=UTF-8''%E4%BA%BA%E5%8F%A3.xlsx"),
        ("a\u202ecsv.exe", 'attachment; filename="a_csv.exe.txt"'),
        ("table.HTML", 'attachment; filename="table.HTML.txt"'),
        ("table.svg.", 'attachment; filename="table.svg.txt"'),
        ("html", 'attachment; filename="html.txt"'),
        ("html.csv", 'attachment; filename="html.csv"'),
    ],
)
def test_file_name_is_kept_as_far_as_it_is_safe(name: str, expected: str) -> None:
    assert attachment(name).startswith(expected)


def test_long_name_is_cut_before_its_extension() -> None:
    made = attachment("a" * 1000 + ".csv")
    assert len(made) < 400
    assert made.endswith("aaa.csv")


@given(st.text(st.characters(), max_size=300))
def test_no_name_breaks_out_of_the_header(name: str) -> None:
    made = attachment(name)
    assert made.isascii()
    assert made.isprintable()
    assert made.startswith('attachment; filename="')
    assert made.count('"') == 2
    assert not any(mark in made.split('"')[1] for mark in "/\\;%")


@pytest.mark.parametrize(
    ("mime", "expected"),
    [
        ("text/csv; charset=utf-8", "text/csv"),
        ("Application/VND.ms-Excel", "application/vnd.ms-excel"),
        ("text/html", OCTETS),
        ("image/svg+xml", OCTETS),
        ("", OCTETS),
        ("text/csv\r\nX-Evil: 1", OCTETS),
        ("nonsense", OCTETS),
    ],
)
def test_only_types_that_browsers_save_are_told(mime: str, expected: str) -> None:
    assert harmless_type(mime) == expected


@pytest.mark.parametrize(
    ("mime", "encoding", "expected"),
    [
        ("text/csv", "cp1252", "text/csv; charset=windows-1252"),
        ("text/csv; charset=utf-8", "cp1252", "text/csv; charset=windows-1252"),
        ("text/csv", "utf-8-sig", "text/csv; charset=utf-8"),
        ("text/plain", "iso8859_2", "text/plain; charset=iso-8859-2"),
        ("text/plain", "cp932", "text/plain; charset=shift_jis"),
        ("text/csv", "", "text/csv"),
        ("text/csv", "no such\r\nX: y", "text/csv"),
        ("application/zip", "utf-8", "application/zip"),
        ("text/html", "utf-8", OCTETS),
    ],
)
def test_text_names_its_encoding_as_the_web_does(mime: str, encoding: str, expected: str) -> None:
    assert content_type(mime, encoding) == expected
