"""Decoding gives back what was packed, whatever the pieces, and notices every early end."""

import gzip
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.web.decoding import PIECE, CorruptBody, decoder


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "GZIP ": gzip.compress,
    "deflate": zlib.compress,
    "Deflate": raw_deflate,
    "identity, gzip": gzip.compress,
    "": bytes,
    "identity": bytes,
    "utf-8": bytes,
}


def unpack(encoding: str, packed: bytes, step: int) -> bytes:
    decoding = decoder(encoding)
    pieces = []
    for start in range(0, len(packed), step):
        for piece in decoding.decode(packed[start : start + step]):
            assert len(piece) <= max(PIECE, step)
            pieces.append(piece)
    decoding.finish()
    return b"".join(pieces)


@pytest.mark.parametrize("encoding", PACKERS)
@given(data=st.binary(max_size=3000), step=st.integers(1, 4000), times=st.integers(1, 100))
def test_what_was_packed_comes_back(encoding: str, data: bytes, step: int, times: int) -> None:
    whole = data * times
    assert unpack(encoding, PACKERS[encoding](whole), step) == whole


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "Deflate"])
def test_every_early_end_is_noticed(encoding: str) -> None:
    packed = PACKERS[encoding](b"year,births\n1999,7\n" * 50)
    for end in range(1, len(packed)):
        with pytest.raises(CorruptBody):
            unpack(encoding, packed[:end], 16)


def test_every_flipped_byte_of_gzip_data_is_noticed() -> None:
    data = b"year,births\n1999,7\n" * 5
    packed = gzip.compress(data)
    for position in range(10, len(packed)):
        broken = bytearray(packed)
        broken[position] ^= 0x5A
        with pytest.raises(CorruptBody):
            unpack("gzip", bytes(broken), 16)


@pytest.mark.parametrize("step", [1, 7, 1000])
def test_gzip_members_follow_each_other_and_padding_is_ignored(step: int) -> None:
    packed = gzip.compress(b"one,") + gzip.compress(b"two")
    assert unpack("gzip", packed, step) == b"one,two"
    assert unpack("gzip", packed + bytes(20), step) == b"one,two"


def test_second_member_that_ends_early_is_noticed() -> None:
    packed = gzip.compress(b"one") + gzip.compress(b"two" * 100)[:-4]
    with pytest.raises(CorruptBody):
        unpack("gzip", packed, 1000)


def test_empty_body_is_empty_in_every_encoding() -> None:
    assert {unpack(encoding, b"", 1) for encoding in PACKERS} == {b""}


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_bomb_comes_in_small_pieces(encoding: str) -> None:
    packed = PACKERS[encoding](bytes(20_000_000))
    sizes = [len(piece) for piece in decoder(encoding).decode(packed)]
    assert max(sizes) == PIECE
    assert sum(sizes) == 20_000_000


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "deflate, gzip", "compress"])
def test_coding_that_was_not_asked_for_is_refused(encoding: str) -> None:
    with pytest.raises(CorruptBody):
        decoder(encoding)
