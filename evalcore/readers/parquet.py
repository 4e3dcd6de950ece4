"""Parquet files, read in batches so that none exceeds the limit."""

from __future__ import annotations

import re

import pandas as pd

from evalcore.readers.archives import too_many_bytes
from evalcore.readers.frames import content_of
from evalcore.readers.headers import refuse_large
from evalcore.readers.problems import Finding, Lines, ReadProblem, named

_BATCH = 1 << 16


def is_parquet(data: bytes, name: str) -> bool:
    """Whether some bytes are a Parquet file."""
    return data.startswith(b"PAR1")


def read_parquet(data: bytes, name: str, max_rows: int, max_bytes: int) -> tuple[pd.DataFrame, Lines, list[Finding]]:
    """The columns of a Parquet file, without the row labels of pandas."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        file = parquet.ParquetFile(pa.BufferReader(data))
        refuse_large(name, len(file.schema_arrow.names), file.metadata.num_rows, max_rows)
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
    except Exception as error:  # a damaged file can fail anywhere in the parser
        raise ReadProblem(
            f"{named(name)} is a Parquet file that is damaged or truncated. Write or copy it again."
        ) from error
    # the row labels of pandas are not a column of the table
    indexes = [column for column in table.column_names if re.fullmatch(r"__index_level_\d+__", column)]
    keep = [place for place, column in enumerate(table.column_names) if column not in indexes]
    table = table.select(keep).replace_schema_metadata(None)
    if table.num_columns < 2:
        raise ReadProblem(f"{named(name)} has only one column. A table needs the true values and at least one system.")
    if not table.num_rows:
        raise ReadProblem(f"{named(name)} has columns but no rows. Open a file with at least one row.")
    return content_of(table, table.column_names, Lines(word="row"), [])
