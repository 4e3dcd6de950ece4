"""Gain, KS, DET, cost, precision–recall-gain and class curves; contours; and how far what is drawn lies from them."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtri

from evalcore.classification import (
    ConfusionCounts,
    ScoredLabels,
    average_precision,
    cost_curve,
    davis_goadrich_area,
    drawn_points,
    fall_out,
    inverted,
    inverted_roc_curve,
    ks_curve,
    ks_statistic,
    lift,
    measure_over_pr,
    measure_over_roc,
    miss_rate,
    pooled,
    precision_recall_curve,
    precision_recall_gain_area,
    precision_recall_gain_curve,
    predicted_prevalence,
    probit,
    recall,
    roc_auc,
    roc_curve,
)
from evalcore.classification.several import class_areas
from evalcore.classification.several.class_areas import macro_precision_recall_curve, macro_roc_curve
from tests.classification import definitions
from tests.classification.small_inputs import halves, rows, state, thorough, two_classes
from tests.registry.families import of_family

COUNTED = of_family("counts")


@thorough
@given(found=two_classes(halves))
def test_gain_and_lift_are_what_they_say(found) -> None:
    counts = state(found).table().counts
    shares, gains, lifts = predicted_prevalence(counts), recall(counts), lift(counts)
    total = definitions.total(found, True) + definitions.total(found, False)
    for place, threshold in enumerate(definitions.thresholds(found)):
        tp, fp, fn, _ = definitions.counts_at(found, threshold)
        assert shares[place] == pytest.approx(float((tp + fp) / total), abs=1e-15)
        assert gains[place] == pytest.approx(float(tp / (tp + fn)), abs=1e-15)
        if tp + fp:
            assert lifts[place] == pytest.approx(float(gains[place] / shares[place]), rel=1e-12)
    assert math.isnan(lifts[0])


@thorough
@given(found=two_classes(halves))
def test_the_widest_gap_is_the_statistic(found) -> None:
    scored = state(found)
    curve = ks_curve(scored.table())
    assert abs(curve.gap[curve.widest]) == pytest.approx(ks_statistic(scored), abs=1e-14)
    np.testing.assert_allclose(curve.negatives_below - curve.positives_below, curve.gap, atol=1e-14)
    for place, threshold in enumerate(definitions.thresholds(found)):
        below = sum(w for s, w in definitions.of_class(found, True) if s < threshold)
        assert curve.positives_below[place] == pytest.approx(float(below / definitions.total(found, True)), abs=1e-15)


def test_probit_is_the_quantile_of_the_normal_law() -> None:
    tiny = 10.0 ** -np.arange(1, 300)
    shares = np.concatenate([np.linspace(0, 1, 9999)[1:-1], tiny, 1 - tiny[:16]])
    expected = ndtri(shares)
    finite = np.isfinite(expected)
    np.testing.assert_allclose(probit(shares)[finite], expected[finite], rtol=2e-14, atol=1e-15)
    assert probit([0, 1, 0.5]).tolist() == [-math.inf, math.inf, 0]
    assert np.isnan(probit([-0.1, 1.1, math.nan])).all()


def test_normal_scores_are_a_straight_det_curve() -> None:
    places = (np.arange(20_000) + 0.5) / 20_000
    scored = ScoredLabels.from_arrays(
        [False] * 20_000 + [True] * 20_000, np.concatenate([probit(places), probit(places) + 1.5])
    )
    counts = scored.table().counts
    alarms, missed = probit(fall_out(counts)), probit(miss_rate(counts))
    inside = (np.abs(alarms) < 2) & np.isfinite(missed)
    np.testing.assert_allclose(alarms[inside] + missed[inside], -1.5, atol=0.05)


@thorough
@given(found=two_classes(halves), at=st.integers(0, 20))
def test_the_cost_curve_is_the_least_of_all_lines(found, at: int) -> None:
    table = state(found).table()
    curve = cost_curve(table)
    share = Fraction(at, 20)
    costs = [
        (1 - definitions.tnr(*cells)) * (1 - share) + (1 - definitions.tpr(*cells)) * share
        for cells in (definitions.counts_at(found, t) for t in definitions.thresholds(found))
    ]
    assert float(np.interp(at / 20, curve.probability_cost, curve.cost)) == pytest.approx(float(min(costs)), abs=1e-14)
    piece = min(int(np.searchsorted(curve.probability_cost, at / 20, side="right")) - 1, len(curve.thresholds) - 1)
    counts = table.at(curve.thresholds[piece])
    left, right = float(fall_out(counts)), float(miss_rate(counts))
    assert left * (1 - at / 20) + right * at / 20 == pytest.approx(float(min(costs)), abs=1e-14)
    assert (np.diff(curve.probability_cost) > 0).all()


def test_the_cost_curve_needs_both_classes() -> None:
    curve = cost_curve(ScoredLabels.from_arrays([True, True], [1, 2]).table())
    assert np.isnan(curve.cost).all()


@thorough
@given(found=two_classes(halves))
def test_the_gain_area_is_that_under_its_curve(found) -> None:
    scored = state(found)
    curve = precision_recall_gain_curve(scored.table())
    area = ((curve.precision_gain[1:] + curve.precision_gain[:-1]) / 2 * np.diff(curve.recall_gain)).sum()
    assert area == pytest.approx(precision_recall_gain_area(scored), abs=1e-13)
    assert curve.recall_gain[0] == 0
    assert curve.recall_gain[-1] == 1
    assert (np.diff(curve.recall_gain) >= -1e-15).all()
    assert curve.precision_gain[-1] == pytest.approx(0, abs=1e-14), "calling everything positive gains nothing"


def test_the_interpolated_area_of_fine_and_coarse_scores() -> None:
    """Without ties each step is one row and the area nears average precision; of one tie it is the prevalence."""
    random = np.random.default_rng(3)
    labels = random.random(50_000) < 0.2
    fine = ScoredLabels.from_arrays(labels, random.normal(size=50_000) + labels)
    assert davis_goadrich_area(fine) == pytest.approx(average_precision(fine), abs=1e-4)
    tied = ScoredLabels.from_arrays(labels, np.ones(50_000))
    assert davis_goadrich_area(tied) == pytest.approx(labels.mean(), rel=1e-12)


def test_small_steps_far_down_the_list_lose_no_digits() -> None:
    """A million false alarms, then hits one by one: each step changes the precision by a millionth."""
    scored = ScoredLabels.from_counts([2.0, 1.0], [0, 10], [1e6, 0])
    expected = 10 / 1e6 / 2 - (10 / 1e6) ** 2 / 3  # of t/(10⁶ + t), to the third order
    assert davis_goadrich_area(scored) == pytest.approx(expected, rel=1e-9)


@thorough
@given(one=two_classes(), two=two_classes())
def test_the_area_under_a_mean_curve_is_the_mean_of_the_areas(one, two) -> None:
    states = [state(one, weighted=False), state(two, weighted=False)]
    tables = [s.table() for s in states]
    fpr, tpr = macro_roc_curve(tables)
    area = (np.diff(fpr) * (tpr[1:] + tpr[:-1]) / 2).sum()
    assert area == pytest.approx(np.mean([roc_auc(s) for s in states]), abs=1e-13)
    assert (fpr[0], fpr[-1], tpr[-1]) == (0, 1, 1)
    recall, precision = macro_precision_recall_curve(tables)
    area = (np.diff(recall, prepend=0) * precision).sum()
    assert area == pytest.approx(np.mean([average_precision(s) for s in states]), abs=1e-13)


def test_long_mean_curves_take_part_by_their_grid(monkeypatch) -> None:
    random = np.random.default_rng(3)
    labels = random.random(5000) < 0.2
    tables = [ScoredLabels.from_arrays(labels, random.normal(size=5000) + labels).table() for _ in range(2)]
    exact = macro_roc_curve(tables)
    monkeypatch.setattr(class_areas, "EXACT_UP_TO", 100)
    fewer = macro_roc_curve(tables)
    assert len(fewer[0]) < 5000 < len(exact[0])
    at = np.linspace(0, 1, 50)
    np.testing.assert_allclose(np.interp(at, *fewer), np.interp(at, *exact), atol=0.01)


def test_classes_without_a_positive_are_left_out_of_the_mean() -> None:
    one = ScoredLabels.from_arrays([True, False], [2, 1]).table()
    none = ScoredLabels.from_arrays([False, False], [2, 1]).table()
    assert [x.tolist() for x in macro_roc_curve([one, none])] == [x.tolist() for x in macro_roc_curve([one])]
    assert len(macro_roc_curve([none])[0]) == len(macro_precision_recall_curve([none])[0]) == 0


@thorough
@given(one=rows(halves), two=rows(halves))
def test_pooled_classes_are_all_rows_together(one, two) -> None:
    for weighted in (True, False):
        together, parts = state(one + two, weighted), pooled([state(one, weighted), state(two, weighted)])
        assert parts.thresholds().tolist() == together.thresholds().tolist()
        np.testing.assert_allclose(parts.table().counts.tp, together.table().counts.tp)
        np.testing.assert_allclose(parts.table().counts.fp, together.table().counts.fp)


@thorough
@given(found=two_classes(halves))
def test_the_inverted_decision_has_the_area_that_is_left(found) -> None:
    scored = state(found)
    curve = inverted_roc_curve(scored.table())
    assert (curve.fpr[0], curve.tpr[0], curve.fpr[-1], curve.tpr[-1]) == (0, 0, 1, 1)
    area = (np.diff(curve.fpr) * (curve.tpr[1:] + curve.tpr[:-1]) / 2).sum()
    assert area == pytest.approx(1 - roc_auc(scored), abs=1e-13)
    straight = roc_curve(scored.table())
    np.testing.assert_allclose(curve.tpr[::-1], 1 - straight.tpr, atol=1e-15)


def test_inverting_twice_changes_nothing() -> None:
    counts = ConfusionCounts(1, 2, 3, 4)
    assert (inverted(inverted(counts)).tp, inverted(inverted(counts)).fp) == (1, 2)


@pytest.mark.parametrize("measure", COUNTED, ids=lambda measure: measure.key)
def test_contours_are_the_measure_at_each_place(measure) -> None:
    over_roc, over_pr = (plane(measure, 40, 160, size=9) for plane in (measure_over_roc, measure_over_pr))
    for i, y in enumerate(over_roc.y.tolist()):
        for j, x in enumerate(over_roc.x.tolist()):
            counts = ConfusionCounts(tp=40 * y, fp=160 * x, fn=40 - 40 * y, tn=160 - 160 * x)
            assert over_roc.values[i, j] == pytest.approx(float(measure(counts)), rel=1e-12, nan_ok=True)
            tp = 40 * x
            fp = tp * (1 - y) / y if y else math.nan
            if fp <= 160 * (1 + 1e-12):
                counts = ConfusionCounts(tp=tp, fp=fp, fn=40 - tp, tn=160 - fp)
                assert over_pr.values[i, j] == pytest.approx(float(measure(counts)), rel=1e-9, abs=1e-12, nan_ok=True)
            elif "fp" in measure.formula.lower():
                assert math.isnan(over_pr.values[i, j])


def away(x: np.ndarray, y: np.ndarray, kept: np.ndarray, pixels: int) -> float:
    """Farthest that a point of the whole curve lies from the line through the kept points, in pixels."""
    worst = 0.0
    after = np.searchsorted(kept, np.arange(len(x)))
    for step in (-1, 0, 1):
        # The nearest piece is the one a point was left out of, or one beside it; the least distance of the three.
        end = np.clip(after + step, 1, len(kept) - 1)
        a, b = kept[end - 1], kept[end]
        along = np.stack([x[b] - x[a], y[b] - y[a]])
        towards = np.stack([x - x[a], y - y[a]])
        length = (along**2).sum(axis=0)
        share = np.clip(np.divide((along * towards).sum(axis=0), length, out=np.zeros(len(x)), where=length > 0), 0, 1)
        distance = np.hypot(*(towards - share * along))
        worst = distance if step == -1 else np.minimum(worst, distance)
    return float(np.max(worst) * pixels)


@pytest.mark.parametrize("pixels", [60, 480])
@pytest.mark.parametrize("prevalence", [0.002, 0.3])
def test_no_drawn_curve_is_half_a_pixel_away_from_the_exact_one(pixels: int, prevalence: float) -> None:
    random = np.random.default_rng(5)
    labels = random.random(60_000) < prevalence
    table = ScoredLabels.from_arrays(labels, random.normal(size=60_000) + labels).table()
    roc, pr, gains = (curve(table) for curve in (roc_curve, precision_recall_curve, precision_recall_gain_curve))
    share, lifts = predicted_prevalence(table.counts), lift(table.counts)
    alarms, missed = probit(roc.fpr), probit(1 - roc.tpr)
    inside = np.isfinite(alarms) & np.isfinite(missed)
    lines = [
        (roc.fpr, roc.tpr),
        (pr.recall, pr.precision),
        (pr.recall, pr.interpolated),
        (share, roc.tpr),
        (share[1:], lifts[1:] / np.nanmax(lifts)),
        (gains.recall_gain, gains.precision_gain),
        (alarms[inside] / 6, missed[inside] / 6),
    ]
    for x, y in lines:
        kept = drawn_points(x, y, pixels)
        assert away(x, y, kept, pixels) <= 0.5
        assert len(kept) < 9 * pixels or len(x) <= 2 * pixels


def test_a_curve_of_any_length_is_sent_in_200_kilobytes() -> None:
    """Two coordinates, the threshold and four counts a point, eight bytes each, for a picture of 480 pixels."""
    random = np.random.default_rng(6)
    labels = random.random(1_000_000) < 0.3
    table = ScoredLabels.from_arrays(labels, random.normal(size=1_000_000) + labels).table()
    roc, pr = roc_curve(table), precision_recall_curve(table)
    for x, y in ((roc.fpr, roc.tpr), (pr.recall, pr.precision)):
        assert 7 * 8 * len(drawn_points(x, y, 480)) <= 200_000
