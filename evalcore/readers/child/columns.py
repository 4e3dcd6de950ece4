"""The columns of Parquet, Arrow and other tables as an Arrow stream, written in a child process."""

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, repeat
from typing import IO, Any, TypeVar

import pyarrow as pa
from pyarrow import types

from evalcore.readers.child.exports import is_vector, records_of
from evalcore.readers.child.tasks import Refusal

BATCH, MOST_COLUMNS = 1 << 16, 2_000
_Table = TypeVar("_Table", bound=pa.RecordBatch | pa.Table)


def parquet_columns(file: IO[bytes], answer: IO[bytes], most_rows: int, most_bytes: int) -> None:
    """The columns of a Parquet file."""
    from pyarrow import parquet

    source = parquet.ParquetFile(pa.PythonFile(file, "r"))
    schema = _checked(source.schema_arrow)
    kinds: list[pa.DataType] = schema.types
    lists = {index for index, kind in enumerate(kinds) if types.is_nested(_plain_kind(kind)) and not _is_texts(kind)}
    plain = {index for index, kind in enumerate(kinds) if index not in lists or _is_object(kind)}
    nested = [schema.names[index] for index in range(len(schema)) if index not in plain]
    read = plain | (_vectors(next(source.iter_batches(1, columns=nested), None), schema) if nested else set())
    names = [schema.names[index] for index in sorted(read)]
    maps = [schema.names[index] for index in plain if "map<" in str(kinds[index])]

    def batches() -> Iterator[pa.RecordBatch]:
        for batch in source.iter_batches(BATCH, columns=None if len(names) == len(schema) else names):
            if batch.schema.names != names:
                raise ValueError("columns that cannot be told apart")
            given = iter(batch.columns)
            every = [next(given) if index in read else pa.nulls(len(batch), kind) for index, kind in enumerate(kinds)]
            yield pa.record_batch(every, names=schema.names)

    keys = _map_keys(source.iter_batches(BATCH, columns=maps)) if maps else {}
    write_columns(batches(), schema, answer, most_rows, most_bytes, keys)


def arrow_columns(file: IO[bytes], answer: IO[bytes], most_rows: int, most_bytes: int) -> None:
    """The columns of an Arrow file or stream, or of a Feather file of the first version."""
    from pyarrow import feather, ipc

    data = pa.py_buffer(file.read())
    if data[:4].to_pybytes() == b"FEA1":
        source = feather.read_table(pa.BufferReader(data))
        batches, again = source.to_batches(BATCH), ()
    elif data[:6].to_pybytes() == b"ARROW1":
        source = ipc.open_file(data)
        batches, again = (map(source.get_batch, range(source.num_record_batches)) for _ in range(2))
    else:
        batches = source = ipc.open_stream(data)
        again = ipc.open_stream(data)
    write_columns(batches, _checked(source.schema), answer, most_rows, most_bytes, _map_keys(again))


def flattened(table: _Table, keys: Mapping[str, Mapping[str, pa.Scalar]] | None = None) -> _Table:
    """A table with a column per part of each object: {"model": {"score": 0.5}} has the column "model.score".

    Objects are structures, and maps whose keys are given; a vector of Spark stays one cell.

    >>> flattened(pa.table({"model": [{"label": "ill", "meta": {"score": 0.5}}]})).to_pydict()
    {'model.label': ['ill'], 'model.meta.score': [0.5]}
    """
    parts = [part for pair in zip(table.schema.names, table.columns, strict=True) for part in _parts(*pair, keys or {})]
    return type(table).from_arrays([column for _, column in parts], names=[name for name, _ in parts])


def _parts(name: str, column: Any, keys: Mapping[str, Mapping[str, pa.Scalar]]) -> Iterator[tuple[str, Any]]:
    if types.is_map(column.type) and name in keys:
        from pyarrow import compute  # here, because loading it takes longer than reading most files

        for key, scalar in keys[name].items():
            yield from _parts(f"{name}.{key}", compute.map_lookup(column, scalar, "first"), keys)  # type: ignore
    elif _is_object(column.type) and not types.is_map(column.type):
        for field, cells in zip(column.type, column.flatten(), strict=True):
            yield from _parts(f"{name}.{field.name}", cells, keys)
    else:
        yield name, column


def _map_keys(batches: Iterable[pa.RecordBatch]) -> dict[str, dict[str, pa.Scalar]]:
    """The keys of each column of maps in the order in which they occur; not of maps with too many."""
    keys: dict[str, dict[str, pa.Scalar]] = {}
    for batch in batches:
        if not any("map<" in str(kind) for kind in batch.schema.types):
            break
        batch.validate(full=True)
        flat = flattened(batch)
        for name, column in zip(flat.schema.names, flat.columns, strict=True):
            own = keys.setdefault(name, {})
            if types.is_map(column.type) and len(own) <= MOST_COLUMNS:
                own |= {str(key.as_py()): key for key in pa.concat_arrays([column]).keys.unique()}
    return {name: own for name, own in keys.items() if 0 < len(own) <= MOST_COLUMNS}


def write_columns(
    batches: Iterable[pa.RecordBatch], schema: pa.Schema, answer: IO[bytes], most_rows: int, most_bytes: int,
    keys: Mapping[str, Mapping[str, pa.Scalar]] | None = None, **metadata: str,
) -> None:  # fmt: skip
    """An Arrow stream of the columns of some batches, with objects (and maps, by their keys) flattened.

    Dictionaries are expanded, lists of texts joined by "|", vectors written as JSON, other lists left empty.
    """
    from pyarrow import ipc

    batches = iter(batches)
    first = next(batches, None)
    flat = None if first is None else flattened(first, keys)
    schema = schema if flat is None else flat.schema
    vectors = _vectors(flat, schema)
    are_texts = [_is_texts(kind) or index in vectors for index, kind in enumerate(schema.types)]
    both = zip(are_texts, schema.types, strict=True)
    kinds = [pa.string() if is_text else _plain_kind(kind) for is_text, kind in both]
    fields = [pa.field(str(index), kind) for index, kind in enumerate(kinds)]
    plain = pa.schema(fields, {"names": json.dumps(schema.names), **metadata})
    rows, size = 0, 0
    with ipc.new_stream(answer, plain) as stream:
        for batch in () if first is None else chain([first], batches):
            rows += batch.num_rows
            if rows > most_rows:
                raise Refusal("rows")
            batch.validate(full=True)
            columns = []
            for kind, column in zip(kinds, flattened(batch, keys).columns, strict=True):
                cells = pa.nulls(len(batch), kind) if types.is_nested(kind) else _expanded(column, kind)
                size += cells.nbytes
                if size > most_bytes:
                    raise Refusal("bytes")
                columns.append(cells)
            expanded = pa.record_batch(columns, schema=plain)
            expanded.validate(full=True)
            stream.write_batch(expanded)


def _checked(schema: pa.Schema) -> pa.Schema:
    """Return the schema, but refuse one with so many columns that reading their cells would take minutes."""
    if len(schema) > MOST_COLUMNS:
        raise Refusal("columns")
    return schema


def _is_object(kind: pa.DataType) -> bool:
    if not types.is_struct(kind):
        return types.is_map(kind)
    values = kind.get_field_index("values")
    return values < 0 or not types.is_list(kind.field(values).type)  # else a vector of Spark


def _plain_kind(kind: pa.DataType) -> pa.DataType:
    """Type of the values, independent of their storage."""
    if isinstance(kind, pa.BaseExtensionType):
        return _plain_kind(kind.storage_type)
    if types.is_dictionary(kind):
        return _plain_kind(kind.value_type)
    if types.is_string_view(kind):
        return pa.large_string()
    return pa.large_binary() if types.is_binary_view(kind) else kind


def _is_texts(kind: pa.DataType) -> bool:
    is_list = types.is_list(kind) or types.is_large_list(kind)
    return is_list and _plain_kind(kind.value_type) in (pa.string(), pa.large_string())


def _vectors(batch: pa.RecordBatch | None, schema: pa.Schema) -> set[int]:
    """The columns of lists or structures that hold probabilities of classes, by the first cell of each."""
    if batch is None or len(set(schema.names)) < len(schema):
        return set()
    vectors: set[int] = set()
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        is_nested = types.is_nested(column.type) and not _is_texts(column.type)
        if is_nested and column.null_count < len(column) and is_vector(column.drop_null()[0].as_py()):
            vectors.add(schema.names.index(name))
    return vectors


def _expanded(column: pa.Array, kind: pa.DataType) -> pa.Array:
    if isinstance(column, pa.ExtensionArray):
        return _expanded(column.storage, kind)
    if isinstance(column, pa.DictionaryArray):  # a cast knows fewer types of the values
        return _expanded(column.dictionary, kind).take(column.indices)
    if _is_texts(column.type):
        from pyarrow import compute

        column = pa.concat_arrays([column])  # which starts at its first value
        values = _expanded(column.values, pa.string())
        lists = type(column).from_arrays(column.offsets, values, mask=column.is_null())  # type: ignore
        return compute.binary_join(lists, "|")  # type: ignore
    if types.is_nested(column.type):
        return pa.array([None if cell is None else json.dumps(cell) for cell in column.to_pylist()], pa.string())
    return column if column.type == kind else column.cast(kind)  # a cast loads `compute` too


# Columns of lists of objects, and others, that `records_of` may know.
_LISTS = frozenset({"hits.hits", "hits", "annotations", "spans", "entities", "label", "labels"})
_OTHERS = frozenset({"_task_hash", "bbox"})


def json_columns(file: IO[bytes], answer: IO[bytes], most_rows: int, most_bytes: int) -> None:
    """The columns of a list of records, one record per line, an object of columns, or an object with one of these."""
    data = file.read()
    if _is_lines(data):
        if (table := _fast(data)) is None:
            lines = [_parsed(line, number) for number, line in enumerate(data.split(b"\n"), 1) if line.strip()]
            table = _table(_records(records_of(lines) or lines))
    else:
        content = _parsed(data)
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
    from pyarrow import json as arrow_json

    options = arrow_json.ReadOptions(block_size=1 << 22)
    try:
        table = flattened(arrow_json.read_json(pa.BufferReader(data), options))
    except pa.ArrowException:
        return None
    lists = [field for field in table.schema if types.is_list(field.type)]
    lists = {field.name for field in lists if types.is_nested(field.type.value_type)}
    if lists & _LISTS or _OTHERS.intersection(table.column_names):
        return None
    is_distinct = len(set(table.column_names)) == table.num_columns <= MOST_COLUMNS
    return table if is_distinct and not any(map(types.is_temporal, table.schema.types)) else None


def _parsed(data: bytes, first_line: int = 1) -> Any:
    try:
        return json.loads(data)
    except json.JSONDecodeError as error:
        raise Refusal("line", first_line + error.lineno - 1) from error


def _columns(content: Any) -> dict[str, list[Any]]:
    """Columns of JSON other than JSON Lines."""
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
    """The columns of {query: {document: score or grade}}, as pytrec_eval and ranx have them; None of other objects."""
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
            for name, cell in _object_parts(key, value):
                column = columns.setdefault(name, [])
                if len(column) <= number:
                    column.extend(repeat(None, number - len(column)))
                    column.append(cell)
        if len(columns) > MOST_COLUMNS:
            raise Refusal("columns")
    for column in columns.values():
        column.extend(repeat(None, len(records) - len(column)))
    # An object that is null in some records is no column of its own.
    empty = [name for name, cells in columns.items() if all(cell is None for cell in cells)]
    objects = {name for name in empty if any(map(str.startswith, columns, repeat(f"{name}.")))}
    return {name: cells for name, cells in columns.items() if name not in objects}


def _object_parts(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """The cells of an object by the names of their columns; a vector of Spark is one cell."""
    if isinstance(value, dict) and not isinstance(value.get("values"), list):
        for key, part in value.items():
            yield from _object_parts(f"{name}.{key}", part)
    else:
        yield name, value


def _table(columns: dict[str, list[Any]]) -> pa.Table:
    return pa.table(list(map(_array, columns.values())), names=list(map(_text, columns)))


def _array(cells: list[Any]) -> pa.Array:
    """Cells of one type, or all as text."""
    try:
        return pa.array(cells)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return pa.array([None if cell is None else _text(cell) for cell in cells], pa.string())


def _text(cell: object) -> str:
    return (cell if isinstance(cell, str) else json.dumps(cell, ensure_ascii=False)).encode("utf-8", "replace").decode()


_SAS = bytes(12) + b"\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92\x08\x00\x09\xc7\x31\x8c\x18\x1f\x10\x11"

# Options to try one after the other: a file may not state its encoding, or hold a date after the year 9999.
_ATTEMPTS = ({}, {"encoding": "WINDOWS-1252"}, {"disable_datetime_conversion": True})


def reader_of(head: bytes) -> str | None:
    """The name of the function of pyreadstat that reads a file, from its first 700 bytes; None if there is none."""
    if head.startswith((b"$FL2@(#)", b"$FL3@(#)")):
        return "read_sav"
    if b"SPSSPORT" in head[400:700]:
        return "read_por"
    # before version 117, a dta file begins with its version, its byte order and a 1
    if head.startswith(b"<stata_dta>") or (head[:1] in (b"q", b"r", b"s") and head[1:4] in (b"\1\1\0", b"\2\1\0")):
        return "read_dta"
    if head.startswith(_SAS):
        return "read_sas7bdat"
    if head.startswith((b"HEADER RECORD*******LIBRARY HEADER", b"HEADER RECORD*******LIBV8   HEADER")):
        return "read_xport"
    return None


def statistics_columns(file: IO[bytes], answer: IO[bytes], most_rows: int, most_bytes: int) -> None:
    """The columns, with value labels for codes if every code has one; the metadata names them and those with some."""
    import pyreadstat

    read = getattr(pyreadstat, reader_of(file.read(700)) or "")
    for options in _ATTEMPTS:
        file.seek(0)
        try:
            columns, about = read(file, output_format="dict", row_limit=most_rows + 1, **options)
            break
        except (pyreadstat.ReadstatError, OverflowError):
            if options is _ATTEMPTS[-1]:
                raise
    labels, arrays = {"all": [], "some": {}}, []
    for name, cells in columns.items():
        words = {code: label for code, label in about.variable_value_labels.get(name, {}).items() if label}
        present = set(cells) - {None} if words else set()
        if present and present <= words.keys():
            labels["all"].append(name)
            cells = [words.get(cell) for cell in cells]
        elif present & words.keys():
            texts = {code: f"{code:g}" if isinstance(code, float) else str(code) for code in present & words.keys()}
            labels["some"][name] = [[texts[code], words[code]] for code in sorted(texts, key=str)]
        arrays.append(_column_array(cells))
    table = pa.table(arrays, names=list(columns))
    write_columns(table.to_batches(BATCH), table.schema, answer, most_rows, most_bytes, labels=json.dumps(labels))


def _column_array(cells: list[Any]) -> pa.Array:
    """Convert cells to one type: whole numbers to integers, mixed cells to text."""
    try:
        array = pa.array(cells, from_pandas=True)
        whole = types.is_floating(array.type) and not array.null_count and all(map(float.is_integer, cells))
        return array.cast(pa.int64()) if whole else array
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return pa.array([None if cell is None else str(cell) for cell in cells], pa.string())
