"""Documents for people: their text, and nothing that is hidden in them."""

import io
import zipfile

import pytest
from odf.opendocument import OpenDocumentText
from odf.text import P

from crawler.readers.content import Paper, Trouble
from crawler.readers.paper import read_paper
from crawler.readers.unreadable import Unreadable

TEXT = "Les naissances de l'année écoulée"


def zipped(parts: dict[str, str]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return target.getvalue()


def docx(text: str = TEXT, before: str = "") -> bytes:
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    body = f"<w:body><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:body>"
    return zipped(
        {"word/document.xml": f'{before}<w:document xmlns:w="{space}">{body}</w:document>'}
    )


def odt() -> bytes:
    document = OpenDocumentText()
    document.text.addElement(P(text=TEXT))
    target = io.BytesIO()
    document.write(target)
    return target.getvalue()


def rtf() -> bytes:
    text = TEXT.replace("é", "\\'e9")
    return ("{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}\\f0\\fs24 " + text + "\\par}").encode("ascii")


def paper_of(data: bytes) -> Paper:
    found = read_paper(io.BytesIO(data)).paper
    assert found is not None
    return found


@pytest.mark.parametrize("make", [docx, odt, rtf])
def test_text_of_a_document_is_read(make):
    paper = paper_of(make())
    assert paper.sample == TEXT
    assert paper.characters == len(TEXT)


def test_old_document_is_not_opened():
    paper = paper_of(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(5000))
    assert (paper.characters, paper.sample) == (0, "")


def test_document_with_a_password_is_told():
    name = "EncryptedPackage".encode("utf-16-le")
    with pytest.raises(Unreadable) as told:
        read_paper(io.BytesIO(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600) + name + bytes(600)))
    assert told.value.trouble is Trouble.ENCRYPTED


def test_entities_are_not_opened(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("hidden")
    laughs = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    head = f'<!DOCTYPE x [<!ENTITY e0 "ha"><!ENTITY s SYSTEM "{secret.as_uri()}">{laughs}]>'
    try:
        paper = paper_of(docx("&s;&e9;", head))
    except Unreadable:
        return
    assert "hidden" not in paper.sample
    assert paper.characters < 1000


def test_bomb_in_a_document_is_refused():
    with pytest.raises(Unreadable) as told:
        read_paper(io.BytesIO(docx("a" * 30_000_000)))
    assert told.value.trouble is Trouble.BOMB


def test_long_text_is_read_so_far():
    words = " ".join(str(number) for number in range(300_000))
    paper = paper_of(docx(words))
    assert len(paper.sample) == 4000
