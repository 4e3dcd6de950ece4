"""Where lower scores are positive, everything is the mirror image of the negated scores, on the scale of the data."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.classification import (
    Limit,
    ScoredLabels,
    ThresholdTable,
    band_of_error,
    best,
    cheapest_thresholds,
    cost_curve,
    cost_goal,
    decision_curve,
    nested_bands,
    pooled,
    precision,
    ratios_of,
    recall,
    refer,
    step_points,
    threshold_for_value,
    threshold_grid,
    youden_goal,
    zone_bins,
)
from evalcore.classification.binary.axis import EXTENTS, score_axis, score_bins
from evalcore.inference import bootstrap_choice, clusters_of
from evalcore.registry import METRICS
from tests.classification.small_inputs import halves, rows, thorough, two_classes

LEVELS = st.one_of(st.integers(-1, 5).map(float), st.sampled_from([0.5, math.inf, -math.inf, math.nan]))


def both(drawn) -> tuple[ScoredLabels, ScoredLabels]:
    """The state where lower is positive, and that of the negated scores where higher is positive."""
    labels, scores, weights = ([row[k] for row in drawn] for k in range(3))
    scores, weights = np.array(scores, dtype=float), [float(weight) for weight in weights]
    one = ScoredLabels.from_arrays(labels, scores, weights=weights, higher_is_positive=False)
    return one, ScoredLabels.from_arrays(labels, -scores, weights=weights)


def cells(counts) -> list:
    return [np.asarray(cell).tolist() for cell in (counts.tp, counts.fp, counts.fn, counts.tn)]


def many(rows: int = 5000, seed: int = 4) -> tuple[ScoredLabels, ScoredLabels]:
    random = np.random.default_rng(seed)
    labels = random.random(rows) < 0.4
    scores = random.normal(size=rows).round(2) - labels
    return ScoredLabels.from_arrays(labels, scores, higher_is_positive=False), ScoredLabels.from_arrays(labels, -scores)


@thorough
@given(rows(halves), st.lists(LEVELS, max_size=4))
def test_counts_and_rows_of_thresholds(drawn, levels) -> None:
    low, high = both(drawn)
    at = np.array(levels, dtype=float)
    assert cells(low.counts_at(at)) == cells(high.counts_at(-at))
    here, there = low.table(), high.table()
    assert not here.higher_is_positive
    assert here.thresholds.tolist() == (-there.thresholds).tolist()
    assert (low.positives, low.negatives) == (high.positives, high.negatives)
    assert [here.index(t) for t in levels] == [there.index(-t) for t in levels] == here.rows(at).tolist()
    finite = at[np.isfinite(at)]
    assert here.first_rows(finite).tolist() == there.first_rows(-finite).tolist()
    for t in levels:
        assert cells(here.at(t)) == cells(low.counts_at(t))


@pytest.mark.parametrize("weighted", [False, True])
def test_merging_keeps_the_direction_and_refuses_two(weighted) -> None:
    labels, scores = [True, False, True, False], np.array([1.0, 2.0, 3.0, 2.0])
    weights = np.array([1.0, 2.0, 3.0, 4.0]) if weighted else None
    whole = ScoredLabels.from_arrays(labels, scores, weights=weights, higher_is_positive=False)
    one, two = (
        ScoredLabels.from_arrays(
            labels[part], scores[part], weights=None if weights is None else weights[part], higher_is_positive=False
        )
        for part in (slice(0, 2), slice(2, 4))
    )
    for merged in (one + two, pooled([one, two])):
        assert cells(merged.table().counts) == cells(whole.table().counts)
        assert merged.thresholds().tolist() == [-math.inf, 1, 2, 3]
    for merge in (lambda a, b: a + b, lambda a, b: pooled([a, b])):
        with pytest.raises(ValueError, match="cannot be merged"):
            merge(one, ScoredLabels.from_arrays(labels, scores))


def test_grouped_counts_have_a_direction() -> None:
    scored = ScoredLabels.from_counts([0.1, 0.7, 0.9], [1, 1, 0], [0, 1, 2], higher_is_positive=False)
    assert scored.thresholds().tolist() == [-math.inf, 0.1, 0.7, 0.9]
    assert cells(scored.counts_at(0.7)) == [2.0, 1.0, 0.0, 2.0]


@thorough
@given(two_classes(halves))
def test_chosen_thresholds(drawn) -> None:
    here, there = (state.table() for state in both(drawn))
    goals = (youden_goal(), cost_goal(fn_cost=5), youden_goal().within(Limit(recall, at_least=0.5)))
    for goal in goals:
        one, other = goal.choose(here), goal.choose(there)
        assert (one.threshold, one.low, one.high) == (-other.threshold, -other.high, -other.low)
        assert one.threshold == one.low
        assert one.ties.tolist() == (-other.ties[:, ::-1]).tolist()
        assert cells(here.at(one.low)) == cells(one.counts)
    one, other = (threshold_for_value(table, METRICS["recall"], 0.6) for table in (here, there))
    assert (one.threshold, one.value) == (-other.threshold, other.value)


@thorough
@given(two_classes(), st.integers(-1, 5), st.integers(0, 5))
def test_bands_and_costs(drawn, low, width) -> None:
    one, other = both(drawn)
    here, there = one.table(), other.table()
    for mine, mirrored in (
        (refer(here, low, low + width), refer(there, -low - width, -low)),
        (nested_bands(here, low), nested_bands(there, -low)),
        (band_of_error(here, 1), band_of_error(there, 1)),
    ):
        assert np.asarray(mine.low).tolist() == (-mirrored.high).tolist()
        assert np.asarray(mine.high).tolist() == (-mirrored.low).tolist()
        assert cells(mine.decided) == cells(mirrored.decided)
    cheapest, mirrored = cheapest_thresholds(here), cheapest_thresholds(there)
    assert cheapest.thresholds.tolist() == (-mirrored.thresholds).tolist()
    assert repr(ratios_of(here, low, cheapest)) == repr(ratios_of(there, -low, mirrored))
    assert cost_curve(here).cost.tolist() == cost_curve(there).cost.tolist()


@thorough
@given(two_classes(halves), st.integers(-1, 4), st.integers(0, 4))
def test_bins(drawn, low, width) -> None:
    one, other = both(drawn)
    edges = np.array([low, low + width + 1.0, low + width + 2.0])
    mine, mirrored = score_bins(one, edges), score_bins(other, -edges[::-1])
    assert mine.positives.tolist() == mirrored.positives[::-1].tolist()
    zones, turned = zone_bins(one, low, low + width), zone_bins(other, -low - width, -low)
    assert zones.edges == pytest.approx(-turned.edges[::-1])
    assert zones.zone.tolist() == turned.zone[::-1].tolist()
    assert zones.negatives.tolist() == turned.negatives[::-1].tolist()
    for extent in EXTENTS:
        axis = score_axis(one, extent)
        if extent != "log":
            end = score_axis(other, extent)
            assert (axis.left_out, axis.higher) == (end.left_out, False)
            assert axis.low <= axis.high


def test_the_weighted_central_axis_is_mirrored() -> None:
    random = np.random.default_rng(3)
    drawn = list(zip(random.random(900) < 0.5, random.normal(size=900), random.integers(1, 9, size=900), strict=True))
    mine, mirrored = (score_axis(state, "central") for state in both(drawn))
    assert (mine.low, mine.high, mine.left_out) == (-mirrored.high, -mirrored.low, mirrored.left_out)


def test_long_tables() -> None:
    one, other = many()
    here, there = one.table(), other.table()
    assert step_points(here, 40).tolist() == step_points(there, 40).tolist()
    assert threshold_grid(here, 50).thresholds.tolist() == (-threshold_grid(there, 50).thresholds).tolist()
    mine, mirrored = (bootstrap_choice(youden_goal(), table, resamples=200) for table in (here, there))
    assert mine.chosen.tolist() == (-mirrored.chosen).tolist()
    assert mine.spread() == tuple(-end for end in mirrored.spread()[::-1])
    assert mine.plateau.tolist() == (-mirrored.plateau[::-1, ::-1]).tolist()
    assert mine.optimism == mirrored.optimism


def test_groups_of_rows() -> None:
    labels, scores, groups = np.array([True, False, True]), np.array([1.0, 2.0, 2.0]), np.array([0, 0, 1])
    tables = (
        ScoredLabels.from_arrays(labels, scores, higher_is_positive=False).table(),
        ScoredLabels.from_arrays(labels, -scores).table(),
    )
    mine, mirrored = (
        clusters_of(table, labels, values, groups) for table, values in zip(tables, (scores, -scores), strict=True)
    )
    assert mine.toarray().tolist() == mirrored.toarray().tolist()


def test_acting_on_everybody_is_the_same_for_both_directions() -> None:
    one, other = many(60)
    mine, mirrored = decision_curve(one, [0.1, 0.4], threshold=-0.5), decision_curve(other, [0.1, 0.4], threshold=0.5)
    assert mine.model.tolist() == mirrored.model.tolist()
    assert mine.treat_all.tolist() == mirrored.treat_all.tolist()


def test_a_table_of_some_rows_keeps_the_direction() -> None:
    table = ScoredLabels.from_arrays([True, False], [1, 2], higher_is_positive=False).table()
    part = ThresholdTable(table.thresholds[:1], table.counts[:1])
    assert not part.higher_is_positive
    assert best(table, precision).threshold == 1
