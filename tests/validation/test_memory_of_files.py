"""A file gets the memory that its kind and size need, and a death for want of it is said so."""

import io
from pathlib import Path

import pytest

from crawler.readers.bounds import DEFAULT_BOUNDS
from crawler.readers.content import Trouble
from crawler.validation.file_memory import PDF_MEMORY, memory_of
from crawler.validation.inspection import Inspection, InspectionRequest
from crawler.validation.inspector import FileToInspect, Inspector

pytestmark = pytest.mark.slow


def pdf_of(objects: list[bytes]) -> bytes:
    target = io.BytesIO()
    target.write(b"%PDF-1.4\n")
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(target.tell())
        target.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    start = target.tell()
    target.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    target.writelines(b"%010d 00000 n \n" % offset for offset in offsets)
    target.write(b"trailer\n<</Size %d/Root 1 0 R>>\n" % (len(objects) + 1))
    target.write(b"startxref\n%d\n%%%%EOF\n" % start)
    return target.getvalue()


def form_in_itself() -> bytes:
    """A form that draws itself, ten times: ten to the power of the depth that the library goes."""
    resources = b"/Resources<</XObject<</F 4 0 R>>>>"
    form = b"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]%s/Length 60>>\nstream\n%s\nendstream"
    return pdf_of(
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 5 0 R%s>>" % resources,
            form % (resources, b"/F Do " * 10),
            b"<</Length 5>>\nstream\n/F Do\nendstream",
        ]
    )


def inspected(paths: list[Path]) -> list[Inspection]:
    files = [FileToInspect(at, path, InspectionRequest(path.name)) for at, path in enumerate(paths)]
    with Inspector(2) as inspector:
        return [result for _, result in inspector.inspect(files)]


def test_small_pdf_files_cannot_fill_the_memory(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.pdf" for number in range(6)]
    for path in paths:
        path.write_bytes(form_in_itself())
        assert memory_of(path, DEFAULT_BOUNDS) < PDF_MEMORY + 10_000
    results = inspected(paths)
    assert {result.trouble for result in results} == {Trouble.MEMORY}
    assert "more memory than it may have" in results[0].detail


def test_the_next_file_has_its_memory_again(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("region,births\nNord,1\n")
    (tmp_path / "b.pdf").write_bytes(b"%PDF-1.4\n")
    assert memory_of(tmp_path / "a.csv", DEFAULT_BOUNDS) == DEFAULT_BOUNDS.memory
    results = inspected([tmp_path / "b.pdf", tmp_path / "a.csv"] * 3)
    assert sum(result.trouble is None for result in results) == 3


def test_sdmx_series_without_observations_take_no_memory() -> None:
    from crawler.readers.sdmx_ml import _Message

    message = _Message(DEFAULT_BOUNDS, whole=True)
    for _ in range(1000):
        message.start("Series", {"A": "1"})
        message.end("Series")
    message.start("Series", {"A": "2"})
    message.start("Obs", {"OBS_VALUE": "7"})
    message.end("Obs")
    message.end("Series")
    assert len(message._series) <= 3
    assert message.frame().to_dict("list") == {"A": ["2"], "OBS_VALUE": [7]}
