"""Hostile JSON: depth, width, numbers, keys, surrogates and shapes that explode when flattened."""

import json

from tests.hostile.specimen import (
    BOMB,
    BROKEN,
    CORRUPT,
    DOCUMENT,
    NOT_A_DATASET,
    SUSPECT,
    TOO_DEEP,
    TRUNCATED,
    VALID,
    of_kind,
)

js, lines, stat = of_kind("json"), of_kind("ndjson"), of_kind("jsonstat.json")
RECORDS = [
    {"year": 2000 + n % 20, "area": f"R{n % 50:02}", "value": n * 37 % 9973} for n in range(300)
]


def records_with(value: str, times: int = 1) -> bytes:
    """The records, the first of which have this value as it is written in the file."""
    texts = [json.dumps({**record, "more": 0}) for record in RECORDS]
    texts[:times] = [text.replace('"more": 0', f'"more": {value}') for text in texts[:times]]
    return f"[{','.join(texts)}]".encode("utf-8", "surrogatepass")


def deep(opening: bytes, closing: bytes, levels: int) -> bytes:
    return opening * levels + b"1" + closing * levels


def all_different_keys() -> bytes:
    """Every record has keys of its own: the table would have a column for each."""
    return json.dumps([{f"k{n}-{m}": 1 for m in range(20)} for n in range(200)]).encode()


def wide_record() -> bytes:
    return json.dumps([{f"k{n}": n for n in range(5_000)}] * 3).encode()


def nested_records(levels: int) -> bytes:
    """Each record holds two more: flattened, names double at every level."""
    inner: object = 1
    for _ in range(levels):
        inner = {"left": inner, "right": inner}
    return json.dumps([{"year": 2000, "tree": inner}] * 3).encode()


def cube(sizes: list[int], values: object) -> bytes:
    """A JSON-stat cube of these sizes."""
    names = [f"d{n}" for n in range(len(sizes))]
    dimension = {
        name: {"category": {"index": {f"c{n}": n for n in range(min(size, 20))}}}
        for name, size in zip(names, sizes, strict=True)
    }
    return json.dumps(
        {
            "version": "2.0",
            "class": "dataset",
            "id": names,
            "size": sizes,
            "dimension": dimension,
            "value": values,
        }
    ).encode()


VALUES = {
    "integer-of-5000-digits": "9" * 5000,
    "integer-of-a-million-digits": "9" * 1_000_000,
    "exponent-of-nine-digits": "1e999999999",
    "negative-exponent": "-1e-999999999",
    "lone-surrogate": '"\\ud800"',
    "reversed-surrogates": '"\\udc00\\ud800"',
    "null-character": '"a\\u0000b"',
    "escape-codes": '"\\u001b[2J"',
    "text-of-three-megabytes": '"' + "a" * 3_000_000 + '"',
    "text-of-escapes": '"' + "\\u0041" * 300_000 + '"',
    "list-of-a-hundred-thousand": json.dumps([1] * 100_000),
    "record-within": '{"a": {"b": {"c": 1}}}',
    "key-of-a-megabyte": json.dumps({"k" * 1_000_000: 1}),
    "key-with-a-surrogate": '{"\\ud800": 1}',
    "empty-key": '{"": 1, " ": 2}',
    "same-key-ten-thousand-times": "{" + ",".join(['"a": 1'] * 10_000) + "}",
}

SPECIMENS = (
    *(
        js(f"value-{name}", records_with(value), VALID, "repeated-names" * (name == "empty-key"))
        for name, value in VALUES.items()
    ),
    js("lists-100000-deep", deep(b"[", b"]", 100_000), BROKEN, TOO_DEEP),
    js("objects-100000-deep", deep(b'{"a":', b"}", 100_000), BROKEN, TOO_DEEP),
    js("lists-201-deep", deep(b"[", b"]", 201), BROKEN, TOO_DEEP),
    js("mixed-1000-deep", deep(b'[{"a":', b"}]", 500), BROKEN, TOO_DEEP),
    js("opened-million-times", b"[" * 1_000_000, BROKEN, TOO_DEEP),
    js("keys-all-different", all_different_keys, VALID),
    js("record-of-five-thousand-keys", wide_record, VALID),
    js(
        "tree-of-two-to-the-fifteenth",
        lambda: nested_records(15),
        SUSPECT,
        "sentences|numeric-share",
    ),
    js(
        "constants-of-javascript",
        b'[{"a": NaN, "b": Infinity}, {"a": 1, "b": -Infinity}]',
        VALID,
    ),
    js(
        "comments",
        b'// a\n[{"a": 1}, /* b */ {"a": 2}]',
        DOCUMENT,
        "no-table|announced-kind",
    ),
    js("trailing-commas", b'[{"a": 1,}, {"a": 2,},]', BROKEN, CORRUPT),
    js("second-document-behind", b'[{"a": 1}] [{"a": 2}]', BROKEN, CORRUPT),
    js("mark-of-utf16", json.dumps(RECORDS).encode("utf-16"), VALID),
    js(
        "utf8-that-is-none",
        json.dumps(RECORDS).encode().replace(b"R07", b"R\xff\xfe"),
        VALID,
    ),
    js(
        "blanks-of-five-megabytes",
        b" " * 5_000_000 + json.dumps(RECORDS).encode(),
        NOT_A_DATASET,
        "unknown-kind",
    ),
    js("half", json.dumps(RECORDS).encode()[:5000], BROKEN, TRUNCATED),
    lines(
        "lines-100000-deep",
        b'{"a": 1}\n' + deep(b"[", b"]", 100_000),
        BROKEN,
        TOO_DEEP,
    ),
    lines(
        "one-bad-line",
        b'{"a": 1}\n' * 500 + b"{bad}\n" + b'{"a": 1}\n' * 500,
        BROKEN,
        CORRUPT,
    ),
    lines(
        "all-shapes",
        b'{"a": 1}\n[1]\n"x"\n7\nnull\n' * 500,
        DOCUMENT,
        "no-table",
    ),
    lines(
        "line-of-ten-megabytes",
        b'{"a": "' + b"x" * 10_000_000 + b'"}\n' + b'{"a": "y"}\n' * 100,
        VALID,
        "numeric-share",
    ),
    stat(
        "cube-of-ten-to-the-eighteenth",
        lambda: cube([10**6] * 3, {"0": 1}),
        BROKEN,
        CORRUPT,
    ),
    stat(
        "cube-of-thirty-dimensions",
        lambda: cube([20] * 30, [1]),
        BROKEN,
        BOMB,
    ),
    stat(
        "cube-of-negative-size",
        lambda: cube([-5, 3], [1]),
        BROKEN,
        CORRUPT,
    ),
    stat(
        "cube-of-no-size",
        lambda: cube([0, 0], []),
        SUSPECT,
        "not-empty",
    ),
    stat(
        "cube-larger-than-its-values",
        lambda: cube([10, 10], [1, 2]),
        VALID,
        "numeric-share",
    ),
    stat(
        "cube-of-far-values",
        lambda: cube([5, 5], {str(10**15): 1}),
        VALID,
        "numeric-share",
    ),
)
