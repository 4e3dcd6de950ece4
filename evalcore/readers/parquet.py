"""Parquet files, read piece by piece so that none grows beyond the limit."""

from __future__ import annotations

import re

import pandas as pd

from evalcore.readers.archives import too_many_bytes
from evalcore.readers.frames import content_of
from evalcore.readers.headers import MAX_COLUMNS
from evalcore.readers.problems import Finding, Lines, ReadProblem, named
from evalcore.wording.numbers import count_text

_BATCH = 1 << 16


def is_parquet(data: bytes, name: str) -> bool:
    """Whether some bytes are a Parquet file."""
    return data.startswith(b"PAR1")


def read_parquet(data: bytes, name: str, max_rows: int, max_bytes: int) -> tuple[pd.DataFrame, Lines, list[Finding]]:
    """The columns of a Parquet file, without the row labels of pandas.

    Raises
    ------
    ReadProblem
        If it is damaged or cut, has no rows, one column only, or more rows or bytes than the limits.
    """
    import pyarrow as pa
    from pyarrow import parquet

    try:
        file = parquet.ParquetFile(pa.BufferReader(data))
        columns, count = len(file.schema_arrow.names), file.metadata.num_rows
        if count > max_rows:
            raise ReadProblem(
                f"{named(name)} has more than the limit of {count_text(max_rows)} rows. Open a part of it."
            )
        if columns > MAX_COLUMNS:
            raise ReadProblem(
                f"{named(name)} has {count_text(columns)} columns, more than {count_text(MAX_COLUMNS)}. Open fewer."
            )
        batches, size = [], 0
        for batch in file.iter_batches(_BATCH):
            size += batch.nbytes
            if size > max_bytes:
                raise too_many_bytes(name, max_bytes)
            batches.append(batch)
        table = pa.Table.from_batches(batches, schema=file.schema_arrow)
        table.validate(full=True)
    except ReadProblem:
        raise
    except Exception as error:  # a damaged file fails anywhere in the parser, each place in its own way
        raise ReadProblem(
            f"{named(name)} is a Parquet file that is damaged or cut short. Write or copy it again."
        ) from error
    # what pandas wrote of its row labels is no column of the table
    indexes = [column for column in table.column_names if re.fullmatch(r"__index_level_\d+__", column)]
    keep = [place for place, column in enumerate(table.column_names) if column not in indexes]
    table = table.select(keep).replace_schema_metadata(None)
    if table.num_columns < 2:
        raise ReadProblem(f"{named(name)} has one column only. A table needs the truth and at least one system.")
    if not table.num_rows:
        raise ReadProblem(f"{named(name)} has columns but no rows. Open a file with at least one row.")
    return content_of(table, table.column_names, Lines(word="row"), [])
