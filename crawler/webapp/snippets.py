"""Lines to copy that load a file elsewhere: in Python, in R, as SQL, with curl.

They hold the file's ID and the address of this server, nothing from the web. The first two ask for
its rows as they are read here, so they work the same for CSV, Excel, SDMX and the rest.
"""

import json
import shlex
from dataclasses import dataclass

from crawler.catalog.export.package_descriptor import path_in_package
from crawler.catalog.read.records import FileDetail
from crawler.webapp.viewer.table_viewer import MAX_BYTES, MAX_ROWS
from crawler.webapp.viewer.view import MAX_EXPORTED


@dataclass(frozen=True, slots=True)
class Snippet:
    """A few lines of a language."""

    language: str
    text: str


def snippets(file: FileDetail, rows_url: str, download_url: str, login: str) -> list[Snippet]:
    """What loads the file; `login` names the program whose token is needed, where one is."""
    made = []
    rows = file.rows or 0
    if 0 < rows <= MAX_ROWS and file.bytes <= MAX_BYTES:
        made = [
            Snippet("Python", _python(rows_url, rows, login)),
            Snippet("R", _r(rows_url, rows, login)),
        ]
    elif rows:
        made = [Snippet("Python", _python_of_catalog(file.id))]
    if rows:
        made.append(Snippet("SQL", _sql(file.id)))
    return [*made, Snippet("curl", _curl(file, download_url, login))]


def _python(url: str, rows: int, login: str) -> str:
    head = ["import pandas as pd", ""]
    more = ""
    if login:
        head = ["import os", *head]
        more = ', storage_options={"Authorization": f"Bearer {os.environ[\'TOKEN\']}"}'
    address = json.dumps(_address(url, rows))
    if rows <= MAX_EXPORTED:
        return "\n".join([*head, f"frame = pd.read_csv({address}{more})"])
    return "\n".join(
        [
            *head,
            f"address = {address}",
            f"parts = range(0, {rows}, {MAX_EXPORTED})",
            f"frame = pd.concat([pd.read_csv(address + str(first){more}) for first in parts])",
        ]
    )


def _python_of_catalog(file_id: int) -> str:
    """Too much for one answer of the server: where the catalog is, there is no such limit."""
    lines = (
        "from crawler.catalog import open_catalog",
        "",
        f"frame = open_catalog().read({file_id})",
    )
    return "\n".join(lines)


def _r(url: str, rows: int, login: str) -> str:
    address = json.dumps(_address(url, rows))
    headers = ', headers = c(Authorization = paste("Bearer", Sys.getenv("TOKEN")))'
    if rows <= MAX_EXPORTED:
        source = f"url({address}{headers})" if login else address
        return f"frame <- read.csv({source}, check.names = FALSE)"
    part = "paste0(address, format(first, scientific = FALSE))"
    source = f"url({part}{headers})" if login else part
    return "\n".join(
        [
            f"address <- {address}",
            f"parts <- seq(0, {rows - 1}, {MAX_EXPORTED})",
            "frame <- do.call(rbind, lapply(parts, function(first)",
            f"  read.csv({source}, check.names = FALSE)))",
        ]
    )


def _address(url: str, rows: int) -> str:
    """The rows as CSV; of a long table the offset is to be added."""
    address = f"{url}?format=csv&limit={MAX_EXPORTED}"
    return address if rows <= MAX_EXPORTED else f"{address}&offset="


def _sql(file_id: int) -> str:
    return f'tallyho sql "select * from file({file_id}) limit 10"'  # noqa: S608 - an ID alone


def _curl(file: FileDetail, url: str, login: str) -> str:
    name = path_in_package(file).rpartition("/")[2]
    header = ' -H "Authorization: Bearer $TOKEN"' if login else ""
    return f"curl -fsSL{header} -o {shlex.quote(name)} {shlex.quote(url)}"
