"""The cells of a workbook, read in a child process."""

from __future__ import annotations

import pickle
from datetime import date, datetime
from typing import IO, Any

from evalcore.readers.child.tasks import Refusal

MOST_SHEETS = 200
# Reading takes a few millionths of a second per cell, with those of the empty rectangle around them.
MOST_CELLS = 8_000_000
_MOST_MERGED = 100_000


def workbook_cells(file: IO[bytes], answer: IO[bytes], most_rows: int, most_bytes: int) -> None:
    """The titles of the sheets with a table and the widest number of columns of all, 0 if all are empty.

    Then for each such sheet the numbers of its filled rows, and its cells by column. Cells that were merged over
    several rows all hold what their first holds.
    """
    from python_calamine import CalamineWorkbook, SheetTypeEnum

    try:
        book = CalamineWorkbook.from_filelike(file)
        titles = [sheet.name for sheet in book.sheets_metadata if sheet.typ == SheetTypeEnum.WorkSheet]
    except Exception as error:
        protected = any(word in str(error).lower() for word in ("password", "encrypt"))
        raise Refusal("password" if protected else "damaged") from error
    if len(titles) > MOST_SHEETS:
        raise Refusal("sheets")
    tables: dict[str, tuple[list[int], list[list[Any]]]] = {}
    widest, total = 0, 0
    for title in titles:
        sheet = book.get_sheet_by_name(title)
        if (total := total + sheet.height * sheet.width) > MOST_CELLS:
            raise Refusal("damaged")
        rows, start = sheet.to_python(), sheet.start or (0, 0)
        _fill_merged(rows, start, sheet.merged_cell_ranges or [])
        numbers, columns = _filled(rows, start[0])
        widest = max(widest, len(columns))
        if len(numbers) > 1 and len(columns) > 1:
            tables[title] = numbers, columns
    pickle.dump((list(tables), widest), answer, protocol=pickle.HIGHEST_PROTOCOL)
    for table in tables.values():
        pickle.dump(table, answer, protocol=pickle.HIGHEST_PROTOCOL)


def _fill_merged(rows: list[list[Any]], start: tuple[int, int], merged: list[Any]) -> None:
    for (top, left), (bottom, right) in merged[:_MOST_MERGED]:
        if top < bottom and top >= start[0] and left >= start[1]:  # a title over several columns stays one cell
            value = rows[top - start[0]][left - start[1]]
            for row in rows[top - start[0] : bottom - start[0] + 1]:
                row[left - start[1] : right - start[1] + 1] = [value] * len(row[left - start[1] : right - start[1] + 1])


def _filled(rows: list[list[Any]], first: int) -> tuple[list[int], list[list[Any]]]:
    """The numbers of the rows that are not empty, and the cells of the columns that are not empty."""
    numbers = [number for number, row in enumerate(rows) if any(map(is_full, row))]
    columns = zip(*(rows[number] for number in numbers), strict=True)
    filled = [list(map(_plain, column)) for column in columns if any(map(is_full, column))]
    return [first + number for number in numbers], filled


def is_full(cell: Any) -> bool:
    """Whether a cell is not empty."""
    return bool(cell.strip()) if isinstance(cell, str) else cell == cell and cell is not None


def _plain(cell: Any) -> Any:
    """A whole number as one, and a day as the moment at which it begins."""
    if isinstance(cell, float):
        return int(cell) if cell.is_integer() else cell
    if isinstance(cell, date) and not isinstance(cell, datetime):
        return datetime(cell.year, cell.month, cell.day)
    return cell
