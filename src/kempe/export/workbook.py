"""Tables as a workbook (.xlsx): one sheet of numbers, and one of what they are.

An .xlsx file is a zip of XML, of which a table of numbers needs five small parts.

Own: the parts are those that Office Open XML (ECMA-376, part 1, sec. 12.2 and 18.3) asks for.
"""

import io
import math
import zipfile
from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape

MOST_ROWS, MOST_COLUMNS = 1_048_576, 16_384  # of a sheet, by the format
EPOCH = (1980, 1, 1, 0, 0, 0)  # of the entries, so that equal tables give equal files
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
SHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"
BOOK_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"

Cell = str | float
Sheet = tuple[str, Iterable[Sequence[Cell]]]  # a name, and rows


def workbook_bytes(sheets: Sequence[Sheet]) -> bytes:
    """The file of these sheets; a number is written so that it is read back to the last bit.

    What is not finite is left empty: a sheet has no such numbers.
    """
    parts = {
        "[Content_Types].xml": _types(len(sheets)),
        "_rels/.rels": _links([("officeDocument", "xl/workbook.xml")]),
        "xl/workbook.xml": _book([name for name, _ in sheets]),
        "xl/_rels/workbook.xml.rels": _links(
            [("worksheet", f"worksheets/sheet{k}.xml") for k in range(1, len(sheets) + 1)]
        ),
    }
    for k, (_, rows) in enumerate(sheets, start=1):
        parts[f"xl/worksheets/sheet{k}.xml"] = _sheet(rows)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as package:
        for name, text in parts.items():
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            package.writestr(entry, (HEAD + text).encode())
    return buffer.getvalue()


def _sheet(rows: Iterable[Sequence[Cell]]) -> str:
    lines = [f"<row>{''.join(map(_cell, row))}</row>" for row in rows]
    pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
    view = f'<sheetViews><sheetView workbookViewId="0">{pane}</sheetView></sheetViews>'
    return f'<worksheet xmlns="{MAIN}">{view}<sheetData>{"".join(lines)}</sheetData></worksheet>'


def _cell(cell: Cell) -> str:
    if isinstance(cell, str):
        return f'<c t="inlineStr"><is><t xml:space="preserve">{escape(cell)}</t></is></c>'
    return f"<c><v>{float(cell)!r}</v></c>" if math.isfinite(cell) else "<c/>"


def _types(sheets: int) -> str:
    each = "".join(
        f'<Override PartName="/xl/worksheets/sheet{k}.xml" ContentType="{SHEET_TYPE}"/>'
        for k in range(1, sheets + 1)
    )
    links = "application/vnd.openxmlformats-package.relationships+xml"
    return (
        f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" ContentType="{links}"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{BOOK_TYPE}"/>{each}</Types>'
    )


def _links(targets: Sequence[tuple[str, str]]) -> str:
    each = "".join(
        f'<Relationship Id="rId{k}" Type="{LINKS}/{kind}" Target="{target}"/>'
        for k, (kind, target) in enumerate(targets, start=1)
    )
    return f'<Relationships xmlns="{PACKAGE}/relationships">{each}</Relationships>'


def _book(names: Sequence[str]) -> str:
    each = "".join(
        f'<sheet name="{escape(name)}" sheetId="{k}" r:id="rId{k}"/>'
        for k, name in enumerate(names, start=1)
    )
    return f'<workbook xmlns="{MAIN}" xmlns:r="{LINKS}"><sheets>{each}</sheets></workbook>'
