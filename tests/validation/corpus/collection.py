"""All files of the corpus."""

from tests.validation.corpus import (
    archive_files,
    bombs,
    columnar_files,
    delimited,
    doubtful,
    encodings,
    extremes,
    json_files,
    not_data,
    old_workbooks,
    open_documents,
    pdf_files,
    sdmx_files,
    xlsx_files,
    xml_files,
)

CORPUS = (
    *encodings.SPECIMENS,
    *delimited.SPECIMENS,
    *doubtful.SPECIMENS,
    *not_data.SPECIMENS,
    *extremes.SPECIMENS,
    *json_files.SPECIMENS,
    *sdmx_files.SPECIMENS,
    *xml_files.SPECIMENS,
    *xlsx_files.SPECIMENS,
    *old_workbooks.SPECIMENS,
    *open_documents.SPECIMENS,
    *columnar_files.SPECIMENS,
    *pdf_files.SPECIMENS,
    *archive_files.SPECIMENS,
    *bombs.SPECIMENS,
)
