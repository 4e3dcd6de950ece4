"""The sample data sets of the application, from their catalogue."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from evalcore.readers.base.problems import ReadProblem, listed, named
from evalcore.readers.dataset.datasets import DataSet
from evalcore.readers.files.tables import read_table
from evalcore.readers.join.face_tables import add_faces

__all__ = ["Sample", "read_sample", "samples"]

# Installed, the samples lie inside the package; in a checkout, beside it.
FOLDER = next(folder for above in Path(__file__).resolve().parents[1:] if (folder := above / "sample_data").is_dir())


@dataclass(frozen=True)
class Sample:
    """A sample: its short name in links, its file, the question it answers, and the words for its classes and rows.

    `kind` is what it opens as, `positive` the text of its positive label, `unit` what its rows are ("people", "rows"),
    and `settings` the parameters of its link, if its source uses others than the usual ones. The files of `faces` hold
    texts or images of its documents and queries. A sample that is not `offered` shows a trap of the page of challenges,
    and stands in no list of data to start with.
    """

    id: str
    file: str
    title: str
    question: str
    kind: str
    positive: str | None
    positive_word: str | None
    negative_word: str | None
    unit: str
    source: str
    settings: Mapping[str, str] = field(default_factory=dict)
    faces: tuple[str, ...] = ()
    offered: bool = True

    @property
    def path(self) -> Path:
        """The file itself."""
        return FOLDER / self.file


@cache
def samples() -> dict[str, Sample]:
    """All samples by id, in the order of the catalogue.

    >>> samples()["roc_20"].kind
    'scores'
    """
    by_id = {}
    for entry in json.loads((FOLDER / "catalogue.json").read_text(encoding="utf-8")):
        words = entry.pop("words")
        entry["faces"] = tuple(entry.get("faces", ()))
        by_id[entry["id"]] = Sample(**entry, positive_word=words["positive"], negative_word=words["negative"])
    return by_id


def read_sample(id: str) -> DataSet:
    """The data set of a sample, by an id of `samples()`. Raises ReadProblem if there is none.

    >>> float(read_sample("cancer_test").counts().tp)
    20.0
    """
    if id not in samples():
        raise ReadProblem(f"There is no sample {named(id)}. Choose one of {listed(samples(), 20)}.")
    sample = samples()[id]
    dataset = read_table(sample.path)
    if not sample.faces:
        return dataset
    # They belong to the sample, so nobody has to open them by their names.
    return replace(add_faces(dataset, {name: (FOLDER / name).read_bytes() for name in sample.faces}), face_files=())
