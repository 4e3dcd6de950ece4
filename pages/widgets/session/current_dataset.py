"""The open data set: which one the address names, with the roles and the system chosen for it."""

from collections.abc import Collection
from dataclasses import dataclass

import pandas as pd
import streamlit as st

from evalcore.readers import DataSet, ReadProblem, Roles, Sample, read_sample, samples, text_of

from . import address
from .prefetch import SORTED
from .workspace import workspace

KINDS = {
    "labels": "labels",
    "scores": "scores",
    "probabilities": "class probabilities",
    "counts": "counts",
    "estimates": "estimates",
    "run + judgments": "run + judgments",
    "unknown": "a table without roles yet",
}
_OPENED_HERE = "opened here"


@dataclass(frozen=True)
class Opened:
    """The data set in use, as the address says.

    Parameters
    ----------
    id : str
        Id of a sample or of a stored upload: what ``data`` in the address holds.
    title : str
        What to call it. Comes from a file: escape it.
    dataset : DataSet
        The table with the roles of the address. Shared by all sessions: never change its frame.
    system : str or None
        The chosen one of `systems`; None where there is nothing to choose.
    rows, positives : int, int or None
        How many cases (or queries) there are, and how many of them are truly positive; None without a positive class.
    """

    id: str
    title: str
    dataset: DataSet
    system: str | None
    rows: int
    positives: int | None

    @property
    def kind(self) -> str:
        return self.dataset.kind

    @property
    def roles(self) -> Roles:
        return self.dataset.roles

    @property
    def frame(self) -> pd.DataFrame:
        return self.dataset.frame

    @property
    def systems(self) -> tuple[str, ...]:
        """What can be chosen as the system: columns of scores, predictions or estimates, or rows of counts."""
        return () if self.kind == "probabilities" else self.dataset.systems

    @property
    def positive(self) -> object | None:
        return self.roles.positive

    @property
    def higher_is_positive(self) -> bool:
        return self.roles.higher_is_positive

    @property
    def unit(self) -> str:
        """What is counted of it: people, images, rows; queries where lists are ranked."""
        if self.kind == "run + judgments":
            return "queries" if self.rows != 1 else "query"
        return samples()[self.id].unit if self.id in samples() else "rows"

    @property
    def words(self) -> tuple[str, str] | None:
        """What the positive and the negative class are called, where that is known. May come from a file: escape it."""
        sample = samples().get(self.id)
        if sample is not None and sample.positive_word and sample.positive in (None, text_of(self.positive)):
            return sample.positive_word, sample.negative_word
        if self.positive is None:
            return None
        others = [text_of(value) for value in self.labels if value != self.positive]
        return text_of(self.positive), others[0] if len(others) == 1 else f"not {text_of(self.positive)}"

    @property
    def labels(self) -> list:
        """The values of the column of true labels, the most frequent first, at most 500 of them."""
        return _labels(self.id, self.roles.actual) if self.roles.actual is not None else []

    @property
    def key(self) -> str:
        """What a cached result of this data set, these roles and this system is kept under."""
        return self.key_of(self.system)

    def key_of(self, system: str | None) -> str:
        """The same for another of its systems, whichever is chosen."""
        return "\n".join((self.dataset.digest, self.roles.to_text(), system or ""))


def opened() -> Opened | None:
    """The open data set, or None where the address names none or one that is not here any more."""
    data = address.text("data")
    if data is None:
        return None
    try:
        dataset = _with_roles(data, address.text("roles"))
        if dataset.roles == _found(data).roles:
            address.refuse("roles")
        system = address.choice("system", systems := dataset.systems, next(iter(systems), None))
        current = Opened(data, title_of(data), dataset, system, *_tally(data, address.text("roles"), system))
    except ReadProblem:
        return None
    if data not in samples():
        opened_here().add(data)
    return current


def open_data(data: str) -> None:
    """Open a data set by its id, a sample with the settings of its source; good as the callback of a button."""
    address.put("data", data)
    for name, value in samples()[data].settings.items() if data in samples() else ():
        address.put(name, value)


def store(dataset: DataSet) -> None:
    """Keep a data set that was just read, and open it. Raises ReadProblem where the workspace cannot keep it."""
    data = workspace().save(dataset)
    _found(data, dataset)  # so that it is not read back at once
    open_data(data)


def found(data: str) -> DataSet:
    """The data set as it was read, before any choice of roles. Raises ReadProblem where there is none of this id."""
    return _found(data)


def forget(data: str) -> None:
    """Drop everything cached of a data set that was deleted, and of the others with it, which are read again.

    States, curves and tables are kept under a digest of the content, so that none can be told to be of this one.
    """
    opened_here().discard(data)
    SORTED.clear()
    st.cache_data.clear()
    st.cache_resource.clear()


def opened_here() -> set[str]:
    """The ids of the uploads that were opened in this session."""
    return st.session_state.setdefault(_OPENED_HERE, set())


def title_of(data: str) -> str:
    """What to call a data set: the title of a sample, the file name of an upload."""
    return samples()[data].title if data in samples() else _found(data).name


def samples_of(kinds: Collection[str]) -> list[Sample]:
    """The samples of these kinds, in the order of the catalogue."""
    return [sample for sample in samples().values() if sample.kind in kinds]


# A frame is up to hundreds of megabytes: few are kept, for all sessions together, and none is ever hashed.
@st.cache_resource(max_entries=8, show_spinner=False)
def _found(data: str, _read: DataSet | None = None) -> DataSet:
    if _read is not None:
        return _read
    return read_sample(data) if data in samples() else workspace().load(data)


@st.cache_resource(max_entries=16, show_spinner=False)
def _with_roles(data: str, roles: str | None) -> DataSet:
    dataset = _found(data)
    try:
        return dataset if roles is None else dataset.with_roles(Roles.from_text(roles, dataset.frame))
    except ReadProblem:  # a link may be cut or edited
        return dataset


@st.cache_data(max_entries=64, show_spinner=False)
def _labels(data: str, column: str) -> list:
    return _found(data).frame[column].dropna().value_counts().index[:500].tolist()


@st.cache_data(max_entries=256, show_spinner=False)
def _tally(data: str, roles: str | None, system: str | None) -> tuple[int, int | None]:
    dataset = _with_roles(data, roles)
    if dataset.kind == "counts":
        try:
            counted = dataset.counts_table()
        except ReadProblem:  # a finding says it, and every page that counts; the file is open all the same
            return len(dataset), None
        if not isinstance(counted, dict):
            return int(dataset.frame[list(dataset.roles.counts)].to_numpy().sum()), None
        tp, fp, fn, tn = counted[system]
        return int(tp + fp + fn + tn), int(tp + fn)
    if dataset.kind == "run + judgments":
        return dataset.frame[dataset.roles.query].nunique(), None
    actual, positive = dataset.roles.actual, dataset.roles.positive
    if actual is None or positive is None:
        return len(dataset), None
    return len(dataset), int((dataset.frame[actual] == positive).sum())
