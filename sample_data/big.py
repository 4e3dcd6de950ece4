"""Write a large CSV file of scores to test speed: `python sample_data/big.py 1000000` writes big_1000000.csv.

The same number of rows gives the same file. Each block has its own seed, so that any size needs little memory.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import csv

FOLDER = Path(__file__).resolve().parent
SITES = ("north", "east", "south", "west")

_BLOCK = 1_000_000


def write_big_sample(path: Path, rows: int) -> None:
    """Write a table of so many scores: 30 % are ill, with scores 1.2 standard deviations higher, at four sites."""
    options = csv.WriteOptions(quoting_style="none")
    schema = pa.schema([("actual", pa.string()), ("score", pa.float64()), ("site", pa.string())])
    with csv.CSVWriter(path, schema, write_options=options) as writer:
        for start in range(0, rows, _BLOCK):
            random = np.random.default_rng(start)
            count = min(_BLOCK, rows - start)
            ill = random.random(count) < 0.3
            score = np.round(random.normal(1.2 * ill, 1), 6)
            site = random.integers(len(SITES), size=count)
            columns = [
                pa.DictionaryArray.from_arrays(ill.astype(np.int8), ["healthy", "ill"]).cast(pa.string()),
                pa.array(score),
                pa.DictionaryArray.from_arrays(site, list(SITES)).cast(pa.string()),
            ]
            writer.write_table(pa.table(columns, schema=schema))


def main() -> None:
    """Write the file with the number of rows on the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rows", type=int, nargs="?", default=_BLOCK, help="how many rows to write")
    rows = parser.parse_args().rows
    path = FOLDER / f"big_{rows}.csv"
    write_big_sample(path, rows)
    print(f"{path.relative_to(FOLDER.parent).as_posix()}: {rows:,} rows, {path.stat().st_size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
