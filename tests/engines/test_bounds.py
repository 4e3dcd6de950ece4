"""Whatever the rows inside of bins are, their measures lie within the bounds of the bins."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore import METRICS, find
from evalcore.analyses import BinnedScores, Source
from evalcore.analyses.data.binned_scores import counted_bins
from evalcore.classification import (
    EventProbabilities,
    Goal,
    Limit,
    ProbabilityTable,
    ScoredLabels,
    bin_edges,
    calibration_error,
    corner_goal,
    cost_goal,
    flag_goal,
    measure_goal,
    reliability_bins,
    rule_out_goal,
    youden_goal,
)
from evalcore.engines import Bounds, ScoreCounts, calibration_bounds, choice_bounds, order_key
from evalcore.readers import DataSet, ReadProblem, roles_of
from tests.words import sentence_with

NEAR = 1e-9
ROWS = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=40)
EDGES = st.lists(st.sampled_from([0.1, 0.25, 0.3, 0.5, 0.500001, 0.7, 0.9]), max_size=4, unique=True)


def binned(ill: np.ndarray, scores: np.ndarray, bits: int, higher: bool = True) -> ScoreCounts:
    """Scores in bins, without an engine."""
    order = np.argsort(scores, kind="stable")
    key, score = order_key(scores, bits)[order], scores[order]
    first = np.flatnonzero(np.diff(key, prepend=-np.inf))
    numbers = {"count": np.diff(first, append=len(key)), "positives": np.add.reduceat(ill[order].astype(int), first)}
    numbers |= {"lowest": score[first], "highest": np.maximum.reduceat(score, first)}
    return ScoreCounts.of_table(numbers, higher_is_positive=higher, bits=bits)


def holds(bounds: Bounds, value: float) -> bool:
    return bounds.low - NEAR <= value <= bounds.high + NEAR


def check_calibration(ill: np.ndarray, scores: np.ndarray, bits: int, edges: Sequence[float]) -> None:
    bounds = calibration_bounds(binned(ill, scores, bits), edges)
    bins = reliability_bins(EventProbabilities(scores, ill), edges)
    assert holds(bounds.error, calibration_error(bins))
    assert holds(bounds.largest_gap, bins.largest_gap)


@given(ROWS, st.integers(2, 8), EDGES)
@settings(max_examples=25, deadline=None)
def test_reliability_lies_within_its_bounds(rows: list[tuple], bits: int, inside: list[float]) -> None:
    scores, ill = (np.array(column) for column in zip(*rows, strict=True))
    check_calibration(ill, scores + 0.0, bits, [0.0, *sorted(inside), 1.0])


@pytest.fixture(scope="module")
def rows() -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(11)
    scores = random.beta(1, 2, 20_000)
    return random.random(len(scores)) < scores**1.3, scores


def test_small_bins_leave_little_open(rows: tuple[np.ndarray, np.ndarray]) -> None:
    ill, scores = rows
    for bits, width in ((5, 0.3), (8, 0.04), (12, 0.003)):
        check_calibration(ill, scores, bits, np.linspace(0, 1, 11).tolist())
        counts = binned(ill, scores, bits)
        assert calibration_bounds(counts).error.width < width
        edges = bin_edges(EventProbabilities(counts.bins.sums["highest"], ill[:0]), way="distinct values")
        # No edge divides a bin, so only the sums of probabilities are open.
        assert calibration_bounds(counts, edges).error.width < width
    with pytest.raises(ReadProblem, match="not probabilities"):
        calibration_bounds(binned(ill, scores + 1, 5))
    with pytest.raises(ValueError, match="Lower scores"):
        calibration_bounds(binned(ill, scores, 5, higher=False))


GOALS: dict[str, Goal] = {
    "youden": youden_goal(),
    "corner": corner_goal(),
    "cost": cost_goal(fn_cost=3),
    "F1": measure_goal(find("F1")),
    "limited": measure_goal(METRICS["recall"]).within(Limit(METRICS["precision"], at_least=0.5)),
    "rule out": rule_out_goal(sensitivity=0.9),
}


@pytest.mark.parametrize("name", list(GOALS))
@pytest.mark.parametrize("higher", [True, False])
def test_the_best_threshold_lies_within_its_bounds(
    rows: tuple[np.ndarray, np.ndarray], name: str, higher: bool
) -> None:
    ill, scores = rows[0][:3000], rows[1][:3000] if higher else 1 - rows[1][:3000]
    state = ScoredLabels.from_arrays(ill, scores, True, higher_is_positive=higher)
    best = GOALS[name].choose(state.table())
    for bits in (3, 5, 9):
        bounds = choice_bounds(binned(ill, scores, bits, higher), GOALS[name])
        assert holds(bounds.value, best.value)
        assert holds(bounds.thresholds, best.threshold)
    assert bounds.value.width < 0.02


def test_a_goal_that_may_dislike_hits_has_no_bounds(rows: tuple[np.ndarray, np.ndarray]) -> None:
    counts = binned(*rows, bits=5)
    for goal in (flag_goal(rows=10), youden_goal().within(Limit(METRICS["recall"], at_most=0.5))):
        with pytest.raises(ValueError, match="has no certain bounds"):
            choice_bounds(counts, goal)
    assert sentence_with(BinnedScores(counts).choice_sentence(flag_goal(rows=10)), "better", "inside")
    limited = GOALS["rule out"].within(Limit(METRICS["precision"], at_least=0.9))
    assert sentence_with(BinnedScores(counts).choice_sentence(limited), "between two bins")


def test_a_data_set_of_bins_tells_its_bounds(rows: tuple[np.ndarray, np.ndarray]) -> None:
    ill, scores = rows
    counts = binned(ill, scores, 8)
    bins = counts.bins
    positives = bins.sums["positives"]
    frame = pd.DataFrame(
        {
            "ill": np.repeat(["ill", "not ill"], len(bins)),
            "score": np.tile(bins.sums["lowest"], 2),
            "end": np.tile(bins.sums["highest"], 2),
            "rows": np.concatenate([positives, bins.sums["count"] - positives]).astype(int),
        }
    )
    roles = roles_of(actual="ill", score=("score",), positive="ill", weight="rows", weights_are="counts")
    source = Source.of(DataSet.of(frame, roles=roles))
    assert counted_bins(source, "score", "score").is_exact
    of_data = BinnedScores(counted_bins(source, "score", "end"))
    table = ProbabilityTable.from_event(ill, scores, positive=True)
    for key, bounds_of in of_data.measures.items():
        bounds, measure = bounds_of(), METRICS[key]
        assert bounds == BinnedScores(counts).measures[key]()
        value = measure(table if measure.family == "probabilities" else ScoredLabels.from_arrays(ill, scores, True))
        assert holds(bounds, float(value)), key
        assert "certainly lies between" in of_data.sentence(key)
    assert len(of_data.measures) == 5
    assert of_data.sentence("gini") == ""
