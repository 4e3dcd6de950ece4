"""The columns of Parquet, Arrow and other tables as an Arrow stream, written in a child process."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from itertools import chain
from typing import IO, TYPE_CHECKING

from evalcore.readers.child_tasks import Refusal
from evalcore.readers.vector_cells import is_vector

if TYPE_CHECKING:
    import pyarrow as pa

BATCH, MOST_COLUMNS = 1 << 16, 2_000


def parquet_columns(file: IO[bytes], answer: IO[bytes], most_rows: int, most_bytes: int) -> None:
    """The columns of a Parquet file."""
    import pyarrow as pa
    from pyarrow import parquet

    source = parquet.ParquetFile(pa.PythonFile(file, "r"))
    schema = _checked(source.schema_arrow)
    nested = [schema.names[index] for index in set(range(len(schema))) - set(_readable(schema))]
    vectors = _vectors(next(source.iter_batches(1, columns=nested), None) if nested else None, schema)
    names = [schema.names[index] for index in _readable(schema, vectors)]
    batches = source.iter_batches(BATCH, columns=None if len(names) == len(schema) else names)
    write_columns(batches, schema, answer, most_rows, most_bytes, vectors)


def arrow_columns(file: IO[bytes], answer: IO[bytes], most_rows: int, most_bytes: int) -> None:
    """The columns of an Arrow file or stream."""
    import pyarrow as pa
    from pyarrow import ipc

    data = pa.py_buffer(file.read())
    if data[:6].to_pybytes() == b"ARROW1":
        source = ipc.open_file(data)
        batches = (source.get_batch(index) for index in range(source.num_record_batches))
    else:
        batches = source = ipc.open_stream(data)
    write_columns(batches, _checked(source.schema), answer, most_rows, most_bytes)


def write_columns(
    batches: Iterable[pa.RecordBatch],
    schema: pa.Schema,
    answer: IO[bytes],
    most_rows: int,
    most_bytes: int,
    vectors: Collection[int] | None = None,
    **metadata: str,
) -> None:
    """An Arrow stream of the columns of a schema, of which the batches hold all or the readable ones.

    Dictionaries are expanded, lists of texts joined by "|", and columns of other lists and of structures empty, apart
    from the vectors (by default those that the first row shows), which are written as JSON.
    """
    import pyarrow as pa
    from pyarrow import ipc

    batches = iter(batches)
    first = next(batches, None)
    vectors = _vectors(first, schema) if vectors is None else vectors
    readable = _readable(schema, vectors)
    kinds = [
        pa.string() if _is_texts(field.type) or index in vectors else _plain_kind(field.type)
        for index, field in enumerate(schema)
    ]
    fields = [pa.field(str(index), kind) for index, kind in enumerate(kinds)]
    plain = pa.schema(fields, {"names": json.dumps(schema.names), **metadata})
    rows, size = 0, 0
    with ipc.new_stream(answer, plain) as stream:
        for batch in () if first is None else chain([first], batches):
            rows += batch.num_rows
            if rows > most_rows:
                raise Refusal("rows")
            batch.validate(full=True)
            if batch.num_columns == len(schema):
                batch = batch.select(readable)
            if batch.schema.names != [schema.names[index] for index in readable]:
                raise ValueError("columns that cannot be told apart")
            given = iter(batch.columns)
            columns = []
            for index, kind in enumerate(kinds):
                column = _expanded(next(given), kind) if index in readable else pa.nulls(len(batch), kind)
                size += column.nbytes
                if size > most_bytes:
                    raise Refusal("bytes")
                columns.append(column)
            expanded = pa.record_batch(columns, schema=plain)
            expanded.validate(full=True)
            stream.write_batch(expanded)


def _checked(schema: pa.Schema) -> pa.Schema:
    """The schema, unless it has so many columns that reading their cells would take minutes."""
    if len(schema) > MOST_COLUMNS:
        raise Refusal("columns")
    return schema


def _readable(schema: pa.Schema, vectors: Collection[int] = ()) -> list[int]:
    """The columns that hold one value per row, a list of texts, or a vector."""
    import pyarrow as pa

    kinds = [_plain_kind(field.type) for field in schema]
    return [
        index for index, kind in enumerate(kinds) if index in vectors or not pa.types.is_nested(kind) or _is_texts(kind)
    ]


def _plain_kind(kind: pa.DataType) -> pa.DataType:
    import pyarrow as pa

    kind = kind.storage_type if isinstance(kind, pa.BaseExtensionType) else kind
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _is_texts(kind: pa.DataType) -> bool:
    import pyarrow as pa

    return (pa.types.is_list(kind) or pa.types.is_large_list(kind)) and kind.value_type == pa.string()


def _vectors(batch: pa.RecordBatch | None, schema: pa.Schema) -> set[int]:
    """The columns of lists or structures that hold probabilities of classes, by the first cell of each."""
    import pyarrow as pa

    if batch is None or len(set(schema.names)) < len(schema):
        return set()
    vectors: set[int] = set()
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        is_nested = pa.types.is_nested(column.type) and not _is_texts(column.type)
        if is_nested and column.null_count < len(column) and is_vector(column.drop_null()[0].as_py()):
            vectors.add(schema.names.index(name))
    return vectors


def _expanded(column: pa.Array, kind: pa.DataType) -> pa.Array:
    import pyarrow as pa
    from pyarrow import compute

    if pa.types.is_nested(column.type) and not _is_texts(column.type):
        return pa.array([None if cell is None else json.dumps(cell) for cell in column.to_pylist()], pa.string())
    return compute.binary_join(column, "|") if _is_texts(column.type) else column.cast(kind)  # type: ignore
