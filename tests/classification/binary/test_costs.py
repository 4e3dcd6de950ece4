"""Cost ratios: whoever tries every threshold at every ratio finds the same one."""

from fractions import Fraction

import numpy as np
import pytest

from evalcore.classification import ScoredLabels, cheapest_thresholds, cost, cost_goal, prevalence, ratios_of

RATIOS = [Fraction(a, b) for a in (1, 2, 3, 5, 7, 20, 100) for b in (1, 3, 4, 9, 100)]


def scored(seed: int, n: int = 40, digits: int = 1, shift: float = 1.0, weighted: bool = False) -> ScoredLabels:
    rng = np.random.default_rng(seed)
    truth = np.append(rng.random(n - 2) < 0.3, [True, False])
    scores = np.round(rng.normal(size=n) + shift * truth, digits)
    return ScoredLabels.from_arrays(truth, scores, weights=rng.integers(1, 4, n) if weighted else None)


def costs(table, ratio: Fraction, share: Fraction | None = None) -> list[Fraction]:
    """Expected cost of each row of the table, as exact fractions."""
    end = table.counts[-1]
    positives, negatives = int(end.actual_positives), int(end.actual_negatives)
    share = Fraction(positives, positives + negatives) if share is None else share
    return [
        share * ratio * Fraction(int(fn), positives) + (1 - share) * Fraction(int(fp), negatives)
        for fn, fp in zip(table.counts.fn, table.counts.fp, strict=True)
    ]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("share", [None, Fraction(1, 8), Fraction(3, 4)])
def test_the_cheapest_is_the_cheapest_of_all_thresholds(seed, share) -> None:
    table = scored(seed, weighted=seed % 2 == 1, shift=(-1, 0, 1)[seed % 3]).table()
    cheapest = cheapest_thresholds(table)
    for ratio in RATIOS:
        tried = costs(table, ratio, share)
        place = cheapest.index(float(ratio), None if share is None else float(share))
        # On a tie rounding may choose either; both cost the same.
        assert tried[cheapest.rows[place]] == min(tried)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("share", [None, Fraction(1, 8)])
def test_the_range_of_a_threshold_holds_the_ratios_at_which_it_is_cheapest(seed, share) -> None:
    table = scored(seed, weighted=seed % 2 == 1, digits=seed % 3).table()
    cheapest = cheapest_thresholds(table)
    tried_at = {ratio: costs(table, ratio, share) for ratio in RATIOS}
    for row, threshold in enumerate(table.thresholds):
        found = ratios_of(table, threshold, cheapest, None if share is None else float(share))
        for ratio, tried in tried_at.items():
            at = float(ratio)
            is_end = any(abs(at - end) <= 1e-9 * at for end in (found.low, found.high))
            assert is_end or (tried[row] == min(tried)) == (found.low <= at <= found.high)


@pytest.mark.parametrize("seed", range(12))
def test_below_the_hull_one_of_two_corners_is_cheaper_at_every_ratio(seed) -> None:
    table = scored(seed, digits=2).table()
    cheapest = cheapest_thresholds(table)
    below = [row for row in range(len(table)) if np.isnan(ratios_of(table, table.thresholds[row], cheapest).low)]
    assert below
    tried_at = {ratio: costs(table, ratio) for ratio in RATIOS}
    for row in below:
        found = ratios_of(table, table.thresholds[row], cheapest)
        assert found.laxer_above < found.stricter_below
        for ratio, tried in tried_at.items():
            at = float(ratio)
            stricter, laxer = (tried[cheapest.rows[place]] for place in (found.stricter, found.laxer))
            assert min(stricter, laxer) < tried[row]
            if abs(at - found.stricter_below) > 1e-9:
                assert (stricter < tried[row]) == (at < found.stricter_below)
            if abs(at - found.laxer_above) > 1e-9:
                assert (laxer < tried[row]) == (at > found.laxer_above)


@pytest.mark.parametrize("ratio", [0.2, 1.0, 4.0, 25.0])
def test_it_agrees_with_the_rule_of_lowest_cost(ratio) -> None:
    table = scored(5, n=3000, digits=6).table()
    cheapest = cheapest_thresholds(table)
    row = cheapest.rows[cheapest.index(ratio)]
    assert float(cost(table.counts[row], fn_cost=ratio)) == pytest.approx(cost_goal(fn_cost=ratio).choose(table).value)


def test_of_two_that_tie_the_higher_threshold_is_named() -> None:
    table = ScoredLabels.from_arrays([1, 0, 1, 0], [4, 3, 2, 1], positive=1).table()
    cheapest = cheapest_thresholds(table)
    assert cheapest.thresholds.tolist() == [np.inf, 4, 2, 1]
    assert cheapest.breaks.tolist() == [0, 0, 1, np.inf, np.inf]
    assert cheapest.thresholds[cheapest.index([0.5, 1, 1.5])].tolist() == [4, 4, 2]


def test_a_row_on_a_straight_piece_ties_at_one_ratio() -> None:
    # Steps (1, 1), (1, 1): the middle lies on the line between calling nothing and everything positive.
    table = ScoredLabels.from_arrays([1, 0, 1, 0], [0.9, 0.9, 0.1, 0.1], positive=1).table()
    found = ratios_of(table, 0.9, cheapest_thresholds(table))
    assert (found.low, found.high, found.stricter, found.laxer) == (1, 1, 0, 1)


def test_the_ends_hold_from_nothing_and_to_infinity() -> None:
    table = ScoredLabels.from_arrays([0, 1, 0, 1], [0.9, 0.8, 0.2, 0.1], positive=1).table()
    cheapest = cheapest_thresholds(table)
    nobody, everybody = (ratios_of(table, t, cheapest) for t in (np.inf, -5))
    assert nobody.low == 0
    assert (everybody.high, everybody.laxer) == (np.inf, -1)
    assert (nobody.stricter, np.isnan(nobody.stricter_below)) == (-1, True)


def test_at_the_prevalence_of_the_sample_nothing_changes() -> None:
    table = scored(2).table()
    cheapest = cheapest_thresholds(table)
    own = float(prevalence(table.counts[0]))
    np.testing.assert_allclose(cheapest.ratios(own), cheapest.ratios(), rtol=1e-12)


@pytest.mark.parametrize("labels", [[1, 1], [0, 0]])
def test_without_one_of_the_classes_it_says_which(labels) -> None:
    table = ScoredLabels.from_arrays(labels, [0.2, 0.7], positive=1).table()
    with pytest.raises(ValueError, match="no negative rows" if labels[0] else "no positive rows"):
        cheapest_thresholds(table)


@pytest.mark.parametrize("share", [0, 1, -0.1, float("nan")])
def test_a_prevalence_that_leaves_one_class_is_refused(share) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        cheapest_thresholds(scored(1).table()).ratios(share)
