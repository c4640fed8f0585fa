"""schema.org descriptions of datasets in their pages, as search engines for data read them.

The block is data, which no browser runs, so the pages' policy needs no exception for it.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from markupsafe import Markup

from crawler.catalog.read.iri import iri
from crawler.catalog.read.records import Dataset, File, FileDetail
from crawler.webapp.wording import format_words, machine_time

CONTEXT = "https://schema.org/"
_MAX_COLUMNS = 50
_MAX_PLACES = 20
_MAX_FILES = 50
# `</script>` in a title would end the block; the others end lines of JavaScript.
_ESCAPED = {ord(mark): f"\\u{ord(mark):04x}" for mark in "<>&\u2028\u2029"}


def in_page(node: dict[str, Any]) -> Markup:
    """The JSON for inside of a script element, whatever texts are in it."""
    text = json.dumps(node, ensure_ascii=False)
    return Markup(text.translate(_ESCAPED))  # noqa: S704 - escaped just now


def dataset_node(
    shown: Dataset, page: str, home: str, download: Callable[[int], str]
) -> dict[str, Any]:
    """The description of a dataset; `download` is where the bytes of a file are."""
    about = f"{_formats(shown.files)} found on {shown.page_title or shown.site}"
    names = {"name": shown.title, "description": f"{shown.title}: {about}."}
    names["identifier"] = f"dataset {shown.id}"
    return _node(shown, names, page, home, shown.files, download)


def file_node(
    shown: FileDetail, page: str, home: str, download: Callable[[int], str], dataset: str
) -> dict[str, Any]:
    """The description of a file; `dataset` is the page of the dataset that it is part of."""
    check = shown.check
    size = f", {shown.rows:,} rows" if shown.rows else ""
    about = f"{format_words(shown.format)}{size}, found on {shown.page_title or shown.site}"
    names = {
        "name": shown.title or shown.file_name,
        "description": f"{shown.title}: {about}. {shown.citation}",
        "identifier": f"file {shown.id}",
    }
    node = _node(shown, names, page, home, [shown], download)
    node["isPartOf"] = {"@type": "Dataset", "@id": dataset, "url": dataset}
    node["version"] = str(shown.version)
    if check is not None and check.column_names:
        node["variableMeasured"] = check.column_names[:_MAX_COLUMNS]
    if check is not None and check.places:
        node["spatialCoverage"] = check.places[:_MAX_PLACES]
    return node


def _node(
    said: Dataset | FileDetail,
    names: dict[str, str],
    page: str,
    home: str,
    files: Sequence[File],
    download: Callable[[int], str],
) -> dict[str, Any]:
    modified = max((file.fetched_at for file in files), default=said.last_seen)
    node: dict[str, Any] = {
        "@context": CONTEXT,
        "@type": "Dataset",
        "@id": page,
        "url": page,
        **{name: text[:5000] for name, text in names.items()},
        "dateModified": machine_time(modified),
        "creator": {"@type": "Organization", "name": said.publisher or said.site},
        "includedInDataCatalog": {"@type": "DataCatalog", "name": "Tallyho catalog", "url": home},
        "isAccessibleForFree": True,
        "distribution": [_download(file, download(file.id)) for file in files[:_MAX_FILES]],
    }
    node |= dict(_known(said))
    if period := _period(files):
        node["temporalCoverage"] = period
    return node


def _known(said: Dataset | FileDetail) -> Iterator[tuple[str, str]]:
    if said.licence:
        yield "license", iri(said.licence) or said.licence
    if said.language:
        yield "inLanguage", said.language
    if said.published_at is not None:
        yield "datePublished", machine_time(said.published_at)
    if source := iri(said.page_url):
        yield "isBasedOn", source


def _download(file: File, address: str) -> dict[str, Any]:
    return {
        "@type": "DataDownload",
        "name": file.title or file.file_name,
        "contentUrl": address,
        "encodingFormat": file.mime.partition(";")[0],
        "contentSize": f"{file.bytes} B",
        "sha256": file.sha256,
    }


def _formats(files: Sequence[File]) -> str:
    return ", ".join(dict.fromkeys(format_words(file.format) for file in files))


def _period(files: Sequence[File]) -> str:
    """The periods of all files, as far as years say which is first and last."""
    starts = [file.period_start for file in files if file.period_start]
    ends = [file.period_end or file.period_start for file in files if file.period_start]
    if not starts:
        return ""
    first, last = min(starts), max(end or "" for end in ends)
    return first if first == last else f"{first}/{last}"
