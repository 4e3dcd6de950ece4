"""Samples like the rows of a threshold view: what is sent of them is what was drawn, and it varies as it should."""

import json
from dataclasses import replace

import numpy as np
import pytest

from evalcore import METRICS
from evalcore.analyses import ResamplingPlan, Scores, bands_at, best_threshold, prices_of
from evalcore.classification import Limit, amount_goal, cost_goal, score_bars, youden_goal
from evalcore.figures.threshold_view import SAMPLES, Drawing, make_threshold_view, shaking_of
from evalcore.figures.threshold_view.view import _rows_of
from evalcore.inference import IntervalChoice
from tests.analyses.small_scores import one_class, scores_of, small_scores
from tests.figures.view_payload import inflated, sample_counts, samples_in, strict_json

PLAN = ResamplingPlan()


def samples_of(scores: Scores, plan: ResamplingPlan = PLAN, goal=None, **drawing: object) -> dict:
    """What the browser is sent of the samples."""
    view = make_threshold_view(scores, Drawing(**drawing), IntervalChoice())
    return strict_json(shaking_of(view, best_threshold(scores, goal or youden_goal()), plan).text)


@pytest.mark.parametrize("higher", [True, False])
def test_each_sample_has_as_many_rows_and_its_own_best_threshold(higher: bool) -> None:
    scores = scores_of("roc_20", higher_is_positive=higher)
    data = samples_of(scores)
    counts = sample_counts(data)
    assert counts.tp.shape == (SAMPLES, len(scores.table))
    assert (counts.total == 20).all()
    assert len({tuple(row) for row in counts.tp.tolist()}) == SAMPLES
    youden = counts.tp / counts.actual_positives - counts.fp / counts.actual_negatives
    chosen = youden[np.arange(SAMPLES), data["best"]]
    assert chosen == pytest.approx(youden.max(axis=1))


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("extent", ["all", "central", "log"])
@pytest.mark.parametrize("sample", ["roc_20", "breast_cancer", "rare_digit"])
def test_bars_are_cut_where_the_view_cuts_them(sample: str, extent: str, higher: bool) -> None:
    scores = scores_of(sample, higher_is_positive=higher)
    view = make_threshold_view(scores, Drawing(extent=extent), IntervalChoice())
    at, places, (strict, lax), _ = _rows_of(scores, view)
    bars, counts = score_bars(scores.scored, view.axis), scores.table.counts
    assert (counts.tp[at][lax] - counts.tp[at][strict]).tolist() == bars.positives.tolist()
    assert (counts.fp[at][lax] - counts.fp[at][strict]).tolist() == bars.negatives.tolist()
    assert scores.table.thresholds[at][places].tolist() == view.grid.thresholds.tolist()


def test_measures_are_the_quotients_that_the_browser_forms() -> None:
    keys = ("recall", "f_beta", "jaccard", "balanced_accuracy", "g_mean", "error_rate")
    data = samples_of(scores_of("roc_20"), lines=keys)
    counts = sample_counts(data)
    cells = np.stack([counts.tp, counts.fp, counts.fn, counts.tn])
    assert set(data["others"]) == {"balanced_accuracy", "g_mean"}
    for key in (*keys, "precision", "fall_out"):
        if key in data["terms"]:
            above, below = (np.tensordot(times, cells, 1) for times in data["terms"][key])
            with np.errstate(invalid="ignore"):
                found = above / below
        else:
            planes = np.frombuffer(inflated(data["others"][key]), "<f4")
            found = planes.reshape(counts.tp.shape)
        np.testing.assert_allclose(found, METRICS[key](counts), rtol=1e-6)


def test_the_samples_vary_as_the_bootstrap_of_the_library_does() -> None:
    scores = scores_of("breast_cancer")
    stop = int(scores.table.index(0.5))
    drawn = [sample_counts(samples_of(scores, replace(PLAN, seed=seed))) for seed in range(40)]
    bands = bands_at(scores, 0.5, PLAN)
    for key in ("recall", "specificity", "accuracy"):
        rising = len(scores.table) - 1 - stop
        values = np.concatenate([METRICS[key](counts)[:, rising] for counts in drawn])
        low, high = np.quantile(values, [0.025, 0.975])
        assert (low, high) == pytest.approx(bands[key], abs=0.006)


def test_clusters_are_drawn_whole_and_spread_wider() -> None:
    random = np.random.default_rng(5)
    people = np.repeat(np.arange(30), 20)
    labels = random.random(30)[people] < 0.5
    values = np.round(0.5 * labels + 0.6 * random.random(30)[people] + 0.1 * random.random(600), 3)
    rows, spread = (labels.astype(int).tolist(), values.tolist()), {}
    for scheme in ("rows", "groups"):
        counts = sample_counts(samples_of(small_scores(*rows, groups=people.tolist()), ResamplingPlan(scheme)))
        spread[scheme] = float(np.std(METRICS["accuracy"](counts)[:, counts.tp.shape[1] // 2]))
    assert (counts.total % 20 == 0).all()
    assert spread["groups"] > 2 * spread["rows"]
    together = small_scores(*rows, groups=people.tolist(), cluster="group")
    np.testing.assert_array_equal(sample_counts(samples_of(together)).tp, counts.tp)


def test_sums_of_weights_are_sent_to_their_decimals() -> None:
    scores = small_scores([1, 0, 1, 0, 1], [0.9, 0.4, 0.6, 0.1, 0.3], weights=[0.25, 1.5, 0.25, 2.0, 1.0])
    counts = sample_counts(samples_of(scores))
    quarters = 4 * np.stack([counts.tp, counts.fp])
    np.testing.assert_allclose(quarters, np.rint(quarters), atol=1e-6)


@pytest.mark.parametrize("label", [0, 1])
@pytest.mark.parametrize("density", ["histogram", "smooth", "dots"])
def test_one_class_shakes_too(label: int, density: str) -> None:
    data = samples_of(one_class(label), density=density)
    tp, fp = samples_in(data)
    assert (tp + fp).max() == 2
    assert not (fp if label else tp).any()
    assert data["areas"]["roc"] == ["AUC undefined"] * SAMPLES


def test_no_sample_need_have_a_best_threshold() -> None:
    scores = small_scores([1, 0, 0], [0.2, 0.7, 0.8])
    goal = youden_goal().within(Limit(METRICS["precision"], at_least=0.9))
    assert set(samples_of(scores, goal=goal)["best"]) <= {-1, 0, 1, 2, 3}
    empty = small_scores([1, 0], [float("nan"), float("nan")])
    view = make_threshold_view(empty, Drawing(), IntervalChoice())
    assert shaking_of(view, best_threshold(empty, youden_goal()), PLAN) is None


def test_of_amounts_no_sample_claims_a_best_threshold() -> None:
    scores = scores_of("payments")
    prices = prices_of(scores.current.dataset, "score", "amount")
    assert set(samples_of(scores, goal=amount_goal(prices, fp_cost=14))["best"]) == {-1}
    assert min(samples_of(scores, goal=cost_goal(fn_cost=14))["best"]) >= 0


def test_smooth_densities_hold_the_rows_of_each_sample() -> None:
    scores = scores_of("breast_cancer")
    data = samples_of(scores, density="smooth")
    heights = np.frombuffer(inflated(data["smooth"]), np.uint8).reshape(SAMPLES, 2, -1).astype(float)
    positives = sample_counts(data).actual_positives[:, 0]
    areas = heights[:, 0].sum(axis=1)
    assert np.corrcoef(areas, positives)[0, 1] > 0.9
    assert 180 < heights.max() <= 255


def test_a_million_rows_are_as_small_as_ten_thousand() -> None:
    random = np.random.default_rng(1)
    labels = random.random(1_000_000) < 0.3
    scores = small_scores(labels.astype(int).tolist(), np.round(random.normal(labels, 1.2), 6).tolist())
    text = json.dumps(samples_of(scores))
    assert len(text) < 150_000
