"""Tables of masks: an image in each row, with its actual and its predicted mask as a PNG in base64."""

import base64
import binascii
import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image, UnidentifiedImageError

from evalcore.numeric import Array
from evalcore.readers.base import Columns, Finding, ReadProblem, named
from evalcore.readers.kinds.kind import Candidates, Kind, states
from evalcore.readers.shapes.label_columns import PNG
from evalcore.readers.table.table import Roles, Table, kept, part

__all__ = ["MASKS", "MaskImages", "MaskRoles"]


@dataclass(frozen=True, kw_only=True)
class MaskRoles(Roles):
    """Roles of a table with an image per row."""

    kind = "masks"
    mask: str = part("column", "Actual mask", "actual mask", sole=True)
    predicted_mask: str = part("column", "Predicted mask", "predicted mask", sole=True)
    picture: str | None = part("column", "Image", "image", default=None)


@dataclass(frozen=True, eq=False)
class MaskImages:
    """The masks of all images: labels of 8 bits, or predicted probabilities from 0 to 1. Escape `names`."""

    names: tuple[str, ...]
    actual: tuple[npt.NDArray[np.uint8], ...]
    predicted: tuple[npt.NDArray[np.uint8] | Array, ...]

    @property
    def are_probabilities(self) -> bool:
        """Whether the predicted masks hold probabilities."""
        return any(mask.dtype != np.uint8 for mask in self.predicted)

    @property
    def labels(self) -> tuple[int, ...]:
        """The labels above 0 that some mask has; 1 where no mask has any."""
        sides = self.actual if self.are_probabilities else (*self.actual, *self.predicted)
        present = np.zeros(256, bool)
        for mask in sides:
            present |= np.bincount(mask.ravel(), minlength=256) > 0
        return tuple((np.flatnonzero(present[1:]) + 1).tolist()) or (1,)


MOST_PIXELS = 1 << 24  # pixels of one mask
MOST_TOGETHER = 1 << 26  # pixels of all masks of one side: 256 of 512 × 512, as probabilities half a gigabyte


def decoded(text: str, where: str) -> npt.NDArray[np.uint8] | Array:
    """The pixels of a PNG in base64: labels of 8 bits, probabilities of 16. Raises ReadProblem for all others."""
    try:
        data = base64.b64decode(text, validate=True)
        with Image.open(io.BytesIO(data), formats=["PNG"]) as image:
            if image.width * image.height > MOST_PIXELS:
                raise ReadProblem(f"The mask in {where} has more than 16 million pixels.")
            pixels = np.asarray(image)
    except (binascii.Error, UnidentifiedImageError, OSError, ValueError, SyntaxError) as error:
        raise ReadProblem(f"The mask in {where} is not a PNG in base64. Open the masks as files.") from error
    if pixels.ndim != 2:
        raise ReadProblem(f"The mask in {where} is a colour image. A mask has one value per pixel: save it in grey.")
    return pixels.astype(np.uint8) if pixels.dtype in (np.uint8, bool) else pixels / 65535


@kept("mask_images")
def mask_images(table: Table[MaskRoles]) -> MaskImages:
    """The masks of a table. Raises ReadProblem where one is none, or two of an image have different sizes."""
    roles, frame = table.roles, table.frame
    names = range(1, len(table) + 1) if roles.picture is None else frame[roles.picture].astype(str).tolist()
    names = tuple(map(str, names))
    actual, predicted = (_decoded_column(table, column, names) for column in (roles.mask, roles.predicted_mask))
    for name, one, two in zip(names, actual, predicted, strict=True):
        if one.shape != two.shape:
            raise ReadProblem(f"The masks of {named(name)} have different sizes, {one.shape} and {two.shape}.")
        if one.dtype != np.uint8:
            raise ReadProblem(f"The actual mask of {named(name)} holds probabilities; choose the other column.")
    return MaskImages(names, actual, predicted)


def _decoded_column(table: Table[MaskRoles], column: str, names: tuple[str, ...]) -> tuple[np.ndarray, ...]:
    pictures, left = [], MOST_TOGETHER
    for cell, name in zip(table.frame[column].astype(str).tolist(), names, strict=True):
        pictures.append(decoded(cell, f"{named(column)} of {named(name)}"))
        left -= pictures[-1].size
        if left < 0:
            raise ReadProblem("The masks have more than 67 million pixels together. Open fewer images at once.")
    return tuple(pictures)


def _findings(table: Table[MaskRoles], columns: Columns) -> Iterator[Finding]:
    if not len(table):
        raise ReadProblem("There is no mask in this table.")
    yield from ()


def _recognise(columns: Columns) -> dict[str, Any]:
    pictures = [c.name for c in columns if not c.is_number and len(c) and str(c.values.iloc[0]).startswith(PNG)]
    others = [c.name for c in columns if c.name not in pictures]
    if len(pictures) != 2 or len(others) > 1:
        return {}
    return {"mask": pictures[0], "predicted_mask": pictures[1], "picture": others[0] if others else None}


def _assigned(candidates: Candidates) -> dict[str, Any]:
    mask = candidates.one("mask")
    return {"mask": mask, "predicted_mask": candidates.one("predicted_mask", mask)}


MASKS = Kind(
    "masks", "two masks per image, the actual and the predicted one, as pictures that are opened together", MaskRoles,
    states=states(mask_images), findings=(_findings,), assign=_assigned, recognise=_recognise, unit=("image", "images"),
)  # fmt: skip
