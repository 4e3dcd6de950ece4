"""The choice in resamples beside slow resampling of rows, and what is said of it at the edges."""

import math
import warnings
from collections import Counter

import numpy as np
import pytest

from evalcore import find
from evalcore.classification import (
    Limit,
    ScoredLabels,
    cost_goal,
    f_beta,
    measure_goal,
    precision,
    recall,
    rule_in_goal,
    threshold_grid,
    youden_goal,
)
from evalcore.inference import bootstrap_choice, clusters_of
from tests.published.rows import TWENTY, TWENTY_LABELS, TWENTY_SCORES

GOALS = {
    "youden": youden_goal(),
    "cost": cost_goal(fn_cost=4),
    "F1": measure_goal(f_beta),
    "within a limit": measure_goal(recall).within(Limit(precision, at_least=0.7)),
}


def slowly(goal, labels, scores, resamples: int, seed: int, groups=None) -> tuple[Counter, list[float]]:
    """Draw rows, or whole groups, sort them and choose: the thresholds, and the optimism of each."""
    random = np.random.default_rng(seed)
    labels, scores = np.asarray(labels), np.asarray(scores)
    sample = ScoredLabels.from_arrays(labels, scores)
    members = None if groups is None else [np.flatnonzero(groups == g) for g in np.unique(groups)]
    chosen, optimism = Counter(), []
    for _ in range(resamples):
        if members is None:
            rows = random.integers(0, len(labels), len(labels))
        else:
            rows = np.concatenate([members[g] for g in random.integers(0, len(members), len(members))])
        try:
            found = goal.choose(ScoredLabels.from_arrays(labels[rows], scores[rows]).table())
        except ValueError:
            chosen[None] += 1
            continue
        # A threshold between two drawn rows gives the counts of the score next above it.
        chosen[found.threshold] += 1
        optimism.append(found.value - float(goal.measure(sample.counts_at(found.threshold))))
    return chosen, optimism


def agree(found, slow: Counter, many: int) -> None:
    shares = found.shares * (found.rows >= 0).mean()
    for place, threshold in enumerate(found.thresholds.tolist()):
        expected = slow[threshold] / many
        error = math.sqrt(max(expected, 1 / many) / many + max(shares[place], 1 / many) / len(found.rows))
        assert abs(shares[place] - expected) <= 5 * error, threshold


@pytest.mark.parametrize("name", GOALS)
def test_it_chooses_as_rows_drawn_one_by_one_do(name: str) -> None:
    goal = GOALS[name]
    labels = np.array(TWENTY_LABELS) == "P"
    found = bootstrap_choice(goal, TWENTY.table(), resamples=4000, seed=1)
    slow, optimism = slowly(goal, labels, TWENTY_SCORES, 1500, 2)
    agree(found, slow, 1500)
    assert found.optimism == pytest.approx(np.mean(optimism), abs=5 * np.std(optimism) * math.sqrt(1 / 1500 + 1 / 4000))
    assert found.out_of_sample == found.value - found.optimism


def test_whole_groups_are_chosen_from_as_whole_groups_drawn_one_by_one() -> None:
    labels = np.array(TWENTY_LABELS) == "P"
    groups = np.arange(20) // 4
    table = TWENTY.table()
    grouped = clusters_of(table, labels, TWENTY_SCORES, groups)
    found = bootstrap_choice(youden_goal(), table, clusters=grouped, resamples=4000, seed=3)
    slow, _ = slowly(youden_goal(), labels, TWENTY_SCORES, 1500, 4, groups)
    agree(found, slow, 1500)


def test_the_seed_fixes_everything_whatever_the_threads(monkeypatch) -> None:
    random = np.random.default_rng(5)
    labels = random.random(3000) < 0.3
    table = ScoredLabels.from_arrays(labels, random.normal(size=3000) + labels).table()
    two, other = (bootstrap_choice(youden_goal(), table, resamples=300, seed=seed) for seed in (6, 7))
    monkeypatch.setattr("evalcore.numeric.WORTH_A_THREAD", math.inf)
    one = bootstrap_choice(youden_goal(), table, resamples=300, seed=6)
    assert np.array_equal(one.rows, two.rows)
    assert one.optimism == two.optimism
    assert np.array_equal(one.good, two.good)
    assert not np.array_equal(one.rows, other.rows)
    assert (one.resampling.seed, one.resampling.resamples, len(one.thresholds)) == (6, 300, 1001)


def test_the_value_is_that_of_all_thresholds_and_the_choice_that_of_the_grid() -> None:
    random = np.random.default_rng(8)
    labels = random.random(30_000) < 0.3
    table = ScoredLabels.from_arrays(labels, random.normal(size=30_000) + labels).table()
    found = bootstrap_choice(youden_goal(), table, resamples=50)
    assert found.value == youden_goal().choose(table).value
    assert np.array_equal(found.thresholds, threshold_grid(table).thresholds)


def test_choosing_on_the_same_rows_flatters_and_less_so_with_more_rows() -> None:
    random = np.random.default_rng(9)
    of = []
    for n in (50, 5000):
        labels = random.random(n) < 0.5
        table = ScoredLabels.from_arrays(labels, random.normal(size=n) + labels).table()
        of.append(bootstrap_choice(youden_goal(), table))
    assert of[0].optimism > 4 * of[1].optimism > 0
    assert bootstrap_choice(cost_goal(), TWENTY.table()).optimism < 0, "where low is good it flatters downwards"


def test_the_middle_of_the_choices() -> None:
    found = bootstrap_choice(youden_goal(), TWENTY.table(), resamples=600)
    rising = np.sort(found.thresholds[found.rows])
    assert found.spread() == (rising[100], rising[-101])
    assert found.spread(0.95) == (rising[15], rising[-16])
    assert found.chosen.tolist() == rising[::-1].tolist()
    assert found.shares.sum() == pytest.approx(1)


def test_the_plateau_holds_the_best_and_whatever_is_within_one_standard_error_of_the_difference() -> None:
    goal, table = youden_goal(), TWENTY.table()
    found = bootstrap_choice(goal, table, resamples=2000, seed=10)
    drawn = found.resampling.over_blocks(lambda _, counts: np.asarray(goal.measure(counts)), 1)
    values = np.concatenate(drawn)
    best = table.index(0.54)
    in_sample = goal.measure(table.counts)
    for place in range(len(table)):
        error = np.nanstd(values[:, best] - values[:, place])
        assert found.good[place] == (in_sample[best] - in_sample[place] <= error)
    assert found.good[best]
    assert not found.good.all()
    inside = [(found.plateau[:, 0] < t) & (t <= found.plateau[:, 1]) for t in table.thresholds]
    assert [bool(one.any()) for one in inside] == found.good.tolist()
    assert (np.diff(found.plateau.reshape(-1)) >= 0).all()


def test_the_plateau_stays_inside_the_limits() -> None:
    limited = youden_goal().within(Limit(find("precision"), at_least=0.7))
    found = bootstrap_choice(limited, TWENTY.table())
    assert np.all(precision(TWENTY.table().counts)[found.good] >= 0.7)


def test_resamples_in_which_nothing_meets_the_limits_are_counted() -> None:
    strict = rule_in_goal(ppv=0.95)
    found = bootstrap_choice(strict, TWENTY.table(), resamples=1000)
    # Nothing meets it where the highest drawn score is that of a negative.
    assert 0 < found.unmet < 1000
    assert found.unmet == (found.rows < 0).sum()
    assert 0 < found.limits_kept <= 1
    assert found.reason == ""


# The edges


def edge(labels, scores, goal=None, **named):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return bootstrap_choice(goal or youden_goal(), ScoredLabels.from_arrays(labels, scores).table(), **named)


def test_of_no_rows_everything_is_nan_with_its_reason() -> None:
    found = edge(np.array([], dtype=bool), [])
    assert [math.isnan(x) for x in (*found.spread(), found.value, found.optimism, found.out_of_sample)] == [True] * 5
    assert found.reason.startswith("No resample has a threshold")
    assert (found.undefined, len(found.plateau)) == (2000, 0)
    assert np.isnan(found.shares).all()


def test_of_one_class_youden_is_undefined_and_accuracy_is_not() -> None:
    assert edge([True] * 5, range(5)).undefined == 2000
    found = edge([True] * 5, range(5), measure_goal(find("accuracy")))
    assert (found.value, found.undefined, found.reason) == (1, 0, "")


def test_resamples_without_the_one_positive_are_counted_as_undefined() -> None:
    found = edge([True, *[False] * 9], range(10))
    assert found.undefined / 2000 == pytest.approx(0.9**10, abs=0.05)
    assert found.unmet == 0
    assert not math.isnan(found.optimism)
    assert edge([True, *[False] * 9], range(10), stratified=True).undefined == 0


def test_all_scores_equal_leave_one_choice() -> None:
    found = edge([True, False, True, False], [1, 1, 1, 1])
    assert found.value == 0
    assert found.good.all()
    assert set(found.chosen.tolist()) <= {1.0, math.inf}


def test_an_infinite_best_value_has_no_optimism_and_says_so() -> None:
    found = edge([True, True, True, False, False], [5, 4, 3, 2, 1], measure_goal(find("LR+")))
    assert found.value == math.inf
    assert math.isnan(found.optimism)
    assert "infinite" in found.reason


@pytest.mark.parametrize("stratified", [False, True])
def test_weights_beyond_the_whole_numbers_of_the_machine_leave_no_doubt(stratified: bool) -> None:
    heavy = ScoredLabels.from_arrays([1, 0, 1, 0], [0.9, 0.7, 0.6, 0.1], positive=1, weights=[2e25, 1e25, 1e25, 1e25])
    found = bootstrap_choice(youden_goal(), heavy.table(), stratified=stratified, resamples=50)
    assert found.value == pytest.approx(2 / 3)
    assert found.optimism == pytest.approx(0, abs=1e-6)
