"""Id tables and Arrow text columns, converted into each other without making a string per row."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from evalcore.retrieval.id_table import IdTable

if TYPE_CHECKING:
    import pyarrow as pa


def ids_of(column: pa.ChunkedArray | pa.Array) -> IdTable:
    """Arrow's own buffer as an id table; no cell of the column may be missing."""
    import pyarrow as pa

    whole = column
    if isinstance(column, pa.ChunkedArray):
        whole = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    if isinstance(whole, pa.ChunkedArray):  # more text than its small offsets can count
        whole = pa.concat_arrays([chunk.cast(pa.large_binary()) for chunk in whole.chunks])
    _, offsets, text = whole.buffers()
    wide = np.int64 if pa.types.is_large_binary(whole.type) or pa.types.is_large_string(whole.type) else np.int32
    ends = (
        np.frombuffer(offsets, wide)[whole.offset : whole.offset + len(whole) + 1] if len(whole) else np.zeros(1, wide)
    )
    return IdTable(
        np.frombuffer(text, np.uint8) if text is not None else np.empty(0, np.uint8), ends[:-1], np.diff(ends)
    )


def heads_of(ids: IdTable) -> npt.NDArray[np.integer]:
    """The rows whose id differs from that of the row before, of contiguous ids."""
    first = np.ones(min(len(ids), 1), dtype=bool)
    bounds = np.flatnonzero(np.concatenate([first, ids.lengths[1:] != ids.lengths[:-1], first]))
    if len(bounds) * 16 > len(ids):
        return np.flatnonzero(np.concatenate([first, ~ids.equal(slice(1, None), ids, slice(-1))]))
    heads = []
    # Ids of one length are compared with the next by shifting all their bytes by that length.
    for low, high in pairwise(bounds.tolist()):
        start, length = int(ids.starts[low]), int(ids.lengths[low])
        text = ids.data[start : start + (high - low) * length]
        other = np.flatnonzero(text[length:] != text[: len(text) - length])
        heads += [np.array([low]), np.unique(other // max(length, 1)) + 1 + low]
    return np.concatenate(heads) if heads else np.empty(0, np.int64)


def texts_of(ids: IdTable) -> pa.Array:
    """An id table as a column of texts, the same as `IdTable.texts`."""
    import pyarrow as pa

    lengths = ids.lengths.astype(np.int64)
    ends = np.concatenate([[0], np.cumsum(lengths)])
    data, first = ids.data, int(ids.starts[0]) if len(ids) else 0
    if (ids.starts == first + ends[:-1]).all():
        data = data[first : first + int(ends[-1])]
    else:
        data = data[np.repeat(ids.starts - ends[:-1], lengths) + np.arange(ends[-1])]
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(np.ascontiguousarray(data))]
    try:
        return pa.LargeBinaryArray.from_buffers(pa.large_binary(), len(ids), buffers).cast(pa.large_string())
    except pa.ArrowInvalid:  # bytes that are no UTF-8
        return pa.array(ids.texts(), pa.large_string())
