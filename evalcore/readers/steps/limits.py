"""The step that makes two classes of a column of numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd

from evalcore.readers.problems import named
from evalcore.readers.steps.step import Change, Step, numbers_in, refuse, with_columns
from evalcore.readers.values import text_of

__all__ = ["Reach"]


@dataclass(frozen=True)
class Reach(Step):
    """Say of each number of a column whether it reaches a limit: "≥ 150" or "< 150".

    >>> Reach("y", 150.0).apply(pd.DataFrame({"y": [150.0, 20.0, None]})).frame["y"].tolist()
    ['≥ 150', '< 150', None]
    """

    word: ClassVar[str] = "reach"
    column: str
    least: float

    @property
    def classes(self) -> tuple[str, str]:
        """The two classes: not reached, reached."""
        return f"< {text_of(self.least)}", f"≥ {text_of(self.least)}"

    @property
    def sentence(self) -> str:
        """See `Step`."""
        return f"{named(self.column)} is replaced by whether it reaches {text_of(self.least)}"

    def apply(self, frame: pd.DataFrame) -> Change:
        """See `Step`."""
        if not np.isfinite(self.least):
            refuse("The limit is no number.")
        numbers = numbers_in(frame, self.column)
        labels = np.where(numbers >= self.least, *reversed(self.classes)).astype(object)
        labels[np.isnan(numbers)] = None
        return Change(with_columns(frame, {self.column: pd.Series(labels, frame.index, dtype=object)}), "", fresh=True)
