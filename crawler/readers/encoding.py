"""The encoding of a text: by its mark, by its zeros, UTF-8 where it is that, else the likeliest."""

import codecs
from collections.abc import Sequence
from typing import BinaryIO

from crawler.pages import encoding as page_encoding

HEAD = 256 * 1024
_LONG_HEAD = 4 * 1024**2
_ENOUGH_LINES = 20
_BLOCKS = 6
_BLOCK = 32 * 1024
_GUESSED_FROM = 8 * 1024
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_WIDE = ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")

# Encodings of statistics offices; a guess among all there are finds rare ones by chance.
# fmt: off
_CANDIDATES = [
    "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257",
    "iso8859_2", "koi8_r", "shift_jis", "cp932", "euc_jp", "gb18030", "big5", "euc_kr",
]
# fmt: on
_SEVERAL_BYTES = ("shift_jis", "cp932", "euc_jp", "gb18030", "big5", "euc_kr")
# A handful of accents is too little for a statistical guess among the Latin code pages, but it
# belongs to the alphabet of a language that is written in one of them.
_ALPHABETS = {
    "cp1252": (
        "àâæçéèêëîïôœùûüÿ",
        "äöüß",
        "áéíóúüñ",
        "áâãàçéêíóôõú",
        "àèéìíòóùú",
        "åäöæøé",
        "áéëèïóöüç",
        "áéíóúýþæðö",
    ),
    "cp1250": ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "čćđšž", "ăâîşţ"),
    "iso8859_2": ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áéíóöőúüű"),
    "cp1254": ("çğıöşüâîûi̇",),
    "cp1257": ("ąčęėįšųūž", "āčēģīķļņšūž", "äöõüšž"),
}


def sample_of(stream: BinaryIO, *, whole: bool = True) -> list[bytes]:
    """The head of a file and, with `whole`, some blocks from further in, cut at line ends."""
    stream.seek(0)
    head = stream.read(HEAD)
    if len(head) == HEAD and head.count(b"\n") < _ENOUGH_LINES:
        head += stream.read(_LONG_HEAD - HEAD)
    blocks = [head]
    if whole and len(head) >= HEAD:
        size = stream.seek(0, 2)
        step = (size - len(head)) // _BLOCKS
        for number in range(_BLOCKS if step > _BLOCK else 0):
            stream.seek(len(head) + number * step)
            blocks.append(_whole_lines(stream.read(_BLOCK)))
    stream.seek(0)
    return blocks


def encoding_of(blocks: Sequence[bytes], declared: str = "") -> str | None:
    """The encoding of the text that these are blocks of, the head first; None when it is no text.

    `declared` is a Content-Type, whose charset is a hint.
    """
    head = blocks[0]
    for mark, encoding in _BOMS:
        if head.startswith(mark):
            return encoding
    zeros = head.count(b"\x00", 0, HEAD)
    # A stray zero among thousands of letters is a mistake of a program, and still a text.
    if zeros > len(head) // 2000:
        return _wide(head[:HEAD])
    if _is_binary(head[:HEAD]):
        return None
    rest = b"\n".join(blocks[1:])
    joined = _whole_characters(head) + (b"\n" + rest if rest else b"")
    if _is_utf8(joined):
        return "utf-8"
    return _declared(joined, declared) or _likeliest(joined)


def _whole_lines(block: bytes) -> bytes:
    inner = block.partition(b"\n")[2]
    return inner.rpartition(b"\n")[0]


def _whole_characters(head: bytes) -> bytes:
    """A sample may end within a character; what is left of its last line is not needed."""
    return head.rpartition(b"\n")[0] or head[:-4] if len(head) >= HEAD else head


def _is_utf8(data: bytes) -> bool:
    if not _fails(data, "utf-8"):
        return True
    text = data.decode("utf-8", "replace")
    strange = text.count("\ufffd")
    # One broken letter among many whole ones does not make it another encoding.
    return len(text.encode("utf-8")) - len(text) > 22 * strange


def _wide(head: bytes) -> str | None:
    """UTF-16 or UTF-32 without a mark: the zeros of its ASCII stand at every second byte."""
    for encoding in sorted(_WIDE, reverse=True):
        width = 4 if "32" in encoding else 2
        text = head[: len(head) // width * width].decode(encoding, "replace")
        if not text or text.count("\ufffd") > 1:
            continue
        plain = sum(1 for sign in text if sign in "\n\r\t ,;|" or sign.isalnum())
        ascii_signs = sum(1 for sign in text if " " <= sign <= "~" or sign in "\n\r\t")
        if plain >= 0.5 * len(text) and ascii_signs >= 0.05 * len(text) and "\x00" not in text:
            return encoding
    return None


def _is_binary(head: bytes) -> bool:
    signs = bytes(set(range(32)) - {9, 10, 12, 13, 26, 27})
    return len(head) - len(head.translate(None, signs)) > max(2, len(head) // 1000)


def _declared(data: bytes, declared: str) -> str | None:
    if "charset" not in declared.lower():
        return None
    # Bytes that are no UTF-8, so that what the server says is what is answered.
    codec, _ = page_encoding.detect(b"\xff", declared)
    if codec in ("utf-8", "cp1252") or codec.startswith("utf-16"):
        return None
    return None if _fails(data, codec) else codec


def _likeliest(data: bytes) -> str:
    lines = [line for line in data.split(b"\n") if not line.isascii()]
    guess = _guess(_telling(lines), data)
    if guess in _SEVERAL_BYTES or len(lines) < 2:
        return guess
    # The last line may end within a character, which tells against every encoding of several bytes.
    other = _guess(_telling(lines[:-1]), data)
    return other if other in _SEVERAL_BYTES and not _fails(data, other) else guess


def _telling(lines: Sequence[bytes]) -> bytes:
    """As many lines with letters beyond ASCII as are needed for a guess."""
    telling = b""
    for line in lines:
        telling += _beginning(line, _GUESSED_FROM - len(telling)) + b"\n"
        if len(telling) >= _GUESSED_FROM:
            break
    return telling


def _guess(telling: bytes, data: bytes) -> str:
    from charset_normalizer import from_bytes

    candidates = _CANDIDATES
    if _is_narrow_katakana(telling):
        # Any bytes are narrow katakana in the Japanese encoding; texts of nothing else are not.
        candidates = [name for name in candidates if name not in ("shift_jis", "cp932")]
    best = from_bytes(telling, cp_isolation=candidates).best()
    if best is not None and best.encoding not in {*_ALPHABETS, "cp932"}:
        return str(best.encoding)
    is_cp932 = best is not None and best.encoding == "cp932"
    if is_cp932 or (candidates is _CANDIDATES and _is_japanese(telling)):
        return "cp932" if _fails(data, "shift_jis") else "shift_jis"
    return _latin_page(telling)


def _beginning(line: bytes, size: int) -> bytes:
    """The beginning of a line, never cut within a character.

    These signs are no part of a character of several bytes, in any encoding that is known here.
    """
    if len(line) <= size:
        return line
    cut = line[: max(size, 0)]
    place = max(cut.rfind(sign) for sign in (b",", b";", b"\t", b" ", b'"'))
    return cut[: place + 1] if place >= 0 else line[:_LONG_HEAD]


def _fails(data: bytes, encoding: str) -> bool:
    """Whether bytes are not of an encoding; the last character may be cut off."""
    try:
        codecs.getincrementaldecoder(encoding)("strict").decode(data)
    except (UnicodeDecodeError, LookupError):
        return True
    return False


def _is_narrow_katakana(data: bytes) -> bool:
    signs = [sign for sign in data.decode("cp932", "replace") if sign > "\x7f"]
    narrow = sum("\uff61" <= sign <= "\uff9f" for sign in signs)
    return narrow > 0.4 * len(signs)


def _is_japanese(data: bytes) -> bool:
    """Signs beyond the old standard confuse the guess; nearly no letters are Latin there."""
    if _fails(data, "cp932"):
        return False
    text = data.decode("cp932")
    return sum(1 for sign in text if sign > "\u3000") > sum(
        1 for sign in text if sign < "\x7f" and sign.isalpha()
    )


def _latin_page(data: bytes) -> str:
    best, most = "cp1252", 0.0
    for encoding, alphabets in _ALPHABETS.items():
        signs = [sign for sign in data.decode(encoding, "replace").lower() if sign > "\x7f"]
        # A letter in the place of a sign counts for the page; a sign within words against it.
        for alphabet in alphabets:
            known = sum(1 for sign in signs if sign in alphabet)
            strange = sum(1 for sign in signs if sign.isalpha() and sign not in alphabet)
            score = (known - strange) / max(1, len(signs))
            if score > most:
                best, most = encoding, score
    return best
