"""The columns of Parquet, Arrow and other tables as an Arrow stream, written in a child process."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import IO, TYPE_CHECKING, Any, TypeVar

from evalcore.readers.child_tasks import Refusal
from evalcore.readers.vector_cells import is_vector

if TYPE_CHECKING:
    import pyarrow as pa

BATCH, MOST_COLUMNS = 1 << 16, 2_000

_Table = TypeVar("_Table", bound="pa.RecordBatch | pa.Table")


def parquet_columns(file: IO[bytes], answer: IO[bytes], most_rows: int, most_bytes: int) -> None:
    """The columns of a Parquet file."""
    import pyarrow as pa
    from pyarrow import parquet

    source = parquet.ParquetFile(pa.PythonFile(file, "r"))
    schema = _checked(source.schema_arrow)
    kinds: list[pa.DataType] = schema.types
    plain = {index for index, kind in enumerate(kinds) if _is_readable(kind) or _is_object(kind)}
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
    import pyarrow as pa
    from pyarrow import feather, ipc

    data = pa.py_buffer(file.read())

    def batches() -> Iterator[pa.RecordBatch]:
        for index in range(source.num_record_batches):
            yield source.get_batch(index)

    if data[:4].to_pybytes() == b"FEA1":
        table = feather.read_table(pa.BufferReader(data))
        return write_columns(table.to_batches(BATCH), _checked(table.schema), answer, most_rows, most_bytes)
    if data[:6].to_pybytes() == b"ARROW1":
        source = ipc.open_file(data)
        keys = _map_keys(batches())
        return write_columns(batches(), _checked(source.schema), answer, most_rows, most_bytes, keys)
    stream = ipc.open_stream(data)
    return write_columns(
        stream, _checked(stream.schema), answer, most_rows, most_bytes, _map_keys(ipc.open_stream(data))
    )


def flattened(table: _Table, keys: Mapping[str, Mapping[str, pa.Scalar]] | None = None) -> _Table:
    """A table with a column per part of each object: {"model": {"score": 0.5}} has the column "model.score".

    Objects are structures, and maps whose keys are given; a vector of Spark stays one cell.

    >>> import pyarrow as pa
    >>> flattened(pa.table({"model": [{"label": "ill", "meta": {"score": 0.5}}]})).to_pydict()
    {'model.label': ['ill'], 'model.meta.score': [0.5]}
    """
    parts = [part for pair in zip(table.schema.names, table.columns, strict=True) for part in _parts(*pair, keys or {})]
    return type(table).from_arrays([column for _, column in parts], names=[name for name, _ in parts])


def _parts(name: str, column: Any, keys: Mapping[str, Mapping[str, pa.Scalar]]) -> Iterator[tuple[str, Any]]:
    import pyarrow as pa
    from pyarrow import compute

    if pa.types.is_map(column.type) and name in keys:
        for key, scalar in keys[name].items():
            yield from _parts(f"{name}.{key}", compute.map_lookup(column, scalar, "first"), keys)  # type: ignore
    elif _is_object(column.type) and not pa.types.is_map(column.type):
        for field, cells in zip(column.type, column.flatten(), strict=True):
            yield from _parts(f"{name}.{field.name}", cells, keys)
    else:
        yield name, column


def _map_keys(batches: Iterable[pa.RecordBatch]) -> dict[str, dict[str, pa.Scalar]]:
    """The keys of each column of maps in the order in which they occur; not of maps with too many."""
    import pyarrow as pa

    keys: dict[str, dict[str, pa.Scalar]] = {}
    for batch in batches:
        if not any("map<" in str(kind) for kind in batch.schema.types):
            break
        batch.validate(full=True)
        flat = flattened(batch)
        for name, column in zip(flat.schema.names, flat.columns, strict=True):
            own = keys.setdefault(name, {})
            if pa.types.is_map(column.type) and len(own) <= MOST_COLUMNS:
                own |= {str(key.as_py()): key for key in pa.concat_arrays([column]).keys.unique()}
    return {name: own for name, own in keys.items() if 0 < len(own) <= MOST_COLUMNS}


def write_columns(
    batches: Iterable[pa.RecordBatch],
    schema: pa.Schema,
    answer: IO[bytes],
    most_rows: int,
    most_bytes: int,
    keys: Mapping[str, Mapping[str, pa.Scalar]] | None = None,
    **metadata: str,
) -> None:
    """An Arrow stream of the columns of a schema that the batches have, with objects flattened, given keys of maps.

    Dictionaries are expanded, lists of texts joined by "|", and columns of other lists empty, apart from vectors (as
    the first row shows), which are written as JSON.
    """
    import pyarrow as pa
    from pyarrow import ipc

    batches = iter(batches)
    first = next(batches, None)
    flat = None if first is None else flattened(first, keys)
    schema = schema if flat is None else flat.schema
    vectors = _vectors(flat, schema)
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
            columns = []
            for kind, column in zip(kinds, flattened(batch, keys).columns, strict=True):
                cells = pa.nulls(len(batch), kind) if pa.types.is_nested(kind) else _expanded(column, kind)
                size += cells.nbytes
                if size > most_bytes:
                    raise Refusal("bytes")
                columns.append(cells)
            expanded = pa.record_batch(columns, schema=plain)
            expanded.validate(full=True)
            stream.write_batch(expanded)


def _checked(schema: pa.Schema) -> pa.Schema:
    """The schema, unless it has so many columns that reading their cells would take minutes."""
    if len(schema) > MOST_COLUMNS:
        raise Refusal("columns")
    return schema


def _is_readable(kind: pa.DataType) -> bool:
    """Whether a column of this type holds one value per row, or a list of texts."""
    import pyarrow as pa

    return not pa.types.is_nested(_plain_kind(kind)) or _is_texts(kind)


def _is_object(kind: pa.DataType) -> bool:
    import pyarrow as pa

    if not pa.types.is_struct(kind):
        return pa.types.is_map(kind)
    values = kind.get_field_index("values")
    return values < 0 or not pa.types.is_list(kind.field(values).type)  # else a vector of Spark


def _plain_kind(kind: pa.DataType) -> pa.DataType:
    """The type of the values, apart from how they are stored."""
    import pyarrow as pa

    if isinstance(kind, pa.BaseExtensionType):
        return _plain_kind(kind.storage_type)
    if pa.types.is_dictionary(kind):
        return _plain_kind(kind.value_type)
    if pa.types.is_string_view(kind):
        return pa.large_string()
    return pa.large_binary() if pa.types.is_binary_view(kind) else kind


def _is_texts(kind: pa.DataType) -> bool:
    import pyarrow as pa

    if not (pa.types.is_list(kind) or pa.types.is_large_list(kind)):
        return False
    return _plain_kind(kind.value_type) in (pa.string(), pa.large_string())


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

    if isinstance(column, pa.ExtensionArray):
        return _expanded(column.storage, kind)
    if isinstance(column, pa.DictionaryArray):  # a cast knows fewer types of the values
        return _expanded(column.dictionary, kind).take(column.indices)
    if _is_texts(column.type):
        column = pa.concat_arrays([column])  # which starts at its first value
        values = _expanded(column.values, pa.string())
        lists = type(column).from_arrays(column.offsets, values, mask=column.is_null())  # type: ignore
        return compute.binary_join(lists, "|")  # type: ignore
    if pa.types.is_nested(column.type):
        return pa.array([None if cell is None else json.dumps(cell) for cell in column.to_pylist()], pa.string())
    return column.cast(kind)
