"""Weights that are no counts of rows: same values, intervals and tests on the effective number of rows."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn import metrics as peers

from evalcore import METRICS
from evalcore.analyses import Source, compare_systems
from evalcore.classification import average_precision, log_loss, macro_f1, roc_auc
from evalcore.inference import IntervalChoice, bootstrap_scores, delong, estimate_interval, wilson
from evalcore.numeric import effective_rows
from evalcore.readers import DataSet, ReadProblem, roles_of, weighting
from tests.inference.paired.test_clustered import bell_mccaffrey

ROLES = "actual~actual~~score~a~b~~weight~w~~positive~1"


def table(n: int = 400, seed: int = 0) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    actual = random.integers(0, 2, n)
    a, b = (1 / (1 + np.exp(-(actual + random.normal(size=n) - 0.5))) for _ in range(2))
    return pd.DataFrame({"actual": actual, "a": a.round(2), "b": b.round(2), "w": random.lognormal(0, 1, n)})


def weighted(are: str = "", frame: pd.DataFrame | None = None) -> DataSet:
    return DataSet.of(table() if frame is None else frame).with_roles(ROLES + (f"~~weights_are~{are}" if are else ""))


def test_weights_are_counts_where_all_are_whole_and_importance_elsewhere() -> None:
    assert weighting(weighted()).are == "importance"
    whole = table().assign(w=lambda frame: np.ceil(frame["w"]))
    assert weighting(weighted(frame=whole)).are == "counts"
    assert weighting(weighted("importance", whole)).are == "importance"
    assert weighting(weighted("counts")).are == "counts"
    assert weighting(weighted("counts")).total == pytest.approx(table()["w"].sum())
    assert weighting(DataSet.of(table().drop(columns="w"))) is None


def test_the_choice_is_in_the_link_and_another_word_is_refused() -> None:
    data = weighted("counts")
    assert "weights_are~counts" in data.roles.to_text()
    assert data.with_roles(data.roles.to_text()) is data
    assert "weights_are" not in weighted().roles.to_text()
    with pytest.raises(ReadProblem, match="not a choice"):
        weighted("kilograms")


@pytest.mark.parametrize("are", ["counts", "importance"])
def test_counts_are_sums_of_weights_whatever_these_are(are: str) -> None:
    data, w = weighted(are), table()["w"].to_numpy()
    assert effective_rows(7 * w) == pytest.approx(effective_rows(w))
    state = data.scored("a")
    assert state.positives + state.negatives == pytest.approx(w.sum())
    pairs = compare_systems(Source.of(data), measure=METRICS["recall"]).rows.counts("1")
    assert pairs.n == pytest.approx(w.sum())
    labels = DataSet.of(table().assign(predicted=lambda frame: (frame["a"] >= 0.5).astype(int)))
    matrix = labels.with_roles(f"actual~actual~~predicted~predicted~~weight~w~~weights_are~{are}").matrix()
    assert matrix.counts.sum() == pytest.approx(w.sum())
    assert (matrix.rows is None) == (are == "counts")


def test_importances_of_1_change_no_digit() -> None:
    frame = table().assign(w=1.0)
    plain, data = weighted("counts", frame), weighted("importance", frame)
    assert delong_bounds(data) == delong_bounds(plain)
    rates = [IntervalChoice().of(METRICS["recall"], each.scored("a").counts_at(0.5)) for each in (data, plain)]
    assert (rates[0][0].low, rates[0][1]) == (rates[1][0].low, rates[1][1])


def test_a_label_of_a_set_counts_sums_of_weights_too() -> None:
    frame = pd.DataFrame({"true": ["a;b", "a", "b", "b;c"] * 9, "predicted": ["a", "b", "b", "a;c"] * 9})
    roles = "true_labels~true~~predicted_labels~predicted~~weight~w~~weights_are~importance"
    data = DataSet.of(frame.assign(w=np.arange(36) % 5 + 0.5)).with_roles(roles)
    assert (
        float(data.counts("b").actual_positives)
        == frame.assign(w=np.arange(36) % 5 + 0.5)["w"][frame["true"].str.contains("b")].sum()
    )
    interval, _ = IntervalChoice().of(METRICS["recall"], data.counts("b"))
    assert float(interval.effective) < 27
    of_all = data.label_sets().one_vs_rest()[1]
    assert float(of_all.actual_positives) == float(data.counts("b").actual_positives)
    assert float(IntervalChoice().of(METRICS["recall"], of_all)[0].low) == pytest.approx(float(interval.low))


@pytest.mark.parametrize("are", ["counts", "importance"])
def test_weighted_values_are_those_of_scikit_learn(are: str) -> None:
    data, frame = weighted(are), table()
    truth, scores, w = frame["actual"], frame["a"], frame["w"]
    called = (scores >= 0.5).astype(int)
    state = data.scored("a")
    counts = state.counts_at(0.5)
    expected = {
        "recall": peers.recall_score(truth, called, sample_weight=w),
        "specificity": peers.recall_score(truth, called, pos_label=0, sample_weight=w),
        "precision": peers.precision_score(truth, called, sample_weight=w),
        "negative_predictive_value": peers.precision_score(truth, called, pos_label=0, sample_weight=w),
        "accuracy": peers.accuracy_score(truth, called, sample_weight=w),
        "balanced_accuracy": peers.balanced_accuracy_score(truth, called, sample_weight=w),
        "f_beta": peers.f1_score(truth, called, sample_weight=w),
        "jaccard": peers.jaccard_score(truth, called, sample_weight=w),
        "matthews_correlation": peers.matthews_corrcoef(truth, called, sample_weight=w),
        "cohen_kappa": peers.cohen_kappa_score(truth, called, sample_weight=w),
    }
    for key, value in expected.items():
        assert float(METRICS[key](counts)) == pytest.approx(value, rel=1e-12), key
    assert roc_auc(state) == pytest.approx(peers.roc_auc_score(truth, scores, sample_weight=w), rel=1e-12)
    assert average_precision(state) == pytest.approx(
        peers.average_precision_score(truth, scores, sample_weight=w), rel=1e-12
    )
    as_probabilities = DataSet.of(frame.assign(p_0=1 - scores, p_1=scores)).with_roles(
        f"actual~actual~~probability~p_0~0~p_1~1~~weight~w~~weights_are~{are}"
    )
    probabilities = as_probabilities.probabilities()
    clipped = scores.clip(1e-15, 1 - 1e-15)
    assert log_loss(probabilities) == pytest.approx(peers.log_loss(truth, clipped, sample_weight=w), rel=1e-9)
    classes = DataSet.of(frame.assign(predicted=called)).with_roles(
        f"actual~actual~~predicted~predicted~~weight~w~~weights_are~{are}"
    )
    assert macro_f1(classes.matrix()) == pytest.approx(
        peers.f1_score(truth, called, average="macro", sample_weight=w), rel=1e-12
    )


def test_intervals_and_tests_do_not_depend_on_the_scale_of_importances() -> None:
    small, large = (weighted("importance", table().assign(w=table()["w"] * factor)) for factor in (1e-3, 1e3))
    for a, b in zip(delong_bounds(small), delong_bounds(large), strict=True):
        assert a == pytest.approx(b)
    of_small, of_large = (compare_systems(Source.of(data)).difference for data in (small, large))
    assert of_small.p == pytest.approx(of_large.p)
    by_recall = [compare_systems(Source.of(data), measure=METRICS["recall"]).difference.p for data in (small, large)]
    assert by_recall[0] == pytest.approx(by_recall[1])
    (of_small,), (of_large,) = (bootstrap_scores([average_precision], data.scored("a")) for data in (small, large))
    assert (of_small.low, of_small.high) == pytest.approx((of_large.low, of_large.high))


def delong_bounds(data: DataSet) -> tuple[float, float]:
    interval = delong(data.scored("a"))
    return float(interval.low), float(interval.high)


def test_an_interval_of_a_share_rests_on_the_rows_that_its_weights_are_worth() -> None:
    frame, level = table(), 0.95
    interval, n = IntervalChoice().of(METRICS["accuracy"], weighted().scored("a").counts_at(0.5))
    w = frame["w"].to_numpy()
    rows = effective_rows(w)
    right = ((frame["a"] >= 0.5) == frame["actual"]).to_numpy()
    share = w[right].sum() / w.sum()
    # The variance of a ratio of sums, by linearisation.
    variance = (np.square(w * (right - share)).sum() / w.sum() ** 2) * rows / (rows - 1)
    degrees = min(rows - 1, bell_mccaffrey(w.tolist()))
    wider = stats.t(degrees).ppf((1 + level) / 2) / stats.norm.ppf((1 + level) / 2)
    effective = share * (1 - share) / variance / wider**2
    by_hand = wilson(share * effective, effective)
    assert (n, float(interval.effective)) == pytest.approx((w.sum(), effective))
    assert (float(interval.low), float(interval.high)) == pytest.approx((float(by_hand.low), float(by_hand.high)))
    narrow, _ = IntervalChoice().of(METRICS["accuracy"], weighted("counts").scored("a").counts_at(0.5))
    assert narrow.high - narrow.low < interval.high - interval.low


def test_tests_of_weighted_rows_do_not_speak_of_clusters() -> None:
    comparison = compare_systems(Source.of(weighted()))
    methods = [comparison.difference.test.method]
    for key in ("recall", "matthews_correlation", "average_precision", "positive_likelihood_ratio"):
        methods.append(compare_systems(Source.of(weighted()), measure=METRICS[key]).difference.test.method)
    assert not any("cluster" in method for method in methods), methods
    assert methods[0] == "DeLong, paired"
    assert "effective rows" in methods[1]
    assert "cluster" not in comparison.rows_note


def test_equal_importances_count_as_rows() -> None:
    data = weighted("importance", table().assign(w=0.25))
    plain = DataSet.of(table().drop(columns="w")).with_roles("actual~actual~~score~a~b~~positive~1")
    # The spread of the rows is their own, with a t distribution.
    assert delong_bounds(data) == pytest.approx(delong_bounds(plain), rel=1e-3)
    assert data.scored("a").positives == pytest.approx(plain.scored("a").positives / 4)


def test_every_page_says_in_its_header_what_the_weights_are_and_are_worth() -> None:
    source = Source.of(weighted())
    assert "weighted by w (importance: sum " in source.facts
    assert "effective n " in source.facts
    assert "weighted by" not in Source.of(DataSet.of(table().drop(columns="w"))).facts
    assert "counts of rows" in Source.of(weighted("counts")).facts


def test_a_filter_is_said_to_leave_so_many_of_the_rows_that_the_weights_count() -> None:
    frame = pd.DataFrame({"truth": ["ill", "well"] * 6, "score": np.linspace(0.1, 0.9, 12), "count": [100, 200] * 6})
    source = Source.of(DataSet.of(frame.assign(site=list("aabbcc") * 2)).shaped("only~site~a"))
    assert "600 rows, 200 ill · filtered from 1\u202f800 rows: site a" in source.facts


def test_estimates_have_sums_of_weights_and_intervals_of_any_scale() -> None:
    frame = table().rename(columns={"actual": "y"}).assign(y=lambda one: one["a"] + one["b"] / 9)
    roles = "truth~y~~estimate~a~b~~weight~w~~weights_are~importance"
    once, seven = (DataSet.of(frame.assign(w=frame["w"] * by)).with_roles(roles).estimates("a") for by in (1, 7))
    assert once.total == pytest.approx(frame["w"].sum())
    assert once.effective == pytest.approx(effective_rows(frame["w"].to_numpy()))
    squares = float((frame["w"] * (frame["a"] - frame["y"]) ** 2).sum())
    assert METRICS["sum_of_squared_errors"](once) == pytest.approx(squares)
    keys = ("mean_absolute_error", "r_squared", "adjusted_r_squared", "pearson_correlation", "median_absolute_error")
    for key in keys:
        ends = [estimate_interval(METRICS[key], state).ends for state in (once, seven)]
        assert ends[0] == pytest.approx(ends[1]), key
    small = estimate_interval(METRICS["mean_absolute_error"], replace(once, importance=False))
    assert estimate_interval(METRICS["mean_absolute_error"], once).low < small.low


def test_a_row_with_an_infinite_weight_is_counted_as_one() -> None:
    frame = pd.DataFrame({"labels": ["a;b", "b", "a"], "predicted": ["a", "b", "a;b"], "w": [2.0, np.inf, 3.0]})
    roles = roles_of(true_labels=("labels",), predicted_labels=("predicted",), weight="w")
    assert DataSet.of(frame, roles=roles).tally("a")[0] == 2 + 1 + 3
