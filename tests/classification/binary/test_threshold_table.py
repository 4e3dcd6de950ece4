"""A grid of thresholds stands for all of them: no rate jumps further than a picture can show."""

import numpy as np
import pytest

from evalcore.classification import GRID, ScoredLabels, threshold_grid


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
