"""Masks that users open: which files are masks, which of them are predicted, and a child process that decodes them."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping
from pathlib import PurePosixPath

from evalcore.readers.archive_tables import with_findings
from evalcore.readers.datasets import DataSet
from evalcore.readers.large_files import read_apart
from evalcore.readers.masks import ARRAY, MOST_FILES, is_hidden, read_masks
from evalcore.readers.problems import Finding, ReadProblem, named
from evalcore.readers.tables import MAX_BYTES, MAX_ROWS

__all__ = ["open_masks"]

_SIDES = ("actual", "predicted")
_ENDINGS = (".png", ".tif", ".tiff", ".npy", ".npz")
_PICTURES = (ARRAY, b"\x89PNG", b"II*\0", b"MM\0*")
_PREDICTED = re.compile(r"(^|[^a-z])(preds?|predicted|predictions?|outputs?|results?|models?)([^a-z]|$)", re.IGNORECASE)
_ACTUAL = re.compile(r"(^|[^a-z])(gt|truth|true|actual|manual|reference|labels?)([^a-z]|$)", re.IGNORECASE)


def open_masks(actual: Mapping[str, bytes], predicted: Mapping[str, bytes]) -> DataSet:
    """`read_masks` in a child process with limits of memory and time: for files that come from others."""
    files = {
        f"{side}/{name}": data
        for side, own in zip(_SIDES, (actual, predicted), strict=True)
        for name, data in own.items()
    }
    return read_apart(read_sides, files, MAX_ROWS, MAX_BYTES)


def are_masks(files: Mapping[str, bytes]) -> bool:
    r"""Whether all files are pictures, arrays, or archives of these.

    >>> are_masks({"a.png": b"\x89PNG", "b.npy": b"\x93NUMPY"}), are_masks({"a.csv": b"truth,model"})
    (True, False)
    """
    return all(data.startswith(_PICTURES) or _holds_masks(data) for data in files.values())


def masks_together(files: Mapping[str, bytes]) -> DataSet:
    """The masks of files that were opened together, the actual and the predicted ones told apart by their names.

    Raises
    ------
    ReadProblem
        As `read_masks`, and where there is one file alone, or more than two whose names do not tell which is which.
    """
    if len(files) == 1:
        raise ReadProblem(
            f"{named(next(iter(files)))} is no table. Save a table as CSV, Excel, JSON or Parquet; to compare masks, "
            "open the actual and the predicted ones together: two pictures, or two zips with files of the same names."
        )
    predicted = {name for name in files if _PREDICTED.search(PurePosixPath(name).stem)}
    told = 0 < len(predicted) < len(files)
    if len(files) == 2 and not told:
        names = list(files)
        truths = [name for name in names if _ACTUAL.search(PurePosixPath(name).stem)]
        told = len(truths) == 1
        predicted = {name for name in names if name != (truths[0] if told else names[0])}
    elif not told:
        raise ReadProblem(
            f"The names of these {len(files)} masks do not tell which are predicted. Name them as in a_gt.png and "
            "a_pred.png, or open one zip of the actual and one of the predicted masks."
        )
    sides = [{name: data for name, data in files.items() if (name in predicted) == side} for side in (False, True)]
    data = open_masks(*sides)
    if told:
        return data
    names = [named(name) for side in sides for name in side]
    sentence = f"By their names neither is the truth: {names[0]} is taken for the actual mask and {names[1]} for the "
    sentence += "predicted one. Swap their roles if it is the other way round."
    return with_findings(data, [Finding("info", sentence, 2, code="unnamed masks")])


def _holds_masks(data: bytes) -> bool:
    """Whether a file is an archive of pictures or arrays."""
    if not data.startswith(b"PK\x03\x04") or data.count(b"PK\1\2") > MOST_FILES:
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = [one.filename for one in archive.infolist() if not one.is_dir() and not is_hidden(one.filename)]
    except Exception:  # a broken directory fails in many ways; reading it as a table tells
        return False
    return bool(names) and all(name.lower().endswith(_ENDINGS) for name in names)


def read_sides(files: Mapping[str, bytes], max_rows: int, max_bytes: int) -> DataSet:
    """`read_masks` of files whose names begin with their side."""
    sides = [{name.partition("/")[2]: files[name] for name in files if name.startswith(side)} for side in _SIDES]
    return read_masks(*sides)
