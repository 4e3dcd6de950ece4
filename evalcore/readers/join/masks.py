"""Masks out of files: pictures and arrays, paired by their names, as a table that holds them as PNG in base64."""

import base64
import io
import re
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePosixPath

import numpy as np
import numpy.typing as npt
import pandas as pd
from PIL import Image, UnidentifiedImageError

from evalcore.numeric import Array
from evalcore.readers.base.encodings import zipped_paths
from evalcore.readers.base.problems import Finding, ReadProblem, listed, named
from evalcore.readers.dataset.datasets import DataSet
from evalcore.readers.files.columnar import read_apart
from evalcore.readers.files.tables import MAX_BYTES, MAX_ROWS, with_findings
from evalcore.readers.kinds.masks import MOST_PIXELS, MOST_TOGETHER, MaskRoles

__all__ = ["mask_of_file", "open_masks", "read_masks"]

MOST_FILES, _MOST_BYTES = 2_000, 1 << 28
_PROBABILITIES = 32  # more grey levels than this beside a truth of fewer are probabilities, not labels

_SUFFIX = re.compile(
    r"[ _.-]*(masks?|gt|ground[ _-]?truth|truth|true|labels?|manual|pred|predicted|prediction|seg|segmentation|out)$",
    re.IGNORECASE,
)

ARRAY = b"\x93NUMPY"
Pixels = npt.NDArray[np.uint8] | Array


def read_masks(actual: Mapping[str, bytes], predicted: Mapping[str, bytes]) -> DataSet:
    """Pair the masks of two sets of files by their names, without endings such as "_mask" and "_pred".

    The files are PNG, TIFF, NPY, NPZ, or zip archives of them. Names are no paths. Pictures are decoded in this
    process; for files from others there is `open_masks`, which does it in a child with limits. Raises ReadProblem when
    a file cannot be read, is in colour, or no two masks make a pair.

    >>> def png(rows):
    ...     file = io.BytesIO()
    ...     Image.fromarray(np.array(rows, np.uint8)).save(file, "PNG")
    ...     return file.getvalue()
    >>> data = read_masks({"a_mask.png": png([[0, 255]])}, {"a_pred.png": png([[255, 255]]), "b.png": png([[0, 0]])})
    >>> data.kind, data.frame["image"].tolist(), [finding.code for finding in data.findings]
    ('masks', ['a'], ['masks without partner'])
    """
    truth, given = (_pictures(files) for files in (actual, predicted))
    if len(truth) == len(given) == 1:  # there is one pair, whatever the names are
        given = dict(zip(truth, given.values(), strict=True))
    names = [name for name in truth if name in given]
    alone = [name for name in (*truth, *given) if (name in truth) != (name in given)]
    findings = []
    if alone:
        sentence = f"Masks without a partner of the same name are left out: {listed(alone)}."
        findings.append(Finding("warning", sentence, len(alone), code="masks without partner"))
    if unlike := [name for name in names if truth[name].shape != given[name].shape]:
        one, two = ("{1} × {0}".format(*side[unlike[0]].shape) for side in (truth, given))
        sentence = f"Masks of different sizes are left out: {listed(unlike)}; the first are {one} and {two}."
        findings.append(Finding("warning", sentence, len(unlike), code="masks of different sizes"))
    if not (names := [name for name in names if name not in unlike]):
        why = "no name stands in both" if not unlike else "all pairs have different sizes"
        raise ReadProblem(f"No two masks make a pair: {why}. Name the files of an image alike, with the same size.")
    grey = all(given[name].dtype == np.uint8 for name in names)
    levels = {int(level) for name in names for level in np.unique(given[name])} if grey else set()
    known = {int(level) for name in names for level in np.unique(truth[name])}
    if grey and len(levels) > _PROBABILITIES >= len(known):
        sentence = f"The predicted masks have {len(levels)} grey levels, which are read as probabilities (level / 255)."
        findings.append(Finding("info", sentence, len(names), code="probability maps"))
        given = {name: given[name] / 255 for name in names}
    if any(truth[name].dtype != np.uint8 for name in names):
        sentence = "The actual masks hold fractions. Masks of the truth hold 0 and 1, or whole numbers for labels."
        raise ReadProblem(sentence)
    masks = {side: [_png(own[name]) for name in names] for side, own in (("actual", truth), ("predicted", given))}
    frame = pd.DataFrame({"image": names, **masks}, dtype="str")
    roles = MaskRoles(picture="image", mask="actual", predicted_mask="predicted")
    return DataSet.of(frame, "masks" if len(names) > 1 else names[0], roles=roles, read_findings=tuple(findings))


def mask_of_file(data: bytes, name: str) -> Pixels:
    """The mask in a PNG, TIFF or NPY file: labels of 8 bits, or fractions of 1. Raises ReadProblem for other files."""
    if data.startswith(ARRAY):
        try:
            values = np.load(io.BytesIO(data), allow_pickle=False)
        except (ValueError, OSError, EOFError) as error:
            sentence = f"{named(name)} is not an array that can be read: it is damaged or holds objects."
            raise ReadProblem(sentence) from error
    else:
        values = _picture(data, name)
    return _checked(values, name)


def _picture(data: bytes, name: str) -> np.ndarray:
    try:
        with Image.open(io.BytesIO(data), formats=["PNG", "TIFF"]) as image:
            if image.width * image.height > MOST_PIXELS:
                sentence = f"{named(name)} has {image.width} × {image.height} pixels; at most 16 million can be read."
                raise ReadProblem(sentence)
            return np.asarray(image)
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        sentence = f"{named(name)} is not a PNG, TIFF, NPY or NPZ file, or it is damaged. Save the mask again."
        raise ReadProblem(sentence) from error


def _checked(values: np.ndarray, name: str) -> Pixels:
    while values.ndim > 2 and 1 in values.shape:  # one slice, or one channel
        values = np.squeeze(values, axis=values.shape.index(1))
    if values.ndim == 3 and values.shape[-1] in (2, 3, 4):
        colours = values[..., :3] if values.shape[-1] != 2 else values[..., :1]
        if not (colours == colours[..., :1]).all():
            raise ReadProblem(f"{named(name)} is a colour image. A mask has one value per pixel: save it in grey.")
        values = colours[..., 0]
    if values.ndim != 2 or not values.size:
        raise ReadProblem(f"{named(name)} has the shape {values.shape}; a mask has a height and a width.")
    if values.size > MOST_PIXELS:
        raise ReadProblem(f"{named(name)} has {values.size} pixels; at most 16 million can be read.")
    if values.dtype.kind == "b":
        return values.astype(np.uint8)
    if values.dtype.kind not in "iuf" or not np.isfinite(values).all():
        raise ReadProblem(f"{named(name)} holds missing or infinite values, or no numbers. Save the mask again.")
    low, high = float(values.min()), float(values.max())
    if values.dtype.kind == "f" and not (values == np.rint(values)).all():
        if low < 0 or high > 1:
            raise ReadProblem(f"{named(name)} has fractions from {low:g} to {high:g}; probabilities lie from 0 to 1.")
        return values.astype(np.float64)
    if low < 0 or high > 255:
        sentence = f"{named(name)} has labels from {low:g} to {high:g}; at most 255 labels, from 0, can be read."
        raise ReadProblem(sentence)
    labels = values.astype(np.uint8)
    return (labels > 0).astype(np.uint8) if set(np.unique(labels)) <= {0, 255} else labels


def _pictures(files: Mapping[str, bytes]) -> dict[str, Pixels]:
    """The masks of some files by the name of their image."""
    pictures: dict[str, Pixels] = {}
    left = MOST_TOGETHER
    for name, data in unpacked(files).items():
        stem = PurePosixPath(name.replace("\\", "/")).stem
        stem = _SUFFIX.sub("", stem) or stem
        if stem in pictures:
            raise ReadProblem(f"Two masks are of the image {named(stem)}. Give each image its own name.")
        pictures[stem] = mask_of_file(data, name)
        left -= pictures[stem].size
        if left < 0:
            raise ReadProblem("The masks have more than 67 million pixels together. Open fewer images at once.")
    if not pictures:
        raise ReadProblem("There is no mask in these files. Open PNG, TIFF, NPY or NPZ files, or a zip of them.")
    return pictures


def unpacked(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files, and those in archives (an NPZ is one, of NPY files)."""
    found: dict[str, bytes] = {}
    left = _MOST_BYTES
    for name, data in files.items():
        if not data.startswith(b"PK"):
            found[name] = data
            continue
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                members = [one for one in archive.infolist() if not one.is_dir() and not _is_hidden(one.filename)]
                left -= sum(one.file_size for one in members)
                if left < 0 or len(found) + len(members) > MOST_FILES:
                    sentence = f"{named(name)} holds more than {MOST_FILES} masks or 256 MB. Open fewer at once."
                    raise ReadProblem(sentence)
                several = len(members) > 1
                for one in members:
                    inside = one.filename if several or not name.lower().endswith(".npz") else name
                    found[inside] = archive.read(one)
        except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError) as error:
            sentence = f"{named(name)} is not an archive that can be read: it is damaged or has a password."
            raise ReadProblem(sentence) from error
    return found


def _is_hidden(name: str) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in PurePosixPath(name).parts)


def _png(pixels: Pixels) -> str:
    """A PNG in base64: labels in 8 bits, probabilities in 16."""
    file = io.BytesIO()
    whole = pixels.dtype == np.uint8
    Image.fromarray(pixels if whole else np.rint(pixels * 65535).astype(np.uint16)).save(file, "PNG")
    return base64.b64encode(file.getvalue()).decode()


_SIDES = ("actual", "predicted")
_ENDINGS = (".png", ".tif", ".tiff", ".npy", ".npz")
_PICTURES = (ARRAY, b"\x89PNG", b"II*\0", b"MM\0*")
_PREDICTED = re.compile(r"(^|[^a-z])(preds?|predicted|predictions?|outputs?|results?|models?)([^a-z]|$)", re.IGNORECASE)
_ACTUAL = re.compile(r"(^|[^a-z])(gt|truth|true|actual|manual|reference|labels?)([^a-z]|$)", re.IGNORECASE)


def open_masks(actual: Mapping[str, bytes], predicted: Mapping[str, bytes]) -> DataSet:
    """Call `read_masks` in a child process with limits of memory and time, for files of others."""
    sides = zip(_SIDES, (actual, predicted), strict=True)
    files = {f"{side}/{name}": data for side, own in sides for name, data in own.items()}
    return read_apart(read_sides, files, MAX_ROWS, MAX_BYTES)


def are_masks(files: Mapping[str, bytes]) -> bool:
    r"""Whether all files are pictures, arrays, or archives of these.

    >>> are_masks({"a.png": b"\x89PNG", "b.npy": b"\x93NUMPY"}), are_masks({"a.csv": b"truth,model"})
    (True, False)
    """
    for data in files.values():
        paths = [path for path in zipped_paths(data, MOST_FILES) if not _is_hidden(path)]
        if not data.startswith(_PICTURES) and not (paths and all(path.lower().endswith(_ENDINGS) for path in paths)):
            return False
    return True


def masks_together(files: Mapping[str, bytes]) -> DataSet:
    """The masks of files that were opened together, or of one archive, read in a child process.

    The names of folders or files tell which are predicted. Raises ReadProblem as `read_masks`, or if they do not.
    """
    return read_apart(read_unsorted, files, MAX_ROWS, MAX_BYTES)


def read_unsorted(files: Mapping[str, bytes], max_rows: int, max_bytes: int) -> DataSet:
    """`masks_together` in this process."""
    name = next(iter(files))
    alone = len(files) == 1
    files = unpacked(files) if alone else files
    if len(files) == 1:
        sentence = f"{named(name)} is not a table. Save a table as CSV, Excel, JSON or Parquet; to compare masks, open "
        sentence += "the actual and the predicted ones together: two pictures, two zips with files of the same names, "
        raise ReadProblem(f"{sentence}or one zip with a folder of each.")
    predicted, is_named = _predicted_of(list(files))
    sides = [{name: data for name, data in files.items() if (name in predicted) == side} for side in (False, True)]
    data = read_masks(*sides)
    if alone:
        data = replace(data, name=name)
    if is_named:
        return data
    names = [named(_folder(next(iter(side))) or next(iter(side))) for side in sides]
    sentence = f"By their names neither is the truth: {names[0]} is taken for the actual mask and {names[1]} for the "
    sentence += "predicted one. Swap their roles if it is the other way round."
    return with_findings(data, [Finding("info", sentence, 2, code="unnamed masks")])


def _predicted_of(names: list[str]) -> tuple[set[str], bool]:
    """Names of the predicted masks, and whether names decide; if not, the last of two files or folders is predicted."""
    folders = dict.fromkeys(map(_folder, names))
    of = _folder if len(folders) == 2 else lambda name: PurePosixPath(name).stem
    parts = list(folders) if len(folders) == 2 else [of(name) for name in names]
    predicted = {part for part in parts if _PREDICTED.search(part)}
    is_named = 0 < len(predicted) < len(parts)
    if len(parts) == 2 and not is_named:
        truths = [part for part in parts if _ACTUAL.search(part)]
        is_named = len(truths) == 1
        first = truths[0] if is_named else min(parts) if of is _folder else parts[0]
        predicted = {part for part in parts if part != first}
    elif not is_named:
        sentence = f"The names of these {len(names)} masks do not tell which are predicted. Name them as in a_gt.png "
        sentence += "and a_pred.png, or open a zip of the actual and a zip of the predicted ones, or one zip with a "
        raise ReadProblem(f"{sentence}folder of each.")
    return {name for name in names if of(name) in predicted}, is_named


def _folder(name: str) -> str:
    """The last folder of a path in an archive; empty where it has none."""
    return PurePosixPath(name.replace("\\", "/")).parent.name


def read_sides(files: Mapping[str, bytes], max_rows: int, max_bytes: int) -> DataSet:
    """`read_masks` of files whose names begin with their side."""
    sides = [{name.partition("/")[2]: files[name] for name in files if name.startswith(side)} for side in _SIDES]
    return read_masks(*sides)
