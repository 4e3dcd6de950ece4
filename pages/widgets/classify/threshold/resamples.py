"""How the open scores are resampled: rows, rows of each class, or whole groups; and what resamples say of a choice."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import streamlit as st

from evalcore import METRICS, Array
from evalcore.analyses import Scores, ThresholdChoice
from evalcore.classification import Goal, ThresholdTable, threshold_grid
from evalcore.inference import ChoiceBootstrap, Clusters, Resampling, bootstrap_choice, clusters_of, resampling_of
from evalcore.wording import count_text, threshold_text

from ...session import address

RESAMPLES, SEED = 2000, 20
FEWEST, MOST = 200, 10_000
LARGEST_SEED = 2**32 - 1


@dataclass(frozen=True)
class Resampled:
    """How resamples are drawn.

    Attributes
    ----------
    scheme : {"rows", "classes", "groups"}
        Rows of any class, rows of each class apart, or whole groups.
    resamples, seed : int
    """

    scheme: str
    resamples: int
    seed: int


@dataclass(frozen=True, eq=False)
class Spread:
    """Where the choice falls in resamples.

    Attributes
    ----------
    thresholds : Array, shape (t,)
        Rising.
    shares : Array, shape (t,)
        How many of the resamples that choose, choose it.
    low, high : float
        The middle two thirds of the choices.
    plateau : Array, shape (m, 2)
        Ranges of thresholds within one standard error of the best.
    good : Array of bool, shape (t,)
        The thresholds in it.
    title : str
        What the shares are: "Where the best threshold falls in 2,000 resamples".
    words : str
        What they say: "two resamples in three choose 0.21 – 0.32".
    """

    thresholds: Array
    shares: Array
    low: float
    high: float
    plateau: Array
    good: np.ndarray
    title: str
    words: str


def resampled_of(scores: Scores) -> Resampled:
    """How the address says that resamples are drawn."""
    scheme = address.choice("resample", schemes_of(scores), "rows")
    resamples = address.number("resamples", RESAMPLES, FEWEST, MOST)
    return Resampled(scheme, round(resamples), round(address.number("seed", SEED, 0, LARGEST_SEED)))


def schemes_of(scores: Scores) -> list[str]:
    """What can be drawn of these scores."""
    return ["rows", "classes"] + ["groups"] * (scores.current.roles.group is not None)


def spread_of(chosen: ThresholdChoice) -> Spread | None:
    """Where the goal would choose in resamples; None where it has no choice in the sample, or in no resample."""
    return spread_in(chosen.scores, certainty_of(chosen))


def spread_in(scores: Scores, found: ChoiceBootstrap) -> Spread | None:
    """The same, of resamples that have been drawn; None where the sample has no choice either."""
    low, high = found.spread()
    if low != low or found.value != found.value:
        return None
    rising = slice(None, None, -1) if scores.higher else slice(None)
    thresholds, shares, good = found.thresholds[rising], found.shares[rising], found.good[rising]
    title = f"Where the best threshold falls in {count_text(found.resampling.resamples)} resamples"
    words = f"two resamples in three choose {span(low, high)}"
    return Spread(thresholds, shares, low, high, found.plateau, good, title, words)


def span(low: float, high: float) -> str:
    """Two thresholds as a range, or the one they are."""
    texts = [threshold_text(float(f"{end:.3g}")) for end in (low, high)]
    if texts[0] == texts[1] and low != high:
        texts = [threshold_text(end) for end in (low, high)]
    return texts[0] if low == high else " – ".join(texts)


def certainty_of(chosen: ThresholdChoice) -> ChoiceBootstrap:
    """The goal decided in every resample, kept by data set, system, goal and how the resamples are drawn."""
    scores, goal = chosen.scores, chosen.goal
    return _certainty(_key(scores), goal.key, resampled_of(scores), _scores=scores, _goal=goal)


def bands_of(scores: Scores, keys: Iterable[str], level: float = 0.95) -> dict[str, tuple[Array, Array]]:
    """The middle share of each measure over resamples, at the rows of ``threshold_grid(scores.table)``."""
    how = resampled_of(scores)
    return {key: _bands(_key(scores), key, how, level, _scores=scores) for key in keys}


def bands_at(scores: Scores, threshold: float, keys: Iterable[str], level: float) -> dict[str, tuple[float, float]]:
    """The same at one threshold of the file, which the grid of many scores may not hold."""
    row = scores.table.index(threshold)
    return _bands_at(_key(scores), row, resampled_of(scores), level, tuple(keys), _scores=scores)


def _key(scores: Scores) -> str:
    return scores.current.key_of(scores.system)


def _resampling(scores: Scores, table: ThresholdTable, how: Resampled) -> Resampling:
    grouped = _clusters(scores, table) if how.scheme == "groups" else None
    return resampling_of(table, how.resamples, how.seed, how.scheme == "classes", grouped)


def _clusters(scores: Scores, table: ThresholdTable) -> Clusters:
    arrays = scores.current.dataset.scored_arrays(scores.system)
    return clusters_of(table, arrays.labels, arrays.scores, arrays.group_codes[0], arrays.weights)


@st.cache_resource(max_entries=16, show_spinner="Resampling …")
def _certainty(data: str, goal: str, how: Resampled, _scores: Scores, _goal: Goal) -> ChoiceBootstrap:
    return bootstrap_choice(
        _goal,
        _scores.table,
        stratified=how.scheme == "classes",
        clusters=_clusters(_scores, threshold_grid(_scores.table)) if how.scheme == "groups" else None,
        resamples=how.resamples,
        seed=how.seed,
    )


# Resamples of a grid are up to 160 MB: few are kept, for all sessions together.
@st.cache_resource(max_entries=2, show_spinner=False)
def _drawn(data: str, how: Resampled, _scores: Scores) -> Resampling:
    return _resampling(_scores, threshold_grid(_scores.table), how)


@st.cache_resource(max_entries=128, show_spinner="Resampling …")
def _bands(data: str, key: str, how: Resampled, level: float, _scores: Scores) -> tuple[Array, Array]:
    return _drawn(data, how, _scores=_scores).bands(METRICS[key], level)


@st.cache_data(max_entries=256, show_spinner=False)
def _bands_at(
    data: str, row: int, how: Resampled, level: float, keys: tuple[str, ...], _scores: Scores
) -> dict[str, tuple[float, float]]:
    table = _scores.table
    rows = np.unique([0, row, len(table) - 1])
    few = ThresholdTable(table.thresholds[rows], table.counts[rows])
    drawn = _resampling(_scores, few, how)
    place = int(np.flatnonzero(rows == row)[0])
    return {key: tuple(float(end[place]) for end in drawn.bands(METRICS[key], level)) for key in keys}
