"""The step that makes a probability of the positive class of the confidence in a predicted label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pandas as pd

from evalcore.readers.problems import named
from evalcore.readers.steps.step import Change, Step, existing, holds, numbers_in, with_columns
from evalcore.wording.numbers import count_text

__all__ = ["Toward"]


@dataclass(frozen=True)
class Toward(Step):
    """Turn the confidence in the predicted label, of two, into the probability of one of them: 1 − it for the other."""

    word: ClassVar[str] = "toward"
    column: str
    predicted: str
    positive: str

    @property
    def sentence(self) -> str:
        """See `Step`."""
        what = f"{named(self.column)} is the probability of {named(self.positive)}"
        return f"{what}: 1 − it where {named(self.predicted)} is another label"

    def apply(self, frame: pd.DataFrame) -> Change:
        """See `Step`."""
        existing(frame, self.predicted)
        numbers, labels = numbers_in(frame, self.column), frame[self.predicted]
        other = ~holds(labels, (self.positive,))
        turned = np.where(labels.isna(), np.nan, np.where(other, 1 - numbers, numbers))
        changed = with_columns(frame, {self.column: pd.Series(turned, frame.index)})
        return Change(changed, f"{count_text(int(other.sum()))} cells", fresh=True)
