"""Groups under one rule: the state of each is that of its rows alone, and its own threshold is the nearest there is."""

import math

import numpy as np
import pytest

from evalcore import find
from evalcore.classification import (
    ConfusionCounts,
    NoThreshold,
    ScoredLabels,
    counts_by_group,
    fall_out,
    precision,
    predicted_prevalence,
    recall,
    rest_of,
    scored_by_group,
    threshold_for_value,
)

CELLS = ("tp", "fp", "fn", "tn")


def rows(seed: int, n: int = 400, groups: int = 5):
    rng = np.random.default_rng(seed)
    labels, scores = rng.random(n) < 0.3, rng.integers(0, 30, n) / 10
    return labels, scores, rng.integers(0, groups, n), rng.integers(0, 4, n) / 2


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("higher", [False, True])
def test_each_state_is_that_of_its_rows_alone(weighted: bool, higher: bool) -> None:
    labels, scores, codes, weights = rows(1)
    weights = weights if weighted else None
    found = scored_by_group(labels, scores, codes, "abcde", weights=weights, higher_is_positive=higher)
    assert set(found) == set("abcde")
    for place, name in enumerate("abcde"):
        own = codes == place
        alone = ScoredLabels.from_arrays(
            labels[own], scores[own], weights=None if weights is None else weights[own], higher_is_positive=higher
        )
        table, expected = found[name].table(), alone.table()
        assert np.array_equal(table.thresholds, expected.thresholds)
        for cell in CELLS:
            assert np.array_equal(getattr(table.counts, cell), getattr(expected.counts, cell))


def test_the_groups_together_are_all_rows() -> None:
    labels, scores, codes, weights = rows(2)
    whole = ScoredLabels.from_arrays(labels, scores, weights=weights).counts_at(1.4)
    counts = counts_by_group(scored_by_group(labels, scores, codes, "abcde", weights=weights).values(), 1.4)
    for cell in CELLS:
        assert getattr(counts, cell).sum() == pytest.approx(float(getattr(whole, cell)))


def test_names_and_codes_are_the_same_groups_the_largest_first() -> None:
    labels, scores = [1, 0, 1, 0, 1, 0], [6, 5, 4, 3, 2, 1]
    by_name = scored_by_group(labels, scores, ["b", "c", "c", "b", "c", "a"], positive=1)
    by_code = scored_by_group(labels, scores, [0, 2, 2, 0, 2, 1], ["b", "a", "c", "nobody"], positive=1)
    assert list(by_name) == list(by_code) == ["c", "b", "a"]
    for name in by_name:
        assert by_name[name].positive_scores.tolist() == by_code[name].positive_scores.tolist()


def test_many_groups_are_told_apart_beyond_sixteen_bits() -> None:
    n = 70_000
    found = scored_by_group(np.ones(n, bool), np.arange(n) / n, np.arange(n)[::-1], map(str, range(n)))
    assert len(found) == n
    assert found["0"].positive_scores.tolist() == [(n - 1) / n]


def test_a_group_for_each_row_is_asked_for() -> None:
    with pytest.raises(ValueError, match="one group per row"):
        scored_by_group([1, 0], [0.1, 0.2], ["a"])


def test_each_group_may_have_its_own_threshold() -> None:
    states = scored_by_group([1, 0, 1, 0], [4, 3, 2, 1], ["a", "a", "b", "b"], positive=1).values()
    counts = counts_by_group(states, [3, 2])
    assert counts.fp.tolist() == [1, 0]
    assert counts.tp.tolist() == [1, 1]


def test_the_rest_has_no_cell_below_nothing() -> None:
    tenths = ConfusionCounts(*([0.1 + 0.2] for _ in CELLS))
    left = rest_of(ConfusionCounts(0.3, 0.3, 0.3, 0.3), tenths)
    assert [getattr(left, cell).tolist() for cell in CELLS] == [[0.0]] * 4


@pytest.mark.parametrize("measure", [recall, fall_out, precision, predicted_prevalence, find("precision")])
@pytest.mark.parametrize("value", [0.0, 0.35, 0.5, 1.0])
@pytest.mark.parametrize("seed", range(4))
def test_the_threshold_is_the_nearest_of_all_there_are(measure, value: float, seed: int) -> None:
    labels, scores, codes, weights = rows(seed, n=60, groups=3)
    states = scored_by_group(labels, scores, codes, "abc", weights=weights)
    for name, state in states.items():
        choice = threshold_for_value(state.table(), measure, value)
        # A slow way round: every score of the group and beyond, one by one.
        found = [(t, states[name].counts_at(t)) for t in (*np.unique(scores[codes == "abc".index(name)]), math.inf)]
        known = [(abs(float(measure(c)) - value), float(c.fn + c.fp)) for _, c in found if not np.isnan(measure(c))]
        nearest = min(distance for distance, _ in known)
        fewest = min(errors for distance, errors in known if distance <= nearest + 1e-12)
        assert abs(choice.value - value) == pytest.approx(nearest, abs=1e-12)
        assert float(choice.counts.fn + choice.counts.fp) == pytest.approx(fewest)
        for at in (choice.high, np.nextafter(choice.low, math.inf)):
            assert float(states[name].counts_at(at).tp) == float(choice.counts.tp)
            assert float(states[name].counts_at(at).fp) == float(choice.counts.fp)


def test_a_group_without_positives_has_no_threshold_of_equal_recall() -> None:
    table = ScoredLabels.from_arrays([False, False], [0.2, 0.4]).table()
    with pytest.raises(NoThreshold):
        threshold_for_value(table, recall, 0.5)
    assert threshold_for_value(table, fall_out, 0.5).threshold == 0.4
