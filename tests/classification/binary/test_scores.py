"""The state of scores: one source of counts, however it was built; a grid of thresholds stands for all of them."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.classification import GRID, ConfusionCounts, ScoredLabels, average_precision, roc_auc, threshold_grid
from tests.classification import definitions
from tests.classification.small_inputs import halves, rows, scores, state, thorough, whole

AWKWARD = (0.1, 0.3, 1 / 3, 1e-20, 0.7, 1.0, 1e9)


def cells(counts: ConfusionCounts) -> list[list[float]]:
    return [np.asarray(cell).tolist() for cell in (counts.tp, counts.fp, counts.fn, counts.tn)]


def same(a: ScoredLabels, b: ScoredLabels) -> bool:
    """Whether two states have the same tables, to the last bit."""
    return cells(a.table().counts) == cells(b.table().counts) and (a.thresholds() == b.thresholds()).all()


def cuts(scored: ScoredLabels) -> np.ndarray:
    """Every threshold that could matter: the scores, both their neighbours, the middles, and both infinities."""
    listed = scored.thresholds()[1:]
    middles = listed[1:] / 2 + listed[:-1] / 2
    near = [np.nextafter(listed, math.inf), np.nextafter(listed, -math.inf)]
    return np.concatenate([[math.inf, -math.inf, 0.0, -0.0], listed, middles, *near])


@thorough
@given(found=rows(halves), threshold=st.one_of(scores, st.sampled_from([math.inf, -math.inf, 0.5, 1.5])))
def test_counts_are_those_of_a_loop_over_the_rows(found, threshold: float) -> None:
    assert cells(state(found).counts_at(threshold)) == [float(c) for c in definitions.counts_at(found, threshold)]


@thorough
@given(found=rows(halves))
def test_the_table_lists_every_threshold_that_makes_a_difference(found) -> None:
    table = state(found).table()
    assert table.thresholds.tolist() == definitions.thresholds(found)
    expected = [definitions.counts_at(found, t) for t in table.thresholds]
    assert cells(table.counts) == [[float(row[k]) for row in expected] for k in range(4)]


@thorough
@given(found=rows(st.sampled_from(AWKWARD)))
def test_the_table_and_a_single_threshold_agree_to_the_last_bit(found) -> None:
    for scored in (state(found), state(found, weighted=False)):
        table = scored.table()
        for threshold in cuts(scored):
            assert cells(table.at(threshold)) == cells(scored.counts_at(threshold))


def test_a_threshold_that_is_not_a_number_calls_nothing_positive() -> None:
    for weights in (None, [1, 1]):
        scored = ScoredLabels.from_arrays([True, False], [0.8, 0.3], weights=weights)
        assert cells(scored.table().at(math.nan)) == cells(scored.counts_at(math.nan)) == [0, 0, 1, 1]


@thorough
@given(found=rows(halves), shape=st.sampled_from([(), (1,), (2, 3), (0,)]))
def test_thresholds_of_any_shape_give_counts_of_that_shape(found, shape) -> None:
    wanted = np.resize(cuts(state(found)), shape)
    counts = state(found).counts_at(wanted)
    assert all(cell.shape == shape for cell in (counts.tp, counts.fp, counts.fn, counts.tn))
    assert [cells(state(found).counts_at(t)) for t in wanted.ravel()] == [
        cells(counts[place]) for place in np.ndindex(shape)
    ]


@thorough
@given(found=rows(whole))
def test_a_weight_of_two_is_the_row_twice_and_of_none_no_row(found) -> None:
    repeated = [row for row in found for _ in range(int(row[2]))]
    assert same(state(found), state(repeated, weighted=False))


@thorough
@given(found=rows(halves), order=st.randoms(use_true_random=False))
def test_the_order_of_the_rows_is_irrelevant(found, order) -> None:
    shuffled = found.copy()
    order.shuffle(shuffled)
    assert same(state(found), state(shuffled))


@thorough
@given(a=rows(halves), b=rows(halves), c=rows())
def test_merged_states_are_the_state_of_all_rows(a, b, c) -> None:
    assert same(state(a) + state(b), state(a + b))
    assert same(state(c, weighted=False) + state(c[:3], weighted=False), state(c + c[:3], weighted=False))
    assert same(state(a) + state(c, weighted=False), state(a + c))
    assert same(state(c, weighted=False) + state(a), state(a + c))


@thorough
@given(found=rows(halves))
def test_grouped_counts_build_the_same_state(found) -> None:
    values, positives, negatives = [], [], []
    for positive, score, weight in found:
        values.append(score)
        positives.append(float(weight) if positive else 0.0)
        negatives.append(0.0 if positive else float(weight))
    assert same(ScoredLabels.from_counts(values, positives, negatives), state(found))


@thorough
@given(found=rows(halves))
def test_lower_scores_can_be_the_positive_ones(found) -> None:
    labels, values, weights = zip(*found, strict=True) if found else ((), (), ())
    weights = [float(w) for w in weights]
    turned = ScoredLabels.from_arrays(labels, values, weights=weights, higher_is_positive=False)
    mirrored = ScoredLabels.from_arrays(labels, [-v for v in values], weights=weights)
    assert turned.thresholds().tolist() == (-mirrored.thresholds()).tolist()
    assert cells(turned.table().counts) == cells(mirrored.table().counts)


@thorough
@given(found=rows(halves))
def test_only_the_order_of_the_scores_counts(found) -> None:
    rank = {value: place for place, value in enumerate(sorted({score for _, score, _ in found}))}
    stretched = [(positive, 3.0 ** rank[score], weight) for positive, score, weight in found]
    assert cells(state(stretched).table().counts) == cells(state(found).table().counts)


@pytest.mark.parametrize("positive", [True, 1, "spam", 2.5])
def test_any_label_can_be_the_positive_one(positive: object) -> None:
    other = {True: False, "spam": "ham"}.get(positive, 7)
    scored = ScoredLabels.from_arrays([positive, other, positive], [3, 2, 1], positive=positive)
    assert (scored.positives, scored.negatives) == (2, 1)


def test_the_ends_are_those_of_the_scores_that_count() -> None:
    scored = ScoredLabels.from_arrays([True, False, False], [0.4, 0.9, 0.1], weights=[1, 0, 2])
    assert scored.ends == (0.1, 0.4)
    assert ScoredLabels.from_arrays([True], [0.4], higher_is_positive=False).ends == (0.4, 0.4)
    assert ScoredLabels.from_arrays([], []).ends == (np.inf, -np.inf)


def test_no_rows_at_all() -> None:
    for empty in (ScoredLabels.from_arrays([], []), ScoredLabels.from_counts([], [], []), state([])):
        assert empty.thresholds().tolist() == [math.inf]
        assert cells(empty.table().counts) == [[0.0]] * 4
        assert cells(empty.counts_at([0.5, -math.inf])) == [[0.0, 0.0]] * 4
        assert same(empty + empty, empty)


def test_scores_at_the_ends_of_the_number_line() -> None:
    values = [1.7e308, -1.7e308, 5e-324, -5e-324, 0.0, -0.0]
    table = ScoredLabels.from_arrays([True, False, True, False, True, False], values).table()
    assert table.thresholds.tolist() == [math.inf, 1.7e308, 5e-324, 0.0, -5e-324, -1.7e308]
    assert table.counts.tp.tolist() == [0, 1, 2, 3, 3, 3]
    assert table.counts.fp.tolist() == [0, 0, 0, 1, 2, 3]


def counted_slowly(labels: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    distinct, group = np.unique(values, return_inverse=True)
    positives = np.bincount(group, weights=labels, minlength=len(distinct))
    negatives = np.bincount(group, weights=~labels, minlength=len(distinct))
    return distinct[::-1], positives[::-1].cumsum(), negatives[::-1].cumsum()


@pytest.mark.parametrize(
    "kind", ["distinct", "few values", "one value", "two far values", "a block of ties", "sorted", "rare positives"]
)
def test_a_long_table_has_the_counts_of_a_slow_one(kind: str) -> None:
    """Long inputs are sorted and merged in parts by two threads; equal scores must never be parted."""
    random = np.random.default_rng(5)
    n = 450_000
    labels = random.random(n) < (0.001 if kind == "rare positives" else 0.4)
    values = {
        "few values": lambda: random.integers(0, 50, n) / 7,
        "one value": lambda: np.full(n, 0.25),
        "two far values": lambda: np.where(random.random(n) < 0.5, -1.7e308, 1.7e308),
        "a block of ties": lambda: np.where(random.random(n) < 0.6, 0.5, random.random(n)),
        "sorted": lambda: np.sort(random.normal(size=n)),
    }.get(kind, lambda: random.normal(size=n))()
    kept = values.copy()
    table = ScoredLabels.from_arrays(labels, values).table()
    thresholds, tp, fp = counted_slowly(labels, values)
    assert (values == kept).all(), "the caller's scores were changed"
    assert np.array_equal(table.thresholds[1:], thresholds)
    assert np.array_equal(table.counts.tp[1:], tp)
    assert np.array_equal(table.counts.fp[1:], fp)
    assert np.array_equal(table.counts.fn[1:], tp[-1] - tp)
    assert np.array_equal(table.counts.tn[1:], fp[-1] - fp)


@pytest.mark.parametrize("label", [True, False])
def test_a_million_ties_of_one_class(label: bool) -> None:
    scored = ScoredLabels.from_arrays(np.full(1_000_000, label), np.zeros(1_000_000))
    assert scored.thresholds().tolist() == [math.inf, 0.0]
    assert scored.positives + scored.negatives == 1_000_000
    assert math.isnan(roc_auc(scored))
    assert (average_precision(scored) == 1) if label else math.isnan(average_precision(scored))


def table(n: int, prevalence: float, seed: int = 0, digits: int = 15):
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < prevalence
    return ScoredLabels.from_arrays(truth, np.round(rng.normal(size=n) + truth, digits)).table()


@pytest.mark.parametrize("distinct", [1, 2, 999, GRID])
def test_few_distinct_scores_are_all_kept(distinct) -> None:
    full = ScoredLabels.from_arrays([1, 0] * distinct, np.repeat(np.arange(distinct), 2), positive=1).table()
    assert threshold_grid(full) is full


@pytest.mark.parametrize(("n", "prevalence"), [(5000, 0.5), (60_000, 0.02), (60_000, 0.0), (60_000, 1.0)])
def test_of_many_no_rate_jumps_by_more_than_a_thousandth_of_both(n, prevalence) -> None:
    full = table(n, prevalence)
    grid = threshold_grid(full)
    assert len(grid) <= GRID + 1
    assert grid.thresholds[0] == np.inf
    assert grid.thresholds[-1] == full.thresholds[-1]
    for cells, total in (
        (grid.counts.tp, full.counts[-1].actual_positives),
        (grid.counts.fp, full.counts[-1].actual_negatives),
    ):
        assert not total or np.diff(cells).max() <= 2 * total / (GRID - 1) + 1


def test_its_rows_are_rows_of_the_whole_table() -> None:
    full = table(30_000, 0.3, digits=4)
    grid = threshold_grid(full, 50)
    rows = [full.index(t) for t in grid.thresholds]
    assert full.thresholds[rows].tolist() == grid.thresholds.tolist()
    for cell in ("tp", "fp", "fn", "tn"):
        assert getattr(full.counts, cell)[rows].tolist() == getattr(grid.counts, cell).tolist()


def test_a_score_that_a_million_rows_share_is_one_step_of_the_grid() -> None:
    rng = np.random.default_rng(1)
    scores = np.concatenate([np.full(1_000_000, 0.5), rng.random(20_000)])
    full = ScoredLabels.from_arrays(np.arange(len(scores)) % 3 == 0, scores).table()
    grid = threshold_grid(full)
    assert 0.5 in grid.thresholds
    assert len(grid) <= GRID + 1


def test_counts_at_some_thresholds_are_computed_without_those_at_all_others() -> None:
    table = ScoredLabels.from_arrays([1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1]).table()
    some = table.counts[1:3]
    assert (some.fn.tolist(), some.tn.tolist(), float(table.at(0.4).tn)) == ([1, 1], [2, 1], 1)
    assert "fn" not in vars(table.counts)
    assert table.counts.fn.tolist() == [2, 1, 1, 0, 0]
    assert table.counts.total.tolist() == [4] * 5
