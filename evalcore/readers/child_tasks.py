"""What a child process does: read the cells of a workbook or the columns of a Parquet file, within limits.

It runs as a script and knows nothing of Evalcore, because importing it would take longer than reading most files. The
file is its standard input and the content its standard output; its exit code says why there is none.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
from contextlib import suppress
from datetime import date, datetime
from typing import IO, Any

MOST_SHEETS = 200
# Reading takes a few millionths of a second per cell, with those of the empty rectangle around them.
MOST_CELLS = 8_000_000

EXIT_CODES = {word: code for code, word in enumerate(("damaged", "password", "sheets", "rows", "bytes"), 3)}
"""Why a file is refused, in a word that the parent process turns into a sentence. Python itself exits with 1 or 2."""

_BATCH = 1 << 16


class Refusal(Exception):
    """A file is refused, for one of the words above."""


def workbook_cells(file: IO[bytes], answer: IO[bytes], most_rows: int, most_bytes: int) -> None:
    """The titles of the sheets with a table, the numbers of the filled rows of the first, and its cells by column.

    Without such a sheet, there are no titles, and instead of cells the widest number of columns, 0 if all are empty.
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
    tables, cells, widest, total = [], ([], []), 0, 0
    for title in titles:
        sheet = book.get_sheet_by_name(title)
        if (total := total + sheet.height * sheet.width) > MOST_CELLS:
            raise Refusal("damaged")
        numbers, columns = _filled(sheet.to_python(), (sheet.start or (0, 0))[0])
        widest = max(widest, len(columns))
        if len(numbers) > 1 and len(columns) > 1:
            cells = cells if tables else (numbers, columns)
            tables.append(title)
    pickle.dump((tables, *(cells if tables else ([], widest))), answer, protocol=pickle.HIGHEST_PROTOCOL)


def parquet_columns(file: IO[bytes], answer: IO[bytes], most_rows: int, most_bytes: int) -> None:
    """An Arrow stream of the table, dictionaries expanded and columns of lists and structures empty."""
    import pyarrow as pa
    from pyarrow import ipc, parquet

    source = parquet.ParquetFile(pa.PythonFile(file, "r"))
    kinds = [field.type for field in source.schema_arrow]
    kinds = [kind.storage_type if isinstance(kind, pa.BaseExtensionType) else kind for kind in kinds]
    kinds = [kind.value_type if pa.types.is_dictionary(kind) else kind for kind in kinds]
    names = source.schema_arrow.names
    flat = [name for name, kind in zip(names, kinds, strict=True) if not pa.types.is_nested(kind)]
    fields = [pa.field(str(index), kind) for index, kind in enumerate(kinds)]
    schema = pa.schema(fields, {"names": json.dumps(names)})
    rows, size = 0, 0
    with ipc.new_stream(answer, schema) as stream:
        for batch in source.iter_batches(_BATCH, columns=None if len(flat) == len(names) else flat):
            rows += batch.num_rows
            if rows > most_rows:
                raise Refusal("rows")
            if batch.schema.names != flat:
                raise ValueError("columns that cannot be told apart")
            given = iter(batch.columns)
            columns = []
            for kind in kinds:
                column = pa.nulls(len(batch), kind) if pa.types.is_nested(kind) else next(given).cast(kind)
                size += column.nbytes
                if size > most_bytes:
                    raise Refusal("bytes")
                columns.append(column)
            expanded = pa.record_batch(columns, schema=schema)
            expanded.validate(full=True)
            stream.write_batch(expanded)


def _filled(rows: list[list[Any]], first: int) -> tuple[list[int], list[list[Any]]]:
    """The numbers of the rows that are not empty, and the cells of the columns that are not empty."""
    numbers = [number for number, row in enumerate(rows) if any(map(_is_full, row))]
    columns = zip(*(rows[number] for number in numbers), strict=True)
    filled = [list(map(_plain, column)) for column in columns if any(map(_is_full, column))]
    return [first + number for number in numbers], filled


def _is_full(cell: Any) -> bool:
    return bool(cell.strip()) if isinstance(cell, str) else cell == cell and cell is not None


def _plain(cell: Any) -> Any:
    """A whole number as one, and a day as the moment at which it begins."""
    if isinstance(cell, float):
        return int(cell) if cell.is_integer() else cell
    if isinstance(cell, date) and not isinstance(cell, datetime):
        return datetime(cell.year, cell.month, cell.day)
    return cell


def _limit(memory: int, seconds: int) -> None:
    """Limit this process; where the system cannot, the parent still stops it in time."""
    os.environ |= {"ARROW_DEFAULT_MEMORY_POOL": "system", "MALLOC_ARENA_MAX": "2"}
    with suppress(ImportError):
        import resource

        for what, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CPU, seconds), (resource.RLIMIT_CORE, 0)):
            with suppress(ValueError, OSError):
                resource.setrlimit(what, (most, most))


def main(task: str, rows: str, size: str, memory: str, seconds: str, *path: str) -> None:
    """Do one task, with the limits and the import path of the parent process."""
    sys.path[:] = path
    _limit(int(memory), int(seconds))
    try:
        TASKS[task](sys.stdin.buffer, sys.stdout.buffer, int(rows), int(size))
    except Refusal as refusal:
        sys.exit(EXIT_CODES[str(refusal)])
    except BaseException:  # no memory, or damage anywhere in the file; a panic is not an Exception
        sys.exit(EXIT_CODES["damaged"])


TASKS = {"cells": workbook_cells, "columns": parquet_columns}

if __name__ == "__main__":
    main(*sys.argv[1:])
