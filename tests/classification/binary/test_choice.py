"""Choosing a threshold against brute force over all of them: the value, every tie, the whole interval, the conflict."""

import math
from functools import lru_cache
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore import METRICS, find
from evalcore.classification import (
    Choice,
    Limit,
    NoThreshold,
    ScoredLabels,
    accuracy,
    best,
    f_beta,
    precision,
    prevalence,
    recall,
    specificity,
    threshold_for_value,
)
from evalcore.classification.binary import choice
from tests.classification import definitions
from tests.classification.definitions import OF_COUNTS, value_or_nan
from tests.classification.small_inputs import halves, rows, state, thorough
from tests.registry.families import of_family

CHOOSABLE = [definition.key for definition in of_family("counts") if definition.better]
limits = st.lists(
    st.tuples(
        st.sampled_from(["recall", "precision", "specificity", "fall_out", "accuracy", "negative_predictive_value"]),
        st.sampled_from(["at_least", "at_most"]),
        st.sampled_from([0.0, 0.2, 0.25, 1 / 3, 0.5, 0.6, 0.75, 0.9, 1.0]),
    ),
    max_size=3,
)


@lru_cache(maxsize=1)
def all_counts(found: tuple) -> list:
    """The cells at every threshold, falling."""
    return [definitions.counts_at(found, threshold) for threshold in definitions.thresholds(found)]


def values_of(found, key: str) -> list[float]:
    """The measure at every threshold, falling, by its definition."""
    return [value_or_nan(OF_COUNTS[key], *cells) for cells in all_counts(tuple(found))]


def meets(value: float, side: str, bound: float) -> bool:
    return value >= bound if side == "at_least" else value <= bound


def check_intervals(scored: ScoredLabels, chosen: Choice) -> None:
    """Every interval holds exactly the thresholds that give its counts."""
    table = scored.table()
    errors = (chosen.tied_counts.fn + chosen.tied_counts.fp).tolist()
    assert chosen.ties[errors.index(min(errors))].tolist() == [chosen.low, chosen.high]
    assert chosen.threshold == chosen.high
    assert (np.diff(chosen.ties[:, 1]) < 0).all()
    for place, (low, high) in enumerate(chosen.ties.tolist()):
        inside = [table.at(high), table.at(np.nextafter(low, math.inf)), chosen.tied_counts[place]]
        assert len({(float(c.tp), float(c.fp), float(c.fn), float(c.tn)) for c in inside}) == 1
        below = table.at(low)
        assert low == -math.inf or (below.tp + below.fp) > (inside[0].tp + inside[0].fp)
    chosen_one = chosen.ties[:, 1].tolist().index(chosen.high)
    assert float(chosen.counts.tp) == float(chosen.tied_counts.tp[chosen_one])


def check_best(found, key: str, wanted, chosen: Choice | NoThreshold) -> None:
    values = values_of(found, key)
    allowed = [all(meets(measured[row], side, bound) for measured, side, bound in wanted) for row in range(len(values))]
    sign = 1 if METRICS[key].better == "higher" else -1
    candidates = [sign * v for v, a in zip(values, allowed, strict=True) if a and not math.isnan(v)]
    if isinstance(chosen, NoThreshold):
        assert not candidates
        return
    top = max(candidates)
    assert sign * chosen.value == pytest.approx(top, rel=1e-13, abs=1e-15)
    tied = [
        threshold
        for threshold, value, allow in zip(definitions.thresholds(found), values, allowed, strict=True)
        if allow and math.isclose(sign * value, top, rel_tol=1e-13)
    ]
    assert chosen.ties[:, 1].tolist() == tied


def attempt(function, *arguments, **named) -> Choice | NoThreshold:
    try:
        return function(*arguments, **named)
    except NoThreshold as refused:
        return refused


@thorough
@given(found=rows(halves), stretch=st.sampled_from([1, 2, 3, 512]))
def test_the_best_threshold_is_that_of_brute_force_with_all_its_ties(found, stretch: int) -> None:
    """Whatever the length of the stretches that are judged together, none that could win or tie is passed over."""
    scored = state(found)
    for key in CHOOSABLE:  # all of the same rows, which take longer to draw and to count than to choose from
        with patch.object(choice, "_STRETCH", stretch):
            chosen = attempt(best, scored.table(), METRICS[key])
        check_best(found, key, (), chosen)
        if isinstance(chosen, Choice):
            check_intervals(scored, chosen)


@thorough
@given(found=rows(halves), key=st.sampled_from(CHOOSABLE), asked=limits)
def test_the_best_threshold_within_limits(found, key: str, asked) -> None:
    table = state(found).table()
    given_limits = [Limit(find(name), **{side: bound}) for name, side, bound in asked]
    wanted = [(values_of(found, name), side, bound) for name, side, bound in asked]
    chosen = attempt(best, table, METRICS[key], limits=given_limits)
    check_best(found, key, wanted, chosen)
    if isinstance(chosen, Choice):
        check_intervals(state(found), chosen)
    elif asked:
        check_conflicts(found, wanted, given_limits, chosen)


def check_conflicts(found, wanted, given_limits, refused: NoThreshold) -> None:
    count = len(definitions.thresholds(found))

    def met(row: int, places) -> bool:
        return all(meets(wanted[p][0][row], *wanted[p][1:]) for p in places)

    everywhere = range(len(wanted))
    if any(met(row, everywhere) for row in range(count)):
        assert refused.conflicts == (), "the goal itself is undefined, no limit is in the way"
        return
    assert refused.conflicts
    impossible = [p for p in everywhere if not any(met(row, [p]) for row in range(count))]
    without = {p: [row for row in range(count) if met(row, set(everywhere) - {p})] for p in everywhere}
    blamed = impossible or [p for p in everywhere if without[p]] or list(everywhere)
    assert [c.limit for c in refused.conflicts] == [given_limits[p] for p in blamed]
    for conflict, p in zip(refused.conflicts, blamed, strict=True):
        values, side, _ = wanted[p]
        assert conflict.alone == (p in impossible)
        reachable = [values[row] for row in (range(count) if p in impossible else without[p])]
        reachable = [v for v in reachable if not math.isnan(v)]
        if not reachable:
            assert math.isnan(conflict.nearest)
            continue
        nearest = max(reachable) if side == "at_least" else min(reachable)
        assert conflict.nearest == pytest.approx(nearest)
        at = value_or_nan(OF_COUNTS[conflict.limit.measure.key], *definitions.counts_at(found, conflict.threshold))
        assert at == pytest.approx(nearest)


def test_a_limit_that_fails_alone_says_the_nearest_value_there_is() -> None:
    """Precision is undefined at +inf; that row must not pass for the nearest one."""
    table = ScoredLabels.from_arrays([False, True, False, True], [4, 3, 2, 1]).table()
    with pytest.raises(NoThreshold) as refused:
        best(table, recall, limits=[Limit(precision, at_least=0.9)])
    (conflict,) = refused.value.conflicts
    assert (conflict.nearest, conflict.threshold, conflict.alone) == (0.5, 3, True)


def test_a_limit_that_is_always_met_is_not_blamed_for_a_conflict_of_two_others() -> None:
    table = ScoredLabels.from_arrays([True, False, True, False], [4, 3, 2, 1]).table()
    asked = [Limit(accuracy, at_least=0.1), Limit(precision, at_least=0.9), Limit(recall, at_least=0.9)]
    with pytest.raises(NoThreshold) as refused:
        best(table, f_beta, limits=asked)
    assert [(c.limit, c.nearest, c.threshold) for c in refused.value.conflicts] == [
        (asked[1], 2 / 3, 2.0),
        (asked[2], 0.5, 4.0),
    ]


@pytest.mark.parametrize("values", ["distinct", "rounded"])
def test_a_long_table_gives_what_the_evaluation_of_every_row_gives(values: str) -> None:
    random = np.random.default_rng(8)
    labels = random.random(260_000) < 0.2
    scores = random.normal(size=len(labels)) + labels
    table = ScoredLabels.from_arrays(labels, scores if values == "distinct" else np.round(scores, 5)).table()
    assert len(table) > 100_000
    for key in CHOOSABLE:
        definition = METRICS[key]
        everywhere = definition(table.counts)
        top = np.nanmax(everywhere) if definition.better == "higher" else np.nanmin(everywhere)
        chosen = best(table, definition)
        assert chosen.value == top, key
        tied = table.thresholds[np.isclose(everywhere, top, rtol=1e-15, atol=0) | (everywhere == top)]
        assert np.array_equal(chosen.ties[:, 1], tied), key


def test_ties_far_apart_in_a_long_table_are_all_found() -> None:
    """The same accuracy in many stretches: hits and false alarms take turns, so every second threshold ties."""
    labels = np.arange(120_000) % 2 == 0
    chosen = best(ScoredLabels.from_arrays(labels, -np.arange(120_000.0)).table(), accuracy)
    assert chosen.value == 60_001 / 120_000
    assert chosen.ties[:, 1].tolist() == (-np.arange(0.0, 120_000, 2)).tolist()


def test_weights_that_no_binary_fraction_holds_still_tie() -> None:
    labels = [True, False] * 10
    chosen = best(ScoredLabels.from_arrays(labels, -np.arange(20.0), weights=[0.1] * 20).table(), accuracy)
    assert chosen.ties[:, 1].tolist() == [-2.0 * k for k in range(10)]


def test_the_way_that_is_better_comes_from_the_registry_or_from_the_caller() -> None:
    table = ScoredLabels.from_arrays([True, False, True], [3, 2, 1]).table()
    assert best(table, find("FPR")).value == 0
    assert best(table, specificity, highest=False).value == 0
    assert best(table, specificity, highest=False).threshold == 1
    assert best(table, find("F2")).value == METRICS["f_beta"].with_params(beta=2)(table.counts).max()
    for measure in (prevalence, lambda counts: counts.tp):
        with pytest.raises(ValueError, match="say highest=True or highest=False"):
            best(table, measure)
        assert best(table, measure, highest=True).value > 0


def test_a_goal_that_is_undefined_everywhere_has_no_threshold_and_no_conflict() -> None:
    for labels in ([], [True, True]):
        with pytest.raises(NoThreshold, match="undefined at every threshold") as refused:
            best(ScoredLabels.from_arrays(labels, range(len(labels))).table(), specificity)
        assert refused.value.conflicts == ()


def test_of_equal_thresholds_the_one_with_the_fewest_errors_is_chosen() -> None:
    """A goal that looks at one class only must not give away what the other class can have with it."""
    table = ScoredLabels.from_arrays([1, 1, 0, 1, 0], [0.9, 0.8, 0.6, 0.4, 0.1], positive=1).table()
    most_specific, most_sensitive = best(table, find("TNR")), best(table, find("TPR"))
    assert (most_specific.threshold, most_specific.ties[:, 1].tolist()) == (0.8, [math.inf, 0.9, 0.8])
    assert (most_sensitive.threshold, most_sensitive.ties[:, 1].tolist()) == (0.4, [0.4, 0.1])


def test_what_is_infinite_wherever_it_is_defined_is_the_nearest_there_is() -> None:
    table = ScoredLabels.from_arrays([1, 1, 0], [0.9, 0.8, 0.1], positive=1).table()
    for measure, limit in ((find("LR+"), {"at_most": 0.5}), (find("DOR"), {"at_most": 2})):
        with pytest.raises(NoThreshold) as caught:
            best(table, accuracy, limits=[Limit(measure, **limit)])
        (conflict,) = caught.value.conflicts
        assert conflict.nearest == measure(table.at(conflict.threshold))
        assert not math.isnan(conflict.nearest)


def test_a_limit_that_is_not_a_number_is_refused() -> None:
    for limit in ({"at_least": math.nan}, {"at_most": math.nan}):
        with pytest.raises(ValueError, match="not a number"):
            Limit(precision, **limit)


ROWS = st.lists(st.tuples(st.booleans(), st.integers(0, 6)), min_size=1, max_size=12)
MEASURES = st.sampled_from(["recall", "precision", "specificity", "f_beta", "accuracy", "negative_predictive_value"])


@thorough
@given(ROWS, MEASURES, st.integers(0, 20).map(lambda k: k / 20), st.sampled_from(["nearest", "at least", "at most"]))
def test_no_row_on_that_side_is_nearer(rows, key, value, side) -> None:
    table = ScoredLabels.from_arrays([label for label, _ in rows], [float(score) for _, score in rows]).table()
    values = METRICS[key](table.counts)
    allowed = {"nearest": values == values, "at least": values >= value - 1e-9, "at most": values <= value + 1e-9}[side]
    if not allowed.any():
        with pytest.raises(NoThreshold):
            threshold_for_value(table, METRICS[key], value, side)
        return
    choice = threshold_for_value(table, METRICS[key], value, side)
    row, reached = table.index(choice.threshold), choice.value
    assert table.thresholds[row] == choice.threshold
    assert values[row] == reached
    assert allowed[row]
    assert abs(reached - value) == pytest.approx(np.abs(values[allowed] - value).min())
    equally = allowed & (np.abs(np.abs(values - value) - abs(reached - value)) < 1e-12)
    errors = table.counts.fn + table.counts.fp
    assert errors[row] == errors[equally].min()


def test_what_is_met_but_for_rounding_is_met() -> None:
    table = ScoredLabels.from_arrays([True] * 10, np.arange(10.0)).table()
    assert threshold_for_value(table, METRICS["recall"], 0.1 * 3, "at least").value == pytest.approx(0.3)


def test_a_measure_that_is_undefined_everywhere_is_said_so() -> None:
    table = ScoredLabels.from_arrays([False, False], [1.0, 2.0]).table()
    with pytest.raises(NoThreshold, match="undefined at every threshold"):
        threshold_for_value(table, METRICS["recall"], 0.5)


def test_nothing_called_positive_is_a_threshold_too() -> None:
    table = ScoredLabels.from_arrays([True, False], [2.0, 1.0]).table()
    choice = threshold_for_value(table, METRICS["recall"], 0.0)
    assert (choice.threshold, choice.value) == (math.inf, 0.0)


def test_an_infinite_value_is_reached_where_the_measure_is_infinite() -> None:
    table = ScoredLabels.from_arrays([True, False, True], [3.0, 2.0, 1.0]).table()
    choice = threshold_for_value(table, METRICS["positive_likelihood_ratio"], math.inf, "at least")
    assert (choice.threshold, choice.value) == (3.0, math.inf)
