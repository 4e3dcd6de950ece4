"""Tables in JSON and JSON Lines, read in a child process."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import repeat
from typing import IO, TYPE_CHECKING, Any

from evalcore.readers.child_columns import BATCH, MOST_COLUMNS, flattened, write_columns
from evalcore.readers.child_exports import records_of
from evalcore.readers.child_tasks import Refusal

if TYPE_CHECKING:
    import pyarrow as pa


# Columns of lists of objects, and others, of what `records_of` may know.
_LISTS = frozenset({"hits.hits", "hits", "annotations", "spans", "entities", "label", "labels"})
_OTHERS = frozenset({"_task_hash", "bbox"})


def json_columns(file: IO[bytes], answer: IO[bytes], most_rows: int, most_bytes: int) -> None:
    """The columns of a list of records, one record per line, an object of columns, or an object with one of these.

    Objects in records are flattened: {"model": {"score": 0.5}} has the column "model.score".
    """
    data = file.read()
    if _is_lines(data):
        if (table := _fast(data)) is None:
            lines = list(_lines(data))
            table = _table(_records(records_of(lines) or lines))
    else:
        content = _whole(data)
        table = _table(_columns(records_of(content) or content))
    write_columns(table.to_batches(BATCH), table.schema, answer, most_rows, most_bytes)


def _is_lines(data: bytes) -> bool:
    """Whether the first line is a whole object, and not the only line."""
    first, _, rest = data.strip().partition(b"\n")
    try:
        return bool(rest) and isinstance(json.loads(first), dict)
    except ValueError:
        return False


def _fast(data: bytes) -> pa.Table | None:
    """The records of JSON Lines as Arrow reads them; None where it cannot, or would read dates from texts."""
    import pyarrow as pa
    from pyarrow import json as arrow_json

    options = arrow_json.ReadOptions(block_size=1 << 22)
    try:
        table = flattened(arrow_json.read_json(pa.BufferReader(data), options))
    except pa.ArrowException:
        return None
    lists = {
        field.name
        for field in table.schema
        if pa.types.is_list(field.type) and pa.types.is_nested(field.type.value_type)
    }
    if lists & _LISTS or _OTHERS.intersection(table.column_names):
        return None
    distinct = len(set(table.column_names)) == table.num_columns <= MOST_COLUMNS
    return table if distinct and not any(map(pa.types.is_temporal, table.schema.types)) else None


def _lines(data: bytes) -> Iterator[Any]:
    for number, line in enumerate(data.split(b"\n"), start=1):
        if line.strip():
            try:
                yield json.loads(line)
            except json.JSONDecodeError as error:
                raise Refusal("line", number) from error


def _whole(data: bytes) -> Any:
    try:
        return json.loads(data)
    except json.JSONDecodeError as error:
        raise Refusal("line", error.lineno) from error


def _columns(content: Any) -> dict[str, list[Any]]:
    """The columns of what is not JSON Lines."""
    if isinstance(content, list):
        if content and all(isinstance(row, list) and row and isinstance(row[0], dict) for row in content):
            return {"scores": content}  # labels with their scores
        if content and all(isinstance(row, list) for row in content):  # rows below a row of names
            content = [dict(zip(map(str, content[0]), row, strict=False)) for row in content[1:]]
        return _records(content)
    if not isinstance(content, dict) or not content:
        raise Refusal("table")
    names, rows, values = content.get("columns"), content.get("data"), list(content.values())
    if len(values) == 1 and isinstance(values[0], (list, dict)):
        return _columns(values[0])
    tables = [value for value in values if isinstance(value, list) and value and isinstance(value[0], (dict, list))]
    if not any(isinstance(value, list) for value in values):
        tables = _lists_inside(content)
    if isinstance(names, list) and isinstance(rows, list) and names and rows and isinstance(rows[0], list):
        return _columns([names, *rows])
    if len(tables) == 1 and not isinstance(tables[0][0], list):
        return _columns(tables[0])
    if all(isinstance(value, list) for value in values):
        if len({len(value) for value in values}) > 1:
            raise Refusal("table")
        return {_text(name): cells for name, cells in content.items()}
    if all(isinstance(value, dict) for value in values):
        if (ranked := _ranked(content)) is not None:
            return ranked
        keys = list(values[0])
        if keys and all(key.isdigit() for value in values for key in value):  # columns of cells by row label
            return {_text(name): [cells.get(key) for key in keys] for name, cells in content.items()}
        numbered = all(key.isdigit() for key in content)
        return _records([row if numbered else {"": name} | row for name, row in content.items()])
    return _records([content])


def _lists_inside(content: dict[str, Any], depth: int = 3) -> list[list[Any]]:
    """The lists of objects in the objects of an object, such as the hits of a search engine."""
    inner = [value for value in content.values() if isinstance(value, dict)] if depth else []
    lists = [value for value in content.values() if isinstance(value, list) and value and isinstance(value[0], dict)]
    return lists + [found for value in inner for found in _lists_inside(value, depth - 1)]


def _ranked(content: dict[str, dict[str, Any]]) -> dict[str, list[Any]] | None:
    """The columns of {query: {document: score or grade}}, as pytrec_eval and ranx have them; None of other objects.

    Rows or columns by name have the same keys, and those of a square matrix are among the outer ones.
    """
    inner = {frozenset(documents) for documents in content.values()}
    every = set().union(*inner)
    numbers = [number for documents in content.values() for number in documents.values()]
    if len(inner) < 2 or every & content.keys() or not numbers:
        return None
    if not all(isinstance(number, (int, float)) and not isinstance(number, bool) for number in numbers):
        return None
    whole = all(isinstance(number, int) for number in numbers)
    pairs = [(query, document) for query, documents in content.items() for document in documents]
    queries, documents = zip(*pairs, strict=True)
    return {"query": [*queries], "document": [*documents], "grade" if whole else "score": numbers}


def _records(records: list[Any]) -> dict[str, list[Any]]:
    """Objects by column; where one lacks a key, its cell is missing."""
    columns: dict[str, list[Any]] = {}
    for number, record in enumerate(records):
        if not isinstance(record, dict):
            raise Refusal("table")
        for key, value in record.items():
            for name, cell in _parts(key, value):
                column = columns.setdefault(name, [])
                if len(column) <= number:
                    column.extend(repeat(None, number - len(column)))
                    column.append(cell)
        if len(columns) > MOST_COLUMNS:
            raise Refusal("columns")
    for column in columns.values():
        column.extend(repeat(None, len(records) - len(column)))
    # An object that is null in some records is no column of its own.
    objects = {name[:place] for name in columns for place, letter in enumerate(name) if letter == "."}
    return {name: cells for name, cells in columns.items() if name not in objects or any(c is not None for c in cells)}


def _parts(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The cells of an object by the names of their columns; a vector of Spark is one cell."""
    if isinstance(value, dict) and not isinstance(value.get("values"), list):
        for key, part in value.items():
            yield from _parts(f"{name}.{key}", part)
    else:
        yield name, value


def _table(columns: dict[str, list[Any]]) -> pa.Table:
    import pyarrow as pa

    return pa.table(list(map(_array, columns.values())), names=list(map(_text, columns)))


def _array(cells: list[Any]) -> pa.Array:
    """Cells of one type, or all as text."""
    import pyarrow as pa

    try:
        return pa.array(cells)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return pa.array([None if cell is None else _text(cell) for cell in cells], pa.string())


def _text(cell: object) -> str:
    text = cell if isinstance(cell, str) else json.dumps(cell, ensure_ascii=False)
    return text.encode("utf-8", "replace").decode()
