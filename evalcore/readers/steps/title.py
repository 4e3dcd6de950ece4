"""The step that names the data set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pandas as pd

from evalcore.readers.problems import named
from evalcore.readers.steps.step import Change, Step, refuse

__all__ = ["Title"]


@dataclass(frozen=True)
class Title(Step):
    """Give the data set a name; its file keeps its own."""

    word: ClassVar[str] = "title"
    title: str

    @property
    def sentence(self) -> str:
        """See `Step`."""
        return f"The data set is named {named(self.title)}"

    def apply(self, frame: pd.DataFrame) -> Change:
        """See `Step`."""
        if not self.title.strip():
            refuse("The data set needs a name.")
        return Change(frame, "")
