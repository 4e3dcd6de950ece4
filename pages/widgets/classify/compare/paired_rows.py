"""Several systems on the same rows: what each says of the rows that all of them have."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import streamlit as st

from evalcore import Array
from evalcore.analyses import Source
from evalcore.classification import NoThreshold, ScoredLabels, flag_goal, youden_goal
from evalcore.inference import PairedClasses, PairedCounts
from evalcore.readers import ScoredArrays, check_classes, ordered

from ...session.loaded_labels import label_pairs_of
from ...session.loaded_scores import scores_of, threshold_of

CUTS = {
    "page": "One threshold for all",
    "youden": "Each at its highest Youden’s J",
    "flagged": "Each flagging as many as A",
}
"""How scores of several systems are cut."""


@dataclass(frozen=True, eq=False)
class SameRows:
    """What some systems say of the rows that all of them have.

    Parameters
    ----------
    systems : tuple of str
        Come from a file: escape them.
    classes : tuple of str
        Come from a file: escape them. Of scores the negative and the positive one.
    actual : array of int or bool, shape (n,)
        Places in `classes`.
    said : tuple of such arrays
        One a system.
    weights : Array, shape (n,), or None
    rows : array of int, shape (n,)
        Their numbers in the table, counted from 0.
    left_out : int
        Rows of the table that some system, or the truth, lacks.
    thresholds : tuple of float
        Threshold of each system; empty for labels.
    """

    systems: tuple[str, ...]
    classes: tuple[str, ...]
    actual: np.ndarray
    said: tuple[np.ndarray, ...]
    weights: Array | None
    rows: np.ndarray
    left_out: int
    thresholds: tuple[float, ...] = ()

    @cached_property
    def n(self) -> float:
        """Rows, or the sum of their weights."""
        return float(len(self.actual) if self.weights is None else self.weights.sum())

    def paired(self, target: str, a: int = 0, b: int = 1) -> PairedCounts:
        """Two of the systems, one class against the rest."""
        place = self.classes.index(target)
        return PairedCounts.from_labels(
            self.actual == place, self.said[a] == place, self.said[b] == place, weights=self.weights
        )

    def paired_classes(self, a: int = 0, b: int = 1) -> PairedClasses:
        """Two of the systems over all classes."""
        return PairedClasses.from_codes(self.actual, self.said[a], self.said[b], self.classes, self.weights)


def same_rows(current: Source, systems: tuple[str, ...], cut: str, leader: str | None = None) -> SameRows:
    """The answers of some systems; kept. May raise ReadProblem.

    Parameters
    ----------
    current : Source
    systems : tuple of str
        The others flag as many rows as the first where that is asked for.
    cut : str
        A key of `CUTS`; of no effect on labels.
    leader : str, optional
        Whose threshold is that of the page where the address holds none; the first of the systems by default.
    """
    if current.kind != "scores":
        return _labelled(_key(current, systems), _current=current, _systems=systems)
    threshold = threshold_of(scores_of(current, leader or systems[0]))
    key = f"{_key(current, systems)}\n{cut}\n{'' if cut == 'youden' else repr(threshold)}"
    return _cut(key, _current=current, _systems=systems, _cut=cut, _threshold=threshold)


def is_complete(current: Source, rows: SameRows) -> bool:
    """Whether no system has a row that another of them lacks."""
    if current.kind == "scores":
        return all(_arrays_of(current, system).left_out == rows.left_out for system in rows.systems)
    return all(label_pairs_of(current, system).left_out == rows.left_out for system in rows.systems)


def same_scores(current: Source, systems: tuple[str, ...]) -> tuple[np.ndarray, list[Array], Array | None, np.ndarray]:
    """Labels, the scores of each system, weights, and the numbers of the rows that all systems have."""
    found = [_arrays_of(current, system) for system in systems]
    kept = np.logical_and.reduce([one.kept for one in found])
    taken = [slice(None) if len(one.scores) == np.count_nonzero(kept) else kept[one.kept] for one in found]
    weights = None if found[0].weights is None else found[0].weights[taken[0]]
    scores = [one.scores[rows] for one, rows in zip(found, taken, strict=True)]
    return found[0].labels[taken[0]], scores, weights, np.flatnonzero(kept)


def is_one_scale(current: Source, systems: tuple[str, ...]) -> bool:
    """Whether the scores of all these systems lie in 0 … 1, so that one threshold can mean the same to each."""
    for system in systems:
        scores = scores_of(current, system)
        low, high = scores.scored.ends
        if low <= high and not all(0 <= end <= 1 for end in (low, high)):
            return False
    return True


def _key(current: Source, systems: tuple[str, ...]) -> str:
    return "\n".join((current.key_of(None), current.kind, repr(systems)))


def _arrays_of(current: Source, system: str) -> ScoredArrays:
    return _arrays(current.key_of(system), _current=current, _system=system)


# Ten bytes a row: few are kept, for all sessions together.
@st.cache_resource(max_entries=12, show_spinner=False)
def _arrays(key: str, _current: Source, _system: str) -> ScoredArrays:
    return _current.dataset.scored_arrays(_system)


# A byte a row and system, and what the rows are: few are kept, for all sessions together.
@st.cache_resource(max_entries=8, show_spinner="Cutting the scores …")
def _cut(key: str, _current: Source, _systems: tuple[str, ...], _cut: str, _threshold: float) -> SameRows:
    labels, scores, weights, rows = same_scores(_current, _systems)
    higher, total = _current.higher_is_positive, len(_current.dataset)
    positive, negative = _current.class_names(_systems[0])
    thresholds, said = [], []
    for place, (system, values) in enumerate(zip(_systems, scores, strict=True)):
        threshold = _threshold
        if _cut == "youden" or (_cut == "flagged" and place):
            whole = scores_of(_current, system)
            state = whole.scored
            if len(rows) < total - whole.left_out:
                state = ScoredLabels.from_arrays(labels, values, weights=weights, higher_is_positive=higher)
            flagged = said[0] if said else None
            threshold = _own_threshold(state, _cut, flagged, weights, _threshold)
        thresholds.append(threshold)
        said.append(values >= threshold if higher else values <= threshold)
    return SameRows(
        _systems,
        (negative, positive),
        labels,
        tuple(said),
        weights,
        rows,
        total - len(rows),
        tuple(thresholds),
    )


def _own_threshold(
    state: ScoredLabels, cut: str, flagged: np.ndarray | None, weights: Array | None, otherwise: float
) -> float:
    """The threshold of one system by its own scores; another where it has none."""
    try:
        if cut == "youden":
            choice = youden_goal().choose(state.table())
        else:
            many = np.count_nonzero(flagged) if weights is None else weights[flagged].sum()
            choice = flag_goal(rows=float(many)).choose(state.table())
    except (NoThreshold, ValueError):
        return otherwise
    return choice.threshold


@st.cache_resource(max_entries=8, show_spinner="Counting …")
def _labelled(key: str, _current: Source, _systems: tuple[str, ...]) -> SameRows:
    found = [label_pairs_of(_current, system) for system in _systems]
    kept = np.logical_and.reduce([one.actual >= 0 for one in found])
    names = [_spelled_alike(one.classes, found) for one in found]
    classes = ordered({name for of_one in names for name in of_one})
    check_classes(classes)
    places = {name: place for place, name in enumerate(classes)}
    recoding = [np.array([places[name] for name in of_one] or [0], dtype=np.int16) for of_one in names]
    said = tuple(codes[one.predicted[kept]] for codes, one in zip(recoding, found, strict=True))
    weights = None if found[0].weights is None else found[0].weights[kept]
    rows = np.flatnonzero(kept)
    return SameRows(_systems, classes, recoding[0][found[0].actual[kept]], said, weights, rows, len(kept) - len(rows))


def _spelled_alike(classes: tuple[str, ...], found: list) -> tuple[str, ...]:
    """One spelling where a column says True and another 1."""
    every = {name for one in found for name in one.classes}
    if every <= {"True", "False", "0", "1"} and every & {"0", "1"}:
        return tuple({"True": "1", "False": "0"}.get(name, name) for name in classes)
    return classes
