"""Parquet files, whose compressed and repeated values may expand to any size: decoded in a child process."""

from __future__ import annotations

import json
import re

import pandas as pd

from evalcore.readers.child import read_in_child
from evalcore.readers.frames import content_of
from evalcore.readers.headers import refuse_large
from evalcore.readers.problems import Finding, Lines, ReadProblem, named


def is_parquet(data: bytes, name: str) -> bool:
    """Whether some bytes are a Parquet file."""
    return data.startswith(b"PAR1")


def read_parquet(data: bytes, name: str, max_rows: int, max_bytes: int) -> tuple[pd.DataFrame, Lines, list[Finding]]:
    """The columns of a Parquet file, without the row labels of pandas."""
    import pyarrow as pa

    with read_in_child("columns", data, name, max_rows, max_bytes) as stream:
        table = pa.ipc.open_stream(stream).read_all()
    refuse_large(name, table.num_columns, table.num_rows, max_rows)
    names = json.loads(table.schema.metadata[b"names"])
    # the row labels of pandas are not a column of the table
    keep = [index for index, column in enumerate(names) if not re.fullmatch(r"__index_level_\d+__", column)]
    if len(keep) < 2:
        raise ReadProblem(f"{named(name)} has only one column. A table needs the true values and at least one system.")
    if not table.num_rows:
        raise ReadProblem(f"{named(name)} has columns but no rows. Open a file with at least one row.")
    # one piece, so that no column keeps the others in memory
    table = table.select(keep).replace_schema_metadata(None).combine_chunks()
    return content_of(table, [names[index] for index in keep], Lines(word="row"), [])
