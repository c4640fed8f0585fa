"""Equation 1 of paper 001, and what becomes of a URL."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.learning.url_tokens import (
    MAX_FEATURES,
    NUMBER,
    bucket,
    java_hash,
    parent_features,
    row_of,
    tokens_of,
    url_features,
)


@pytest.mark.parametrize(
    ("text", "hash_code"),
    [
        # What String.hashCode of Java answers.
        ("", 0),
        ("a", 97),
        ("hello", 99162322),
        ("Aa", 2112),
        ("BB", 2112),
        ("The quick brown fox jumps over the lazy dog", -609428141),
        ("polygenelubricants", -2147483648),
        ("é", 233),
        ("\U0001f600", 1772899),
    ],
)
def test_hash_is_that_of_java(text, hash_code):
    assert java_hash(text) == hash_code


def test_bucket_is_the_hash_modulo_k_from_zero_to_k_minus_one():
    assert bucket("hello", 10_000) == 99162322 % 10_000 == 2322
    assert bucket("polygenelubricants", 10_000) == 10_000 - 3648  # floorMod, not Java's %


@given(st.text(max_size=20), st.integers(1, 50_000))
def test_equation_1(text, k):
    units = text.encode("utf-16-be", "surrogatepass")
    values = [int.from_bytes(units[i : i + 2]) for i in range(0, len(units), 2)]
    n = len(values)
    total = sum(value * 31 ** (n - 1 - i) for i, value in enumerate(values))
    wrapped = (total + 2**31) % 2**32 - 2**31
    assert bucket(text, k) == wrapped % k


def test_tokens_are_letters_and_digits_of_three_characters_or_more():
    url = "https://www.example.org/open_data/2024/births-v2.csv?id=17&page=1234"
    assert tokens_of(url) == [
        *["https", "www", "example", "org", "open", "data", NUMBER],
        *["births", "csv", "page", NUMBER],
    ]


def test_each_token_counts_once_and_long_urls_are_cut():
    assert len(url_features("http://example.org/aaa/aaa/12/345/678", 10_000)) == 5
    many = "/".join(f"word{chr(97 + i)}" for i in range(26))
    features = url_features(f"http://example.org/{many}", 10_000)
    assert len(features) == MAX_FEATURES - 2
    row_of([*features, *parent_features(3, 2, 10_000)], 10_000)


@pytest.mark.parametrize(
    ("parents", "relevant", "expected"),
    [(0, 0, []), (2, 0, [101]), (4, 1, [100, 102]), (2, 1, [100, 103]), (3, 3, [100, 104])],
)
def test_parents_say_whether_one_is_relevant_and_which_share(parents, relevant, expected):
    assert parent_features(parents, relevant, 100) == expected
