"""Measures of arrays: scikit-learn's numbers from the same columns, whatever holds them, or a sentence why not."""

import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn import metrics

import evalcore as ec
from evalcore.analyses import Source
from evalcore.classification import ConfusionCounts, ConfusionMatrix, ScoredLabels
from evalcore.inference import delong
from evalcore.readers import read_sample
from evalcore.retrieval import Judgments, Run

TRUTH, SCORES = [1, 0, 1, 1, 0, 0], [0.9, 0.2, 0.8, 0.3, 0.4, 0.1]

LABELS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "accuracy": (ec.accuracy, metrics.accuracy_score),
    "balanced accuracy": (ec.balanced_accuracy, metrics.balanced_accuracy_score),
    "precision": (
        ec.precision,
        lambda *a, **k: metrics.precision_score(*a, pos_label="ill", zero_division=np.nan, **k),
    ),
    "recall": (ec.recall, lambda *a, **k: metrics.recall_score(*a, pos_label="ill", zero_division=np.nan, **k)),
    "F1": (ec.f1, lambda *a, **k: metrics.f1_score(*a, pos_label="ill", zero_division=np.nan, **k)),
    "F2": (
        ec.measure("F2"),
        lambda *a, **k: metrics.fbeta_score(*a, beta=2, pos_label="ill", zero_division=np.nan, **k),
    ),
    "Jaccard": (ec.jaccard, lambda *a, **k: metrics.jaccard_score(*a, pos_label="ill", **k)),
    "MCC": (ec.matthews_correlation, metrics.matthews_corrcoef),
    "kappa": (ec.cohen_kappa, metrics.cohen_kappa_score),
}
SEVERAL = {
    "accuracy": (ec.accuracy, metrics.accuracy_score),
    "balanced accuracy": (ec.balanced_accuracy, metrics.balanced_accuracy_score),
    "MCC": (ec.matthews_correlation, metrics.matthews_corrcoef),
    "kappa": (ec.cohen_kappa, metrics.cohen_kappa_score),
    **{
        f"{average} {name}": (
            lambda *a, own=own, average=average, **k: own(*a, average=average, **k),
            lambda *a, peer=peer, average=average, **k: peer(*a, average=average, zero_division=np.nan, **k),
        )
        for average in ("macro", "micro", "weighted")
        for name, own, peer in (
            ("precision", ec.precision, metrics.precision_score),
            ("recall", ec.recall, metrics.recall_score),
            ("F1", ec.f1, metrics.f1_score),
        )
    },
}
OF_SCORES = {
    "AUC": (ec.roc_auc, metrics.roc_auc_score),
    "AP": (ec.average_precision, metrics.average_precision_score),
    "log-loss": (ec.log_loss, metrics.log_loss),
    "Brier": (ec.measure("half_brier_score"), metrics.brier_score_loss),
}
ERRORS = {
    "MAE": (ec.mean_absolute_error, metrics.mean_absolute_error),
    "RMSE": (ec.root_mean_squared_error, metrics.root_mean_squared_error),
    "MSE": (ec.measure("MSE"), metrics.mean_squared_error),
    "MAPE": (ec.mean_absolute_percentage_error, metrics.mean_absolute_percentage_error),
    "R²": (ec.r_squared, metrics.r2_score),
    "explained variance": (ec.measure("EV"), metrics.explained_variance_score),
    "median": (ec.measure("MedAE"), metrics.median_absolute_error),
    "max": (ec.measure("max error"), metrics.max_error),
    "pinball": (ec.measure("quantile loss(tau=0.9)"), lambda *a, **k: metrics.mean_pinball_loss(*a, alpha=0.9, **k)),
}


def both(
    pair: tuple[Callable[..., Any], Callable[..., Any]], *columns: Any, weights: Any = None
) -> tuple[float, float]:
    """Our value and scikit-learn's, whose warnings about what it calls 0 are not ours."""
    own, peer = pair
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        given = {} if weights is None else {"weights": weights}
        theirs = {} if weights is None else {"sample_weight": weights}
        return own(*columns, **given), float(peer(*columns, **theirs))


WORDS = st.lists(st.tuples(st.sampled_from(["ill", "well"]), st.sampled_from(["ill", "well"])), min_size=2, max_size=30)
WEIGHTS = st.none() | st.integers(0, 2**32)


def weights_of(seed: int | None, n: int) -> Any:
    return None if seed is None else np.random.default_rng(seed).integers(1, 5, n)


@settings(max_examples=60)
@given(WORDS, WEIGHTS)
def test_labels_in_words_as_scikit_learn(rows: list[tuple[str, str]], seed: int | None) -> None:
    truth, predicted = map(list, zip(*rows, strict=True))
    if len({*truth, *predicted}) < 2:
        return
    for name, pair in LABELS.items():
        ours, theirs = both(pair, truth, predicted, weights=weights_of(seed, len(rows)))
        one_sided = len({*truth}) < 2 or len({*predicted}) < 2
        # Of one class scikit-learn calls MCC 0, kappa nan or 0, balanced accuracy the recall of the other, Jaccard 0.
        if one_sided and name in ("MCC", "kappa", "balanced accuracy", "Jaccard"):
            assert np.isnan(ours) or ours == pytest.approx(theirs, abs=1e-12), name
        else:
            assert ours == pytest.approx(theirs, abs=1e-12, nan_ok=True), name


@settings(max_examples=40)
@given(st.lists(st.tuples(*[st.sampled_from("abcd")] * 2), min_size=8, max_size=40), WEIGHTS)
def test_several_classes_as_scikit_learn(rows: list[tuple[str, str]], seed: int | None) -> None:
    truth, predicted = map(list, zip(*rows, strict=True))
    if len({*truth}) < 3:
        return
    for name, pair in SEVERAL.items():
        ours, theirs = both(pair, truth, predicted, weights=weights_of(seed, len(rows)))
        if len({*predicted}) < 2 and name in ("MCC", "kappa"):
            continue
        assert ours == pytest.approx(theirs, abs=1e-12, nan_ok=True), name


@settings(max_examples=60)
@given(st.lists(st.tuples(st.booleans(), st.integers(1, 19)), min_size=4, max_size=40), WEIGHTS)
def test_scores_with_ties_as_scikit_learn(rows: list[tuple[bool, int]], seed: int | None) -> None:
    truth, scores = [one for one, _ in rows], [score / 20 for _, score in rows]
    if len({*truth}) < 2:
        return
    for name, pair in OF_SCORES.items():
        ours, theirs = both(pair, truth, scores, weights=weights_of(seed, len(rows)))
        assert ours == pytest.approx(theirs, rel=1e-12), name


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(1, 50), st.integers(-50, 50)), min_size=3, max_size=30), WEIGHTS)
def test_errors_as_scikit_learn(rows: list[tuple[int, int]], seed: int | None) -> None:
    truth, estimate = (np.array(side) / 4 for side in zip(*rows, strict=True))
    weights = weights_of(seed, len(rows))
    for name, pair in ERRORS.items():
        if name in ("max", "median") and weights is not None:  # there without weights, or with another median
            continue
        ours, theirs = both(pair, truth, estimate, weights=weights)
        if len({*truth}) > 1 or name not in ("R²", "explained variance"):
            assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-12), name


def test_several_classes_of_probabilities_as_scikit_learn() -> None:
    random = np.random.default_rng(1)
    truth = random.choice(list("abc"), 200)
    probabilities = random.dirichlet([1, 1, 1], 200)
    assert ec.log_loss(truth, probabilities) == pytest.approx(metrics.log_loss(truth, probabilities))
    peer = metrics.roc_auc_score(truth, probabilities, multi_class="ovr")
    assert ec.macro_auc(truth, probabilities) == pytest.approx(peer)
    frame = pd.DataFrame(probabilities[:, ::-1], columns=list("cba"))
    assert ec.macro_auc(truth, frame) == pytest.approx(peer)
    assert ec.top_k_accuracy(truth, probabilities, k=2) == metrics.top_k_accuracy_score(truth, probabilities, k=2)


RANDOM = np.random.default_rng(4)
ACTUAL, SAID = RANDOM.random((60, 5)) < 0.4, RANDOM.random((60, 5)) < 0.5
RANKS = np.round(RANDOM.random((60, 5)), 1)
CLASSES, SHARES = RANDOM.choice(list("abc"), 200), RANDOM.dirichlet([1, 1, 1], 200)
POSITIVE, ESTIMATE = RANDOM.gamma(2, size=80), RANDOM.gamma(2, size=80)
FLAGS, PREDICTED = RANDOM.random(80) < 0.4, RANDOM.random(80) < 0.5

MORE: dict[str, tuple[Any, Any]] = {
    "zero-one loss": (ec.error_rate(FLAGS, PREDICTED), metrics.zero_one_loss(FLAGS, PREDICTED)),
    "LR+": (ec.measure("LR+")(FLAGS, PREDICTED), metrics.class_likelihood_ratios(FLAGS, PREDICTED)[0]),
    "LR-": (ec.measure("LR-")(FLAGS, PREDICTED), metrics.class_likelihood_ratios(FLAGS, PREDICTED)[1]),
    "subset accuracy": (ec.subset_accuracy(ACTUAL, SAID), metrics.accuracy_score(ACTUAL, SAID)),
    "Hamming": (ec.hamming_loss(ACTUAL, SAID), metrics.hamming_loss(ACTUAL, SAID)),
    "samples F1": (
        ec.samples_f1(ACTUAL, SAID),
        metrics.f1_score(ACTUAL, SAID, average="samples", zero_division=np.nan),
    ),
    "micro F1 of labels": (ec.f1(ACTUAL, SAID, average="micro"), metrics.f1_score(ACTUAL, SAID, average="micro")),
    "macro F1 of labels": (ec.f1(ACTUAL, SAID, average="macro"), metrics.f1_score(ACTUAL, SAID, average="macro")),
    "LRAP": (
        ec.label_ranking_average_precision(ACTUAL, RANKS),
        metrics.label_ranking_average_precision_score(ACTUAL, RANKS),
    ),
    "coverage": (ec.coverage_error(ACTUAL, RANKS), metrics.coverage_error(ACTUAL, RANKS)),
    "ranking loss": (ec.label_ranking_loss(ACTUAL, RANKS), metrics.label_ranking_loss(ACTUAL, RANKS)),
    "one vs one": (ec.one_vs_one_auc(CLASSES, SHARES), metrics.roc_auc_score(CLASSES, SHARES, multi_class="ovo")),
    "weighted AUC": (
        ec.weighted_auc(CLASSES, SHARES),
        metrics.roc_auc_score(CLASSES, SHARES, multi_class="ovr", average="weighted"),
    ),
    "Brier of classes": (
        ec.brier_score(CLASSES, SHARES),
        np.square(SHARES - (CLASSES[:, None] == np.unique(CLASSES))).sum(axis=1).mean(),
    ),
    "Poisson": (ec.mean_poisson_deviance(POSITIVE, ESTIMATE), metrics.mean_poisson_deviance(POSITIVE, ESTIMATE)),
    "gamma": (ec.mean_gamma_deviance(POSITIVE, ESTIMATE), metrics.mean_gamma_deviance(POSITIVE, ESTIMATE)),
    "Tweedie": (
        ec.mean_tweedie_deviance(POSITIVE, ESTIMATE, power=1.5),
        metrics.mean_tweedie_deviance(POSITIVE, ESTIMATE, power=1.5),
    ),
    "D² absolute": (ec.d2_absolute_error(POSITIVE, ESTIMATE), metrics.d2_absolute_error_score(POSITIVE, ESTIMATE)),
    "D² pinball": (
        ec.d2_pinball(POSITIVE, ESTIMATE, tau=0.9),
        metrics.d2_pinball_score(POSITIVE, ESTIMATE, alpha=0.9),
    ),
    "D² Tweedie": (
        ec.d2_tweedie(POSITIVE, ESTIMATE, power=1.5),
        metrics.d2_tweedie_score(POSITIVE, ESTIMATE, power=1.5),
    ),
    "nDCG": (
        ec.ndcg({"q": {str(d): d for d in range(9)}}, {"q": {str(d): d * 5 % 9 for d in range(9)}}, k=5),
        metrics.ndcg_score([range(9)], [[d * 5 % 9 for d in range(9)]], k=5),
    ),
    "partial AUC": (
        ec.partial_auc(FLAGS, ESTIMATE, highest_fpr=0.2),
        (metrics.roc_auc_score(FLAGS, ESTIMATE, max_fpr=0.2) * 2 - 1) * (0.2 - 0.02) + 0.02,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MORE)
def test_what_else_scikit_learn_measures(name: str) -> None:
    ours, theirs = MORE[name]
    assert ours == pytest.approx(theirs, rel=1e-9)


HOLDERS: dict[str, Callable[[list], Any]] = {
    "list": list,
    "tuple": tuple,
    "array": np.array,
    "objects": lambda values: np.array(values, dtype=object),
    "series": pd.Series,
    "nullable": lambda values: pd.Series(values).convert_dtypes(),
    "frame": lambda values: pd.DataFrame({"y": values}),
    "Polars": pl.Series,
    "index": pd.Index,
    "Arrow": pa.array,
}


@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize("labels", [[1, 0], [True, False], ["yes", "no"], [1.0, -1.0], ["ill", "well"]], ids=str)
def test_whatever_holds_the_columns(holder: str, labels: list) -> None:
    hold = HOLDERS[holder]
    truth = hold([labels[1 - one] for one in TRUTH])
    assert ec.roc_auc(truth, hold(SCORES)) == ec.roc_auc(TRUTH, SCORES)
    assert ec.f1(truth, hold(SCORES), threshold=0.35) == ec.f1(TRUTH, [score >= 0.35 for score in SCORES])
    assert ec.recall(truth, truth) == 1


def test_a_threshold_may_be_a_text() -> None:
    scored = ScoredLabels.from_arrays(TRUTH, SCORES)
    assert ec.f1(TRUTH, SCORES, threshold="2e-1") == ec.f1(scored, threshold="2e-1") == ec.f1(scored, threshold=0.2)


CATEGORIES = (
    pd.Categorical,
    lambda values: pd.Series(values, dtype="category"),
    lambda values: pl.Series(values).cast(pl.Categorical),
)


@pytest.mark.parametrize("hold", CATEGORIES)
def test_categories_are_labels(hold: Callable[[list], Any]) -> None:
    assert ec.accuracy(hold(["a", "b", "c"]), hold(["a", "c", "c"])) == pytest.approx(2 / 3)


def test_dates_are_labels() -> None:
    days = pd.to_datetime(["2026-01-01", "2026-01-02", "2026-01-03"])
    assert ec.accuracy(days, days) == 1


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: ec.roc_auc(["well", "sick"], [1, 2], positive="ill"), "'ill' is not among the labels 'well', 'sick'"),
        (lambda: ec.roc_auc(["cat", "dog"], [0.1, 0.2]), "Which label is positive?"),
        (lambda: ec.f1(list("abc"), list("abc")), "average='macro', 'micro' or 'weighted'"),
        (lambda: ec.precision(TRUTH, SCORES), "give threshold="),
        (lambda: ec.precision(SCORES, TRUTH), "truth comes first"),
        (lambda: ec.roc_auc(SCORES, TRUTH), "truth comes first"),
        (lambda: ec.roc_auc(TRUTH, [np.nan, *SCORES[1:]]), "in row 0"),
        (lambda: ec.roc_auc(pd.Series([1, None, 0], dtype="Int64"), [0.1, 0.2, 0.3]), "no label in row 1"),
        (lambda: ec.roc_auc(TRUTH, pd.Series([None, *SCORES[1:]], dtype="Float64")), "in row 0"),
        (lambda: ec.roc_auc(TRUTH, np.ma.masked_less(SCORES, 0.15)), "in row 5"),
        (lambda: ec.roc_auc(TRUTH, np.array(SCORES) * 1j), "complex"),
        (lambda: ec.accuracy([["a"], ["b"]], [["a"], ["b"]]), "shape (2, 1)"),
        (lambda: ec.confusion([["a"], ["b"]], [["a"], ["b"]]), "shape (2, 1)"),
        (lambda: repr(ec.confusion([], [])), "No row has both"),
        (lambda: ec.ndcg(QRELS, RUN, k=None), "None is not a number"),
        (lambda: ec.accuracy(TRUTH, TRUTH[1:]), "6 rows"),
        (lambda: ec.roc_auc(TRUTH, "score"), "'score'"),
        (lambda: ec.f1(TRUTH, TRUTH, average="mean"), "average='mean'"),
        (lambda: ec.f1(TRUTH, ["1", "0", "1", "1", "0", "0"]), "labels of both in one way"),
        (lambda: ec.recall(["Yes", "No"], ["yes", "no"]), "labels of both in one way"),
        (lambda: ec.confusion(SCORES, TRUTH), "truth comes first"),
        (lambda: ec.calibration(list("ab"), pd.DataFrame({"x": [0.5] * 2, "z": [0.5] * 2})), "no classes of the truth"),
        (lambda: ec.mean_absolute_error(pd.to_datetime(["2026-01-01"]), [1.0]), "holds dates"),
        (lambda: ec.read(pd.DataFrame({"y": [1, 0], "s": [1, 2]}), kind="nope"), "'scores'"),
        (lambda: ec.log_loss(list("abc"), [[0.5, 0.5]] * 3), "name the columns by classes"),
        (lambda: ec.accuracy(pd.Series([1, 0], index=[1, 2]), pd.Series([1, 0], index=[2, 1])), "another order"),
        (lambda: ec.ndcg({"q": {"a": 0.1}}, {"q": {"a": 1}}), "exchanged"),
        (lambda: ec.read(pd.DataFrame({"y": [1, 0], "s": [1, 2]}), score="t"), 'score: "rows" has no "t"'),
    ],
)  # fmt: skip
def test_an_error_names_the_argument_and_what_to_do(call: Callable[[], Any], words: str) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011 (the words are compared)
        call()
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: ec.roc_auc(TRUTH), "only one column"),
        (lambda: ec.roc_auc(TRUTH, SCORES, SCORES), "3 columns"),
        (lambda: ec.roc_auc(TRUTH, SCORES, sample_weight=[1] * 6), "here it is weights"),
        (lambda: ec.roc_auc(TRUTH, SCORES, threshold=0.5), "no threshold"),
        (lambda: ec.f1(TRUTH, TRUTH, bet=2), "it takes positive, threshold"),
        (lambda: ec.evaluate(Run.from_arrays(["q"], ["a"], [1]), {"q": {"a": 1}}, ["AP"]), "judgments come first"),
        (lambda: ec.evaluate({"q": 1}, {"q": {"a": 1}}, ["AP"]), "dictionary of dictionaries"),
        (lambda: ec.evaluate(QRELS, RUN), "names of measures"),
        (lambda: ec.read(3), "not int"),
        (lambda: ec.roc_auc(TRUTH, SCORES, interval=0.9), "level=0.9"),
        (lambda: ec.roc_auc(ScoredLabels.from_arrays(TRUTH, SCORES), positive=1), "takes no positive"),
        (lambda: ec.numbers(TRUTH, SCORES), "one tuple"),
    ],
)
def test_a_wrong_call_says_what_is_taken(call: Callable[[], Any], words: str) -> None:
    with pytest.raises(TypeError) as error:
        call()
    assert words in str(error.value)


def test_undefined_is_said() -> None:
    with pytest.warns(ec.UndefinedMeasure, match="no actual positives or no actual negatives"):
        assert np.isnan(ec.roc_auc([1, 1], [0.1, 0.2]))


def test_a_state_stands_in_place_of_truth_and_system() -> None:
    scored = ScoredLabels.from_arrays(TRUTH, SCORES)
    assert ec.roc_auc(scored) == ec.roc_auc(TRUTH, SCORES)
    assert ec.recall(scored, threshold=0.35) == ec.recall(TRUTH, SCORES, threshold=0.35)
    assert ec.recall(ConfusionCounts([1, 2], 0, [1, 0], 0)).tolist() == [0.5, 1]
    assert ec.macro_f1(ConfusionMatrix("ab", [[1, 0], [0, 1]])) == 1
    data = read_sample("roc_20")
    assert ec.roc_auc(data) == ec.roc_auc(Source.of(data)) == ec.roc_auc(data.scored())
    assert ec.recall(data, threshold=0.54) == 0.5


def test_an_interval_is_that_of_the_page_and_can_be_unpacked() -> None:
    data = read_sample("breast_cancer")
    system = data.systems[0]
    entries = ec.numbers(data, threshold=0.5)["systems"][0]["measures"]
    assert ec.roc_auc(data, interval=True).low == entries["roc_auc"]["low"]
    for name in ("recall", "f_beta", "matthews_correlation"):
        ends = [entries[name][end] for end in ("value", "low", "high")]
        assert [*getattr(ec, name)(data, threshold=0.5, interval=True)] == ends, name
    truth = data.frame[data.roles.actual]
    area = ec.roc_auc(truth, data.frame[system], positive=data.roles.positive, interval=True)
    own = delong(data.scored(), logit=True)
    assert [*area] == [float(end) for end in own.ends]
    assert float(area) == area.value
    assert repr(area).startswith("AUC 0.99")
    assert "DeLong" in repr(area)
    assert repr(area) in area._repr_html_()
    assert "no interval" in repr(ec.measure("max error")([1.0, 2], [2.0, 4], interval=True))
    assert [*ec.roc_auc(data, interval="plain")] == [float(end) for end in delong(data.scored(), logit=False).ends]
    of_rows = ec.recall([1] * 10, [1] * 9 + [0], interval="clopper")
    assert of_rows.method == "Clopper–Pearson"
    assert of_rows.high == pytest.approx(stats.beta.ppf(0.975, 10, 1))
    for name in ("f1", "roc_auc"):
        with pytest.raises(ValueError, match="interval='clopper' is no method"):
            getattr(ec, name)(TRUTH, TRUTH, interval="clopper")


def table_of_churn() -> pd.DataFrame:
    random = np.random.default_rng(5)
    truth = random.choice(["churned", "stayed"], 120)
    score = np.round(random.random(120) + 0.3 * (truth == "churned"), 2)
    return pd.DataFrame({"truth": truth, "score": score, "w": random.integers(1, 4, 120)})


def test_a_data_set_takes_the_keywords_of_its_columns() -> None:
    table = table_of_churn()
    y, s = table.truth, table.score
    data = ec.read(table, weights=None)
    for keywords in ({"positive": "stayed"}, {"positive": "churned", "higher_is_positive": False}):
        assert ec.roc_auc(data, **keywords) == ec.roc_auc(y, s, **keywords)
    assert ec.roc_auc(data, weights="w") == ec.roc_auc(y, s, positive="churned", weights=table.w)
    assert (
        ec.threshold(data, weights="w").threshold == ec.threshold(y, s, positive="churned", weights=table.w).threshold
    )
    assert "Weighted by w" in repr(ec.curves(ec.read(table)))
    assert ec.roc_auc(table[["truth", "score"]]) == ec.roc_auc(data)
    with pytest.raises(ValueError, match=r'has the label "nope" in column "truth", only "stayed", "churned"'):
        ec.f1(data, positive="nope", threshold=0.5)
    with pytest.raises(TypeError, match="give the name of one"):
        ec.roc_auc(data, weights=table.w)


def test_several_classes_of_a_data_set_are_not_one_against_the_rest() -> None:
    truth = pd.Series(list("abcd") * 20, name="label")
    predicted = truth.where(np.arange(80) % 5 > 0, "a").rename("predicted")
    data = ec.read(pd.DataFrame({"label": truth, "predicted": predicted}))
    for measure in (ec.accuracy, ec.cohen_kappa, ec.matthews_correlation, ec.balanced_accuracy):
        assert measure(data) == measure(truth, predicted)
    assert ec.f1(data, average="macro") == ec.f1(truth, predicted, average="macro")
    assert ec.f1(data, positive="b") == ec.f1(truth, predicted, positive="b")
    with pytest.raises(ValueError, match="Which label is positive"):
        ec.f1(data)


def test_columns_of_numbers_have_their_roles_by_name() -> None:
    days = pd.date_range("2026-01-01", periods=30)
    numbers = np.arange(30) / 7
    table = pd.DataFrame({"day": days, "sales": numbers, "forecast": numbers + 1, "naive": numbers[::-1]})
    assert ec.read(table, truth="sales", estimate=["forecast", "naive"]).systems == ("forecast", "naive")
    assert ec.mean_absolute_error(ec.read(table, truth="sales", system="forecast")) == pytest.approx(1)
    assert ec.ndcg(ec.read(QRELS, RUN), k=3) == ec.ndcg(QRELS, RUN, k=3)
    assert ec.evaluate(ec.read(QRELS, RUN), ["AP"]).means() == ec.evaluate(QRELS, RUN, ["AP"]).means()


def test_clusters_widen_an_interval() -> None:
    random = np.random.default_rng(2)
    clusters = np.repeat(np.arange(50), 4)
    truth = np.repeat(random.random(50) < 0.5, 4)
    predicted = truth ^ np.repeat(random.random(50) < 0.2, 4)
    _, low, high = ec.recall(truth, predicted, interval=True)
    _, lower, higher = ec.recall(truth, predicted, clusters=clusters, interval=True)
    assert lower < low < high < higher


QRELS = {"q1": {"d1": 1, "d2": 0, "d3": 2}, "q2": {"d1": 1}}
RUN = {"q1": {"d2": 3.0, "d3": 2.0, "d1": 1.0}, "q2": {"d4": 1.0}}


def frames(polars: bool) -> tuple[Any, Any]:
    judged = {"query": ["q1", "q1", "q1", "q2"], "doc_id": ["d1", "d2", "d3", "d1"], "relevance": [1, 0, 2, 1]}
    ranked = {"qid": ["q1", "q1", "q1", "q2"], "docno": ["d2", "d3", "d1", "d4"], "rank": [1, 2, 3, 1]}
    of = pl.DataFrame if polars else pd.DataFrame
    return of(judged), of(ranked)


@pytest.mark.parametrize("given", ["dictionaries", "pandas", "Polars", "files", "states"])
def test_rankings_from_whatever_holds_them(given: str, tmp_path: Any) -> None:
    judged, run = QRELS, RUN
    if given in ("pandas", "Polars"):
        judged, run = frames(given == "Polars")
    elif given == "files":
        judged, run = tmp_path / "qrels.txt", tmp_path / "mine.run"
        judged.write_text("".join(f"{q} 0 {d} {g}\n" for q, one in QRELS.items() for d, g in one.items()))
        run.write_text("".join(f"{q} Q0 {d} 1 {s} x\n" for q, one in RUN.items() for d, s in one.items()))
    elif given == "states":
        graded = [(q, d, g) for q, one in QRELS.items() for d, g in one.items()]
        scored = [(q, d, s) for q, one in RUN.items() for d, s in one.items()]
        judged = Judgments.from_arrays(*zip(*graded, strict=True))
        run = Run.from_arrays(*zip(*scored, strict=True))
    assert ec.mean_average_precision(judged, run) == pytest.approx(((1 / 2 + 2 / 3) / 2) / 2)
    assert ec.mean_reciprocal_rank(judged, run) == 0.25
    assert ec.precision_at(judged, run, k=2) == 0.25
    assert ec.evaluate(judged, run, ["nDCG@10"]).mean("nDCG@10") == ec.ndcg(judged, run, k=10)
    assert ec.read(judged, run).kind == "run + judgments" or given == "states"


def test_unsigned_ranks_from_0() -> None:
    ranked = pd.DataFrame({"query": "q1", "document": ["d1", "d2"], "rank": np.array([0, 1], np.uint8)})
    assert ec.mean_reciprocal_rank({"q1": {"d1": 1}}, ranked) == 1


class Printed:
    """Prints its name, as a measure of ir_measures does."""

    def __str__(self) -> str:
        return "nDCG(dcg='exp-log2')@10"


def test_an_evaluation_shows_its_means_and_takes_what_prints_its_name() -> None:
    judged = {**QRELS, "q3": {"a": 1}}
    found = ec.evaluate(judged, RUN, [Printed(), "RR"])
    assert found.mean("nDCG(dcg='exp-log2')@10") == ec.measure("nDCG(gain=exp)@10")(judged, RUN)
    assert repr(found).endswith(", RR 0.1667; 1 without a list")


def test_every_measure_is_a_function_of_the_library() -> None:
    for key, definition in ec.METRICS.items():
        function = getattr(ec, key)
        assert function.__doc__.startswith(definition.name)
        assert "Parameters" in function.__doc__
    assert {*ec.__all__} <= {*dir(ec)}
    for name in ec.__all__:
        assert getattr(ec, name).__doc__, name


def test_names_of_scikit_learn_lead_to_ours() -> None:
    with pytest.raises(AttributeError, match=r"use evalcore\.roc_auc\(truth, scores\)"):
        ec.roc_auc_score  # noqa: B018
    with pytest.raises(AttributeError, match="no attribute 'rocauc'"):
        ec.rocauc  # noqa: B018
    for name, ours in ec._ELSEWHERE.items():
        assert hasattr(metrics, name) or name == "calibration_curve" or len(name) < 5, name
        measure, function = re.match(r"measure\('(\w+)'\)|(\w+)", ours).groups()
        assert callable(ec.measure(measure) if measure else getattr(ec, function)), ours


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    """One of them would be lost without a word."""
    for folder in "ab":
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "rows.csv").write_text("actual,score\n1,0.9\n0,0.1\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r'Two files are named "rows\.csv"'):
        ec.read(tmp_path / "a" / "rows.csv", tmp_path / "b" / "rows.csv")
