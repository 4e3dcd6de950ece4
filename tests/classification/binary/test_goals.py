"""Goals: each chooses the optimum of its own curve, whatever the scale of the scores, one table or many at once."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore import METRICS, find
from evalcore.classification import (
    Choice,
    ConfusionCounts,
    Goal,
    Limit,
    NoThreshold,
    ScoredLabels,
    ThresholdTable,
    corner_goal,
    cost_goal,
    flag_goal,
    measure_goal,
    precision,
    recall,
    rule_in_goal,
    rule_out_goal,
    weighted_goal,
    youden_goal,
)
from tests.classification.small_inputs import halves, rows, state, thorough
from tests.published.rows import TWENTY
from tests.registry.families import of_family

CHOOSABLE = [definition for definition in of_family("counts") if definition.better]
NAMED = {
    "youden": youden_goal(),
    "corner": corner_goal(),
    "weighted": weighted_goal(0.7),
    "sensitivity alone": weighted_goal(1),
    "cost": cost_goal(fn_cost=5),
    "gains": cost_goal(fn_cost=1, fp_cost=3, tp_cost=-2, tn_cost=0.5),
    "hits cost more than misses": cost_goal(tp_cost=4),
    "rows": flag_goal(rows=3),
    "no row": flag_goal(rows=0),
    "share": flag_goal(share=0.3),
    "rule out": rule_out_goal(sensitivity=0.75),
    "rule out by both": rule_out_goal(sensitivity=0.5, npv=0.5),
    "rule in": rule_in_goal(ppv=0.6),
    "youden within a limit": youden_goal().within(Limit(METRICS["precision"], at_least=0.5)),
    "cost within two": cost_goal(fn_cost=3).within(Limit(recall, at_least=0.5), Limit(find("FPR"), at_most=0.5)),
    "cost within a budget": cost_goal(fn_cost=3).within(*flag_goal(share=0.5).limits),
}  # fmt: skip
GOALS = NAMED | {definition.key: measure_goal(definition) for definition in CHOOSABLE}
all_goals = settings(thorough, max_examples=600)
"""A dozen examples a goal and more."""


def attempt(goal: Goal, table) -> Choice | None:
    try:
        return goal.choose(table)
    except NoThreshold:
        return None


def drawn(goal: Goal, table) -> np.ndarray:
    """The curve of a goal with gaps where its limits forbid, low is bad."""
    values = np.asarray(goal.measure(table.counts)) * (1 if goal.highest else -1)
    for limit in goal.limits:
        measured = np.asarray(limit.measure(table.counts))
        low = -math.inf if limit.at_least is None else limit.at_least
        high = math.inf if limit.at_most is None else limit.at_most
        values = np.where((measured >= low) & (measured <= high), values, np.nan)
    return values


@all_goals
@given(name=st.sampled_from(list(GOALS)), found=rows(halves))
def test_the_optimum_shown_is_the_optimum_of_the_drawn_curve(name: str, found) -> None:
    """With ties and weights, of rows of one class and of no rows too."""
    goal, table = GOALS[name], state(found).table()
    curve = drawn(goal, table)
    chosen = attempt(goal, table)
    if chosen is None:
        assert np.isnan(curve).all()
        assert goal.chosen_rows(table.counts) == -1
        return
    at = int(np.flatnonzero(table.thresholds == chosen.threshold)[0])
    top = np.nanmax(curve)
    assert (chosen.value if goal.highest else -chosen.value) == pytest.approx(top, rel=1e-13, abs=1e-15)
    assert curve[at] == pytest.approx(top, rel=1e-13, abs=1e-15)
    assert goal.chosen_rows(table.counts) == at


@pytest.mark.parametrize("definition", CHOOSABLE, ids=lambda definition: definition.key)
def test_it_is_the_optimum_of_the_line_on_the_page(definition) -> None:
    random = np.random.default_rng(4)
    labels = random.random(300) < 0.4
    table = ScoredLabels.from_arrays(labels, np.round(random.normal(size=300) + labels, 1)).table()
    chosen = measure_goal(definition).choose(table)
    thresholds, values = table.thresholds[1:], definition(table.counts[1:])
    best = np.nanmax(values) if definition.better == "higher" else np.nanmin(values)
    assert chosen.value == best
    assert values[thresholds == chosen.threshold] == [best]


STEEPER = {
    "stretched": lambda scores: 1000 * scores + 7,
    "bent": lambda scores: np.cbrt(scores),
    "ranks": lambda scores: np.unique(scores, return_inverse=True)[1].astype(float),
    "far apart": lambda scores: 2.0 ** np.unique(scores, return_inverse=True)[1],
}


@all_goals
@given(
    name=st.sampled_from(list(GOALS)),
    shape=st.sampled_from(list(STEEPER)),
    found=st.lists(
        st.tuples(st.booleans(), st.integers(-4, 4).map(float), st.sampled_from([0.25, 1.0, 2.0])), max_size=14
    ),
)
def test_a_monotone_transformation_of_the_scores_changes_nothing_but_the_axis(name: str, shape: str, found) -> None:
    goal = GOALS[name]
    labels, scores, weights = ([row[k] for row in found] for k in range(3))
    moved = STEEPER[shape](np.array(scores))
    before = ScoredLabels.from_arrays(labels, scores, weights=weights).table()
    after = ScoredLabels.from_arrays(labels, moved, weights=weights).table()
    one, other = attempt(goal, before), attempt(goal, after)
    assert (one is None) == (other is None)
    if one is None:
        return
    axis = dict(zip([*scores, math.inf, -math.inf], [*moved.tolist(), math.inf, -math.inf], strict=True))
    assert other.threshold == axis[one.threshold]
    assert other.low == axis[one.low]
    assert other.value == one.value
    assert other.ties.tolist() == [[axis[low], axis[high]] for low, high in one.ties.tolist()]
    assert [float(getattr(other.counts, cell)) for cell in ("tp", "fp", "fn", "tn")] == [
        float(getattr(one.counts, cell)) for cell in ("tp", "fp", "fn", "tn")
    ]


@pytest.mark.parametrize("name", GOALS)
def test_many_tables_are_decided_at_once_as_one_by_one(name: str) -> None:
    goal, random = GOALS[name], np.random.default_rng(5)
    positives, negatives = (random.integers(0, 3, (200, 12)) for _ in range(2))
    positives[0], negatives[1], negatives[2], positives[2] = 0, 0, 0, 0
    tp, fp = positives.cumsum(axis=1), negatives.cumsum(axis=1)
    counts = ConfusionCounts(tp, fp, tp[:, -1:] - tp, fp[:, -1:] - fp)
    together = goal.chosen_rows(counts)
    assert together.shape == (200,)
    assert together.tolist() == [int(goal.chosen_rows(counts[k])) for k in range(200)]


def test_the_printed_optima_of_the_twenty_instances() -> None:
    table = TWENTY.table()
    assert measure_goal(find("accuracy")).choose(table).threshold == 0.54
    assert (youden_goal().choose(table).threshold, youden_goal().choose(table).value) == (0.54, pytest.approx(0.4))
    corner = corner_goal().choose(table)
    assert (corner.value, corner.ties[:, 1].tolist()) == (0.5, [0.51, 0.4])
    for unit in (2.0**-400, 2.0**400):  # of weights
        counts = ConfusionCounts(*(getattr(table.counts, cell) * unit for cell in ("tp", "fp", "fn", "tn")))
        assert corner_goal().choose(ThresholdTable(table.thresholds, counts)).ties.tolist() == corner.ties.tolist()


def test_the_cancer_test_is_worth_its_false_alarms_from_nine_of_them_a_miss_on() -> None:
    """Printed: TP 20, FP 180, FN 10, TN 1,820; saying always no is more accurate."""
    table = ScoredLabels.from_counts([1, 0], positives=[20, 10], negatives=[180, 1820]).table()
    assert cost_goal(fn_cost=5).measure(table.at(1)) * 2030 == 5 * 10 + 180
    assert measure_goal(find("accuracy")).choose(table).value == 2000 / 2030
    assert measure_goal(find("accuracy")).choose(table).threshold == math.inf
    assert [cost_goal(fn_cost=price).choose(table).threshold for price in (8, 10)] == [math.inf, 1]
    assert sorted(cost_goal(fn_cost=9).choose(table).ties[:, 1].tolist()) == [1, math.inf]


def test_limits_are_added_and_taken_off_and_the_key_tells_goals_apart() -> None:
    free = cost_goal(fn_cost=5)
    limited = free.within(Limit(METRICS["precision"], at_least=0.9)).within(Limit(METRICS["recall"], at_least=0.5))
    assert len(limited.limits) == 2
    assert replace(limited, limits=()).key == free.key
    F2, F1 = measure_goal(find("F2")), measure_goal(find("F1"))
    keys = [free.key, limited.key, cost_goal(fn_cost=6).key, F1.key, F2.key, *(goal.key for goal in NAMED.values())]
    assert len(set(keys)) == len(keys) - 1, "the cost of 5 is in both lists"
    assert F2.parameters == (("beta", 2.0),)


def test_a_share_of_which_no_float_is_exact_still_flags_no_more_than_it() -> None:
    table = ScoredLabels.from_arrays([True, False] * 50, range(100)).table()
    for share, rows_flagged in ((1 / 3, 33), (1e-320, 0), (math.inf, 100), (1.5, 100), (0.07, 7)):
        assert flag_goal(share=share).choose(table).value == rows_flagged


def test_a_measure_with_no_better_side_needs_one() -> None:
    with pytest.raises(ValueError, match="say highest=True or highest=False"):
        measure_goal(find("prevalence"))
    assert measure_goal(precision, highest=False).choose(
        ScoredLabels.from_arrays([True, False], [2, 1]).table()
    ).value == pytest.approx(0.5)


@pytest.mark.parametrize("price", [math.inf, -math.inf, math.nan])
@pytest.mark.parametrize("name", ["fp_cost", "fn_cost", "tp_cost", "tn_cost"])
def test_a_cost_that_is_not_a_finite_number_is_refused(name: str, price: float) -> None:
    with pytest.raises(ValueError, match=f"{name} is .*finite"):
        cost_goal(**{name: price})


@pytest.mark.parametrize("most", [{"rows": math.nan}, {"share": math.nan}, {"share": -0.1}])
def test_a_number_of_rows_to_flag_that_is_none_is_refused(most: dict) -> None:
    with pytest.raises(ValueError, match="rows to flag"):
        flag_goal(**most)
