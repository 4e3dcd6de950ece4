"""Excel and OpenDocument workbooks: the first sheet that holds a table."""

from __future__ import annotations

import io
import re
import zipfile

import pandas as pd

from evalcore.readers.archives import member_names, unzipped_member
from evalcore.readers.frames import column_of
from evalcore.readers.headers import is_header, refuse_large, tidy_names
from evalcore.readers.problems import Finding, Lines, ReadProblem, listed, named
from evalcore.readers.values import text_of

# The reader holds a sheet as a full rectangle, so one cell in the last corner would need all the memory.
_MOST_CELLS = 40_000_000


def is_workbook(data: bytes, name: str) -> bool:
    """Whether some bytes are a workbook: a zip archive of its parts, or the older binary format."""
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        return True
    members = member_names(data, name) if data.startswith(b"PK") else []
    return any(member.startswith("xl/workbook") for member in members) or {"mimetype", "content.xml"} <= set(members)


def read_sheets(data: bytes, name: str, max_rows: int, max_bytes: int) -> tuple[pd.DataFrame, Lines, list[Finding]]:
    """The first sheet with a table as a plain frame, how its rows are numbered, and findings."""
    _refuse_bombs(data, name, max_bytes)
    sheets = _cells_by_sheet(data, name)
    tables = {title: cells for title, cells in sheets.items() if cells.shape[0] > 1 and cells.shape[1] > 1}
    if not tables:
        if not any(cells.size for cells in sheets.values()):
            raise ReadProblem(f"{named(name)} is empty. Open a workbook with a header and at least one row.")
        if all(cells.shape[1] == 1 for cells in sheets.values() if cells.size):
            raise ReadProblem(
                f"{named(name)} has only one column. A table needs the true values and at least one system."
            )
        raise ReadProblem(f"{named(name)} has a header but no rows. Open a workbook with at least one row.")
    title, cells = next(iter(tables.items()))
    refuse_large(name, cells.shape[1], len(cells) - 1, max_rows)
    frame, lines, findings = _table(cells)
    if len(tables) > 1:
        others = listed(other for other in tables if other != title)
        sentence = f"The workbook has {len(tables)} sheets with a table; {named(title)} is open, {others} is not. "
        findings.insert(0, Finding("info", sentence + "To open another sheet, save it as a file.", len(tables)))
    return frame, lines, findings


def _cells_by_sheet(data: bytes, name: str) -> dict[str, pd.DataFrame]:
    """The filled rectangle of each sheet, rows and columns numbered as in the sheet, from 0."""
    try:
        sheets = pd.read_excel(io.BytesIO(data), sheet_name=None, header=None, keep_default_na=False, engine="calamine")
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:  # a panic in the compiled parser is not an Exception
        if "password" in str(error).lower() or "encrypt" in str(error).lower():
            raise ReadProblem(f"{named(name)} is protected by a password. Save it without one.") from error
        raise ReadProblem(
            f"{named(name)} is a workbook that is damaged or in an unsupported format. Save it as xlsx or CSV."
        ) from error
    filled = {}
    for title, cells in sheets.items():
        full = cells.astype(object).map(lambda cell: not (isinstance(cell, str) and not cell.strip())) & cells.notna()
        filled[str(title)] = cells.loc[full.any(axis=1), full.any(axis=0)]
    return filled


def _table(cells: pd.DataFrame) -> tuple[pd.DataFrame, Lines, list[Finding]]:
    texts = [["" if cell is None or cell != cell else text_of(cell) for cell in row] for row in cells.iloc[:3].values]
    # the number of rows decides whether numbers at the top are the classes of a matrix
    body = [*texts[1:], *([[]] * (len(cells) - len(texts)))]
    header = texts[0] if is_header(texts[0], body) else None
    rows = cells.iloc[1:] if header is not None else cells
    lines = Lines(int(rows.index[0]) + 1, "row")
    names, findings = tidy_names(header, cells.shape[1], lines)
    columns = {}
    for place, name in enumerate(names):
        columns[name], more = column_of(rows.iloc[:, place].tolist(), name)
        findings += more
    return pd.DataFrame(columns), lines, findings


def _refuse_bombs(data: bytes, name: str, max_bytes: int) -> None:
    """Check the uncompressed size of a workbook and its outermost cells before parsing it."""
    if not data.startswith(b"PK"):
        return
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except Exception as error:
        raise ReadProblem(f"{named(name)} is a workbook that is damaged or truncated. Save it again.") from error
    used = 0
    with archive:
        for info in archive.infolist():
            content = unzipped_member(archive, info, name, max_bytes, used)
            used += len(content)
            if _cells_spanned(info.filename, content) > _MOST_CELLS:
                raise ReadProblem(
                    f"{named(name)} has a sheet with cells too far out to be a table. "
                    "Delete the empty rows and columns around the table, or save it as CSV."
                )


def _cells_spanned(filename: str, content: bytes) -> int:
    """Number of cells in the rectangle of a sheet, from the addresses of its cells or its repeat counts."""
    if filename == "content.xml":
        rows = sum(map(int, re.findall(rb"number-rows-repeated=\"(\d{1,9})\"", _without_empty(content))))
        widths = map(int, re.findall(rb"number-columns-repeated=\"(\d{1,9})\"", _without_empty(content)))
        return max(rows, 1) * max((*widths, 1))
    if not re.search(r"worksheets?/", filename):
        return 0
    addresses = re.findall(rb"<(?:\w+:)?c\b[^<>]*?\br=[\"']([A-Za-z]{1,3})(\d{1,7})[\"']", content)
    if not addresses:
        return 0
    columns = max({letters.upper() for letters, _ in addresses}, key=lambda letters: (len(letters), letters))
    width = 0
    for letter in columns:
        width = width * 26 + letter - 64
    return width * max(map(int, {digits for _, digits in addresses}))


def _without_empty(content: bytes) -> bytes:
    """OpenDocument without its empty cells, which LibreOffice repeats to the end of the sheet."""
    content = re.sub(rb"<table:table-cell\b[^<>]*/>", lambda cell: cell[0] if b"office:" in cell[0] else b"", content)
    return re.sub(rb"<table:table-row\b[^<>]*>\s*</table:table-row>", b"", content)
