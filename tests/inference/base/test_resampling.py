"""Resamples over a grid: what a multinomial law says of them, what is held fixed, and that the seed alone decides."""

import math

import numpy as np
import pytest

from evalcore.classification import ScoredLabels, precision, recall, threshold_grid
from evalcore.inference import clusters_of, resampling_of
from evalcore.inference.base import resampling as module
from evalcore.inference.base.resampling import resampled_counts

RANDOM = np.random.default_rng(11)
LABELS = RANDOM.random(400) < 0.3
SCORES = np.round(RANDOM.normal(size=400) + LABELS, 1)
TABLE = ScoredLabels.from_arrays(LABELS, SCORES).table()


def drawn(resampling, threaded: bool = False):
    """Hits and false alarms of every resample, shape (b, t)."""
    parts = resampling.over_blocks(lambda _, counts: (counts.tp, counts.fp), threaded)
    return tuple(np.concatenate([part[k] for part in parts]) for k in (0, 1))


def cells(hits: np.ndarray) -> np.ndarray:
    return np.diff(hits, prepend=0, axis=1)


@pytest.fixture(params=["row by row", "cell by cell"])
def way(request, monkeypatch) -> str:
    """Both ways of drawing, which the number of rows would choose between."""
    monkeypatch.setattr(module, "FEW_ROWS", 10**9 if request.param == "row by row" else 0)
    return request.param


def test_marginals_are_those_of_a_multinomial_law(way) -> None:
    many, n = 6000, 400
    found = [cells(hits) for hits in drawn(resampling_of(TABLE, many, 1))]
    for counts, hits in zip(found, (TABLE.counts.tp, TABLE.counts.fp), strict=True):
        share = np.diff(hits, prepend=0) / n
        mean, variance = n * share, n * share * (1 - share)
        assert np.all(np.abs(counts.mean(axis=0) - mean) <= 5 * np.sqrt(variance / many))
        assert counts.var(axis=0) == pytest.approx(variance, rel=0.15)
    # Two cells take rows from one another.
    busiest = np.argsort(-TABLE.counts.tp[0] - np.diff(TABLE.counts.fp, prepend=0))[:2]
    a, b = (found[1][:, place] for place in busiest)
    expected = -n * (a.mean() / n) * (b.mean() / n)
    assert np.cov(a, b)[0, 1] == pytest.approx(expected, abs=5 * a.std() * b.std() / math.sqrt(many))


def test_every_resample_has_all_rows_and_strata_keep_their_classes(way) -> None:
    tp, fp = drawn(resampling_of(TABLE, 300, 2))
    assert np.all(tp[:, -1] + fp[:, -1] == 400)
    assert len(set(tp[:, -1].tolist())) > 20
    tp, fp = drawn(resampling_of(TABLE, 300, 2, stratified=True))
    assert np.all(tp[:, -1] == LABELS.sum())
    assert np.all(fp[:, -1] == (~LABELS).sum())


def test_the_seed_alone_decides(way, monkeypatch) -> None:
    monkeypatch.setattr(module, "_BLOCK", 4 * len(TABLE))
    first, again, threaded, other = (
        drawn(resampling_of(TABLE, 50, seed), threaded)[0]
        for seed, threaded in ((3, False), (3, False), (3, True), (4, False))
    )
    assert np.array_equal(first, again)
    assert np.array_equal(first, threaded)
    assert not np.array_equal(first, other)


def test_both_ways_agree_with_the_resamples_of_four_counts(way) -> None:
    at = TABLE.index(0.5)
    hits, alarms = (part[:, at] for part in drawn(resampling_of(TABLE, 4000, 5)))
    four = resampled_counts(TABLE.counts[at], 4000)
    for one, other in ((hits, four.tp), (alarms, four.fp)):
        assert one.mean() == pytest.approx(other.mean(), abs=5 * other.std() / math.sqrt(2000))
        assert one.std() == pytest.approx(other.std(), rel=0.08)


def test_weights_are_rows_in_proportion_and_their_sum_is_rounded() -> None:
    weights = np.where(LABELS, 0.25, 1.5)
    table = ScoredLabels.from_arrays(LABELS, SCORES, weights=weights).table()
    resampling = resampling_of(table, 2000, 6)
    tp, fp = drawn(resampling)
    assert resampling.rows == round(weights.sum())
    assert np.all(tp[:, -1] + fp[:, -1] == resampling.rows)
    share = weights[LABELS].sum() / weights.sum()
    assert tp[:, -1].mean() / resampling.rows == pytest.approx(share, abs=0.002)


# Whole groups


def test_groups_of_twins_are_the_rows_drawn_once_for_both() -> None:
    """Each row twice, in a group of its own: what is drawn is the single rows, doubled."""
    twice = np.repeat(np.arange(400), 2)
    table = ScoredLabels.from_arrays(LABELS[twice], SCORES[twice]).table()
    grouped = clusters_of(table, LABELS[twice], SCORES[twice], twice)
    assert grouped.shape[1] == 400
    pairs = drawn(resampling_of(table, 3000, 7, grouped=grouped))
    rows = drawn(resampling_of(TABLE, 3000, 8))
    for double, single in zip(pairs, rows, strict=True):
        assert np.all(double % 2 == 0)
        assert np.all(np.abs(double.mean(axis=0) / 2 - single.mean(axis=0)) <= 5 * single.std(axis=0) / math.sqrt(1500))
        assert double.std(axis=0) / 2 == pytest.approx(single.std(axis=0), rel=0.12, abs=1e-9)


def test_groups_of_one_row_scatter_as_rows_do() -> None:
    grouped = clusters_of(TABLE, LABELS, SCORES, np.arange(400))
    single, alone = (drawn(resampling_of(TABLE, 3000, 9, grouped=g))[0] for g in (None, grouped))
    assert np.all(np.abs(alone.mean(axis=0) - single.mean(axis=0)) <= 5 * single.std(axis=0) / math.sqrt(1500) + 1e-9)
    assert alone.std(axis=0) == pytest.approx(single.std(axis=0), rel=0.12, abs=1e-9)


def test_a_group_comes_whole() -> None:
    groups = np.where(SCORES > 0.5, 0, 1)
    grouped = clusters_of(TABLE, LABELS, SCORES, groups, weights=np.full(400, 0.5))
    tp, fp = drawn(resampling_of(TABLE, 100, 10, grouped=grouped))
    sizes = {(0.5 * LABELS[groups == g].sum(), 0.5 * (~LABELS[groups == g]).sum()) for g in (0, 1)}
    (a, b), (c, d) = sizes
    possible = {(2 * a, 2 * b), (a + c, b + d), (2 * c, 2 * d)}
    assert set(zip(tp[:, -1].tolist(), fp[:, -1].tolist(), strict=True)) == possible


def test_a_group_is_counted_between_the_thresholds_of_a_grid_it_has_no_score_on() -> None:
    labels, scores = np.array([True, False] * 3000), np.arange(6000.0)
    grid = threshold_grid(ScoredLabels.from_arrays(labels, scores).table())
    grouped = clusters_of(grid, labels, scores, np.arange(6000) % 7)
    t = len(grid)
    sums = grouped.sum(axis=1)
    assert np.array_equal(np.cumsum(sums[:t]), grid.counts.tp)
    assert np.array_equal(np.cumsum(sums[t:]), grid.counts.fp)


def test_a_row_of_no_weight_is_no_row_whatever_its_score() -> None:
    labels, scores, weights = np.array([True, False, False, True]), [2.0, 1.0, -5.0, -7.0], [1.0, 0.5, 0.0, 0.0]
    table = ScoredLabels.from_arrays(labels, scores, weights=weights).table()
    grouped = clusters_of(table, labels, scores, np.array([0, 1, 1, 0]), weights)
    assert grouped.toarray().tolist() == [[0, 0], [1, 0], [0, 0], [0, 0], [0, 0], [0, 0.5]]


def test_very_many_groups_are_drawn_less_often(monkeypatch) -> None:
    grouped = clusters_of(TABLE, LABELS, SCORES, np.arange(400))
    monkeypatch.setattr(module, "WORK", 400_000)
    assert resampling_of(TABLE, 2000, 1, grouped=grouped).resamples == 500
    monkeypatch.setattr(module, "WORK", 0)
    assert resampling_of(TABLE, 2000, 1, grouped=grouped).resamples == module.LEAST
    assert resampling_of(TABLE, 100, 1, grouped=grouped).resamples == 100


# Bands


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_bands_hold_the_middle_of_the_resamples(level: float) -> None:
    resampling = resampling_of(TABLE, 1000, 12)
    low, high = resampling.bands(recall, level)
    tp, _ = drawn(resampling)
    values = np.sort(tp / tp[:, -1:], axis=0)
    assert np.array_equal(low, values[round(1000 * (1 - level) / 2)])
    assert np.array_equal(high, values[999 - round(1000 * (1 - level) / 2)])
    assert np.all((low <= recall(TABLE.counts)) & (recall(TABLE.counts) <= high))


def test_a_band_is_undefined_where_the_measure_mostly_is() -> None:
    low, high = resampling_of(TABLE, 500, 13).bands(precision)
    assert math.isnan(low[0])
    assert math.isnan(high[0])
    assert low[-1] < precision(TABLE.counts)[-1] < high[-1]


def test_questions_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="draw at least one"):
        resampling_of(TABLE, 0, 1)
    with pytest.raises(ValueError, match="cannot be held fixed"):
        resampling_of(TABLE, 9, 1, stratified=True, grouped=clusters_of(TABLE, LABELS, SCORES, np.arange(400)))
    with pytest.raises(ValueError, match="level"):
        resampling_of(TABLE, 9, 1).bands(recall, 1)
