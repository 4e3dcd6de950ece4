"""Masks that users open: which files are masks, which of them are predicted, and a child process that decodes them."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath

from evalcore.readers.archive_tables import with_findings
from evalcore.readers.datasets import DataSet
from evalcore.readers.large_files import read_apart
from evalcore.readers.masks import ARRAY, MOST_FILES, is_hidden, read_masks, unpacked
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
    """The masks of files that were opened together, or of one archive, in a child process.

    The names tell which are predicted: those of two folders in an archive, else those of the files.

    Raises
    ------
    ReadProblem
        As `read_masks`, and where there is one file alone, or more than two whose names do not tell which is which.
    """
    return read_apart(read_unsorted, files, MAX_ROWS, MAX_BYTES)


def read_unsorted(files: Mapping[str, bytes], max_rows: int, max_bytes: int) -> DataSet:
    """`masks_together` in this process."""
    name = next(iter(files))
    alone = len(files) == 1
    files = unpacked(files) if alone else files
    if len(files) == 1:
        raise ReadProblem(
            f"{named(name)} is no table. Save a table as CSV, Excel, JSON or Parquet; to compare masks, open the "
            "actual and the predicted ones together: two pictures, two zips with files of the same names, or one zip "
            "with a folder of each."
        )
    predicted, told = _predicted_of(list(files))
    sides = [{name: data for name, data in files.items() if (name in predicted) == side} for side in (False, True)]
    data = read_masks(*sides)
    if alone:
        data = replace(data, name=name)
    if told:
        return data
    names = [named(_folder(next(iter(side))) or next(iter(side))) for side in sides]
    sentence = f"By their names neither is the truth: {names[0]} is taken for the actual mask and {names[1]} for the "
    sentence += "predicted one. Swap their roles if it is the other way round."
    return with_findings(data, [Finding("info", sentence, 2, code="unnamed masks")])


def _predicted_of(names: list[str]) -> tuple[set[str], bool]:
    """The names of predicted masks, and whether names tell so; of two folders or files that do not, the last is."""
    folders = dict.fromkeys(map(_folder, names))
    of = _folder if len(folders) == 2 else lambda name: PurePosixPath(name).stem
    parts = list(folders) if len(folders) == 2 else [of(name) for name in names]
    predicted = {part for part in parts if _PREDICTED.search(part)}
    told = 0 < len(predicted) < len(parts)
    if len(parts) == 2 and not told:
        truths = [part for part in parts if _ACTUAL.search(part)]
        told = len(truths) == 1
        first = truths[0] if told else min(parts) if of is _folder else parts[0]
        predicted = {part for part in parts if part != first}
    elif not told:
        raise ReadProblem(
            f"The names of these {len(names)} masks do not tell which are predicted. Name them as in a_gt.png and "
            "a_pred.png, or open a zip of the actual and a zip of the predicted ones, or one zip with a folder of each."
        )
    return {name for name in names if of(name) in predicted}, told


def _folder(name: str) -> str:
    """The last folder of a path in an archive; empty where it has none."""
    return PurePosixPath(name.replace("\\", "/")).parent.name


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
