"""Sheets written down once, and saved in the formats that offices publish."""

import html
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import xlwt
from odf.opendocument import OpenDocumentSpreadsheet
from odf.table import CoveredTableCell, Table, TableCell, TableRow
from odf.text import P
from openpyxl import Workbook
from openpyxl.utils import range_boundaries

from crawler.readers.kinds import Kind

Row = Sequence[Any]


@dataclass(frozen=True)
class Sheet:
    """The cells of a sheet, and the ranges of them that are merged."""

    name: str
    rows: Sequence[Row]
    merged: tuple[str, ...] = ()
    hidden: bool = False
    bold: tuple[int, ...] = ()
    """Rows in bold, from 1."""
    figures_from: int = 0
    """The row, from 1, from which on numbers have a format of their own; 0 for none."""

    def spans(self) -> list[tuple[int, int, int, int]]:
        """First row, last row, first column, last column of merged cells, from 0."""
        found = []
        for one in self.merged:
            left, top, right, bottom = range_boundaries(one)
            found.append((top - 1, bottom - 1, left - 1, right - 1))
        return found

    def sizes(self) -> tuple[dict[tuple[int, int], tuple[int, int]], set[tuple[int, int]]]:
        """How far merged cells reach beyond their first, and the cells that they cover."""
        spans: dict[tuple[int, int], tuple[int, int]] = {}
        covered: set[tuple[int, int]] = set()
        for top, bottom, left, right in self.spans():
            spans[top, left] = (bottom - top, right - left)
            covered |= {
                (row, place) for row in range(top, bottom + 1) for place in range(left, right + 1)
            }
        return spans, covered - spans.keys()


@dataclass(frozen=True)
class Format:
    """A format and how sheets are saved in it."""

    ending: str
    kind: Kind
    declared: str
    save: Callable[[Sequence[Sheet]], bytes] = field(repr=False)


def xlsx(sheets: Sequence[Sheet]) -> bytes:
    """Excel 2007 and later."""
    from openpyxl.styles import Font

    book = Workbook()
    del book["Sheet"]
    for one in sheets:
        sheet = book.create_sheet(one.name)
        for row in one.rows:
            sheet.append(list(row))
        for number in one.bold:
            for cell in sheet[number]:
                cell.font = Font(bold=True)
        if one.figures_from:
            for line in sheet.iter_rows(min_row=one.figures_from):
                for cell in line:
                    if isinstance(cell.value, int | float):
                        cell.number_format = "#,##0"
        for span in one.merged:
            sheet.merge_cells(span)
        if one.hidden:
            sheet.sheet_state = "hidden"
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def xls(sheets: Sequence[Sheet]) -> bytes:
    """Excel 97."""
    book = xlwt.Workbook()
    for one in sheets:
        sheet = book.add_sheet(one.name)
        spans = {(span[0], span[2]): span for span in one.spans()}
        covered = one.sizes()[1]
        for at, row in enumerate(one.rows):
            for place, cell in enumerate(row):
                if (at, place) in spans:
                    sheet.write_merge(*spans[at, place], cell)
                elif cell is not None and (at, place) not in covered:
                    sheet.write(at, place, cell)
        if one.hidden:
            sheet.visibility = 1
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def ods(sheets: Sequence[Sheet]) -> bytes:
    """OpenDocument."""
    document = OpenDocumentSpreadsheet()
    for one in sheets:
        table = Table(name=one.name)
        spans, covered = one.sizes()
        for at, row in enumerate(one.rows):
            line = TableRow()
            for place, value in enumerate(row):
                line.addElement(_ods_cell(value, spans.get((at, place)), (at, place) in covered))
            table.addElement(line)
        document.spreadsheet.addElement(table)
    target = io.BytesIO()
    document.write(target)
    return target.getvalue()


def _ods_cell(value: Any, span: tuple[int, int] | None, is_covered: bool) -> Any:
    if is_covered:
        return CoveredTableCell()
    options: dict[str, Any] = {}
    if span is not None:
        options = {"numberrowsspanned": span[0] + 1, "numbercolumnsspanned": span[1] + 1}
    if value is None:
        return TableCell(**options)
    if isinstance(value, int | float):
        cell = TableCell(valuetype="float", value=str(value), **options)
    else:
        cell = TableCell(valuetype="string", **options)
    cell.addElement(P(text=str(value)))
    return cell


def page(sheets: Sequence[Sheet]) -> bytes:
    """An HTML page that is called a workbook; of one sheet."""
    (one,) = sheets
    spans, covered = one.sizes()
    lines = ["<html><head><meta charset='utf-8'></head><body><table>"]
    for at, row in enumerate(one.rows):
        lines.append("<tr>")
        for place, value in enumerate(row):
            if (at, place) in covered:
                continue
            high, wide = spans.get((at, place), (0, 0))
            text = "" if value is None else html.escape(str(value))
            lines.append(f"<td rowspan='{high + 1}' colspan='{wide + 1}'>{text}</td>")
        lines.append("</tr>")
    return "\n".join([*lines, "</table></body></html>"]).encode()


XLSX = Format(
    "xlsx", Kind.XLSX, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", xlsx
)
XLS = Format("xls", Kind.XLS, "application/vnd.ms-excel", xls)
ODS = Format("ods", Kind.ODS, "application/vnd.oasis.opendocument.spreadsheet", ods)
PAGE = Format("page.xls", Kind.XLS, "application/vnd.ms-excel", page)
