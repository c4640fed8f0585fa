"""How much memory a file may take, by what it is: a short PDF needs less than a large workbook."""

from pathlib import Path

from crawler.readers.bounds import Bounds
from crawler.validation.confinement import limit_memory

PDF_MEMORY = 600 * 1000**2
PDF_MEMORY_PER_BYTE = 10
_PDF = b"%PDF-"
_HEAD = 1024


def limit_memory_of(path: Path, bounds: Bounds) -> None:
    """Lowers the limit of this process to what the file may take."""
    limit_memory(memory_of(path, bounds))


def memory_of(path: Path, bounds: Bounds) -> int:
    """Bytes that reading the file may take.

    Forms that contain each other let a PDF of 600 bytes fill any memory while a page is loaded.
    """
    with path.open("rb") as file:
        is_pdf = _PDF in file.read(_HEAD)
    if not is_pdf:
        return bounds.memory
    return min(bounds.memory, PDF_MEMORY + PDF_MEMORY_PER_BYTE * path.stat().st_size)
