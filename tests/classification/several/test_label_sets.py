"""Several labels per row: by their definitions, by scikit-learn, and whatever holds for every measure of them."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as peer

from evalcore import METRICS, MetricDef
from evalcore.classification import (
    LabelScores,
    LabelSets,
    averages,
    f_beta,
    jaccard,
    macro_f1,
    macro_precision,
    macro_recall,
    precision,
    recall,
    samples_average,
)
from evalcore.numeric import BLOCK
from tests.classification.definitions import value_or_nan
from tests.classification.label_definitions import OF_LABELS, LabelledRow
from tests.classification.small_inputs import halves, thorough
from tests.registry.families import of_all, of_family

MEASURES = [*of_family("label sets"), *of_family("label scores")]
each_measure = pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.key)
COUNTED = {"precision": precision, "recall": recall, "f1": f_beta, "jaccard": jaccard}


@st.composite
def labelled_rows(draw) -> tuple[int, list[LabelledRow]]:
    """Rows of up to four labels with tied scores, empty sets and full ones among them."""
    k = draw(st.integers(1, 4))
    truth = st.frozensets(st.integers(0, k - 1))
    scores = st.lists(halves.map(lambda value: value / 3), min_size=k, max_size=k)
    return k, draw(st.lists(st.tuples(truth, scores, halves), max_size=6))


def scores_of(k: int, rows: list[LabelledRow]) -> LabelScores:
    truth = np.array([[label in true for label in range(k)] for true, _, _ in rows], dtype=bool).reshape(-1, k)
    scores = np.array([[float(score) for score in scores] for _, scores, _ in rows]).reshape(-1, k)
    return LabelScores.from_arrays(truth, scores, weights=[float(weight) for _, _, weight in rows])


def value(measure: MetricDef, scores: LabelScores, threshold: float = 0.5) -> float:
    return measure(scores if measure.family == "label scores" else scores.at(threshold))


def drawn(rows: int, k: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Indicators with some empty and some full rows, and scores with ties."""
    random = np.random.default_rng(seed)
    truth = random.random((rows, k)) < random.random((rows, 1))
    return truth, random.integers(0, 6, (rows, k)) / 5


@thorough
@given(sample=labelled_rows())
@of_all(MEASURES)
def test_it_is_what_its_definition_says(measure: MetricDef, sample) -> None:
    k, rows = sample
    expected = value_or_nan(OF_LABELS[measure.key], rows)
    assert value(measure, scores_of(k, rows)) == pytest.approx(expected, abs=1e-12, nan_ok=True)


@st.composite
def edges(draw) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Indicators, scores and weights: labels never or always true, rows with no label or all, scores that are tied."""
    rows, k = draw(st.integers(1, 8)), draw(st.integers(1, 5))
    truth = np.array(draw(st.lists(st.booleans(), min_size=rows * k, max_size=rows * k))).reshape(rows, k)
    for axis, length in ((1, k), (0, rows)):
        for index, constant in enumerate(draw(st.lists(st.sampled_from([None, None, False, True]), max_size=length))):
            if constant is not None:
                truth[(slice(None), index) if axis else index] = constant
    levels = draw(st.sampled_from([[0.5], [0.25, 0.5], [0.0, 0.25, 0.5, 0.75, 1.0]]))
    scores = np.array(draw(st.lists(st.sampled_from(levels), min_size=rows * k, max_size=rows * k))).reshape(rows, k)
    weights = draw(st.none() | st.lists(st.sampled_from([0.5, 1.0, 2.5]), min_size=rows, max_size=rows))
    return truth, scores, None if weights is None else np.array(weights)


def with_an_empty_label(*columns: np.ndarray) -> list[np.ndarray]:
    """The same labels and one that nobody has, because scikit-learn takes one column for a single class."""
    return [np.pad(values, ((0, 0), (0, 1))) for values in columns]


@thorough
@given(sample=edges())
def test_the_rankings_are_those_of_scikit_learn(sample) -> None:
    truth, scores, weights = sample
    state = LabelScores.from_arrays(truth, scores, weights=weights)
    for key, theirs in (
        ("label_ranking_average_precision", peer.label_ranking_average_precision_score),
        ("coverage_error", peer.coverage_error),
        ("label_ranking_loss", peer.label_ranking_loss),
    ):
        if truth.shape[1] > 1 or key == "label_ranking_average_precision":
            expected = theirs(truth.astype(int), scores, sample_weight=weights)
            assert METRICS[key](state) == pytest.approx(expected, abs=1e-12), key


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@thorough
@given(sample=edges(), thresholds=st.lists(st.sampled_from([0.0, 0.5, 0.75, 1.5]), min_size=5, max_size=5))
def test_the_sets_and_their_averages_are_those_of_scikit_learn(sample, thresholds: list[float]) -> None:
    truth, scores, weights = sample
    k, more = truth.shape[1], {"sample_weight": weights}
    predicted = scores >= np.array(thresholds[:k])
    sets = LabelScores.from_arrays(truth, scores, weights=weights).at(thresholds[:k])
    padded = with_an_empty_label(truth, predicted)
    loss = peer.hamming_loss(*padded, **more) * (k + 1) / k
    assert METRICS["hamming_loss"](sets) == pytest.approx(loss, abs=1e-12)
    assert METRICS["subset_accuracy"](sets) == pytest.approx(peer.accuracy_score(*padded, **more), abs=1e-12)
    counts = peer.multilabel_confusion_matrix(*padded, **more)[:k]
    own = sets.one_vs_rest()
    assert np.stack([own.tn, own.fp, own.fn, own.tp], axis=-1).reshape(k, 2, 2) == pytest.approx(counts, abs=1e-12)
    for way in ("micro", "macro", "weighted", "samples"):
        *three, _ = peer.precision_recall_fscore_support(
            *padded, labels=range(k), average=way, zero_division=np.nan, **more
        )
        for (name, measure), expected in zip(COUNTED.items(), three, strict=False):
            value = samples_average(sets, measure) if way == "samples" else getattr(averages(sets, measure), way)
            if way == "weighted" and not own.actual_positives[~np.isnan(measure(own))].any():
                expected = math.nan  # where no label has support, scikit-learn gives all of them the same weight
            assert value == pytest.approx(expected, abs=1e-12, nan_ok=True), (way, name)
    some = (truth | predicted).any(axis=1)  # scikit-learn takes a row without any label for 0 or 1
    if some.any():
        rows = [values[some] for values in padded]
        theirs = peer.jaccard_score(*rows, average="samples", sample_weight=None if weights is None else weights[some])
        assert samples_average(sets, jaccard) == pytest.approx(theirs, abs=1e-12)


def test_the_macro_averages_take_sets_of_labels_as_they_take_classes() -> None:
    truth, scores = drawn(50, 5)
    sets = LabelSets.from_indicators(truth, scores >= 0.5)
    for macro, measure in ((macro_recall, recall), (macro_precision, precision), (macro_f1, f_beta)):
        assert macro(sets) == averages(sets, measure).macro


@each_measure
def test_perfect_predictions_give_the_best_value(measure: MetricDef) -> None:
    truth, _ = drawn(60, 4)
    if measure.best is not None:
        assert value(measure, LabelScores.from_arrays(truth, truth * 1.0)) == measure.best


@each_measure
def test_values_stay_in_their_range_and_are_undefined_without_rows(measure: MetricDef) -> None:
    for seed in range(50):
        result = value(measure, LabelScores.from_arrays(*drawn(5, 3, seed)))
        assert isinstance(result, float)
        assert math.isnan(result) or measure.lowest <= result <= measure.highest
    assert math.isnan(value(measure, LabelScores.from_arrays(np.empty((0, 2)), np.empty((0, 2)))))
    assert measure.undefined_when


@each_measure
def test_a_weight_of_two_is_the_row_twice_and_neither_order_matters(measure: MetricDef) -> None:
    truth, scores = drawn(40, 4)
    weights = np.arange(40) % 3
    expected = value(measure, LabelScores.from_arrays(truth, scores, weights=weights))
    again = np.repeat(np.arange(40), weights)[::-1]
    turned = LabelScores.from_arrays(truth[again][:, ::-1], scores[again][:, ::-1])
    assert value(measure, turned) == pytest.approx(expected, rel=1e-12)


def test_weights_leave_nothing_where_no_row_is() -> None:
    sets = LabelSets.from_indicators([[1], [0], [1]], [[0], [1], [1]], weights=[0.7, 0.1, 0.3])
    assert sets.one_vs_rest().tn == 0


def test_many_rows_are_ranked_block_by_block() -> None:
    truth, scores = drawn(BLOCK + 100, 3)
    state = LabelScores.from_arrays(truth, scores)
    last = LabelScores.from_arrays(truth[-150:], scores[-150:])
    for name in ("precision", "coverage", "loss"):
        assert (getattr(state.ranks, name)[-150:] == getattr(last.ranks, name)).all()


def test_thousands_of_labels_cost_what_the_rows_have() -> None:
    k = 100_000
    pairs = np.arange(0, 50 * k, k + 1)  # row i has label i
    sets = LabelSets(tuple(map(str, range(k))), 50, pairs, pairs[:25])
    assert METRICS["subset_accuracy"](sets) == 0.5
    assert METRICS["hamming_loss"](sets) == pytest.approx(25 / (50 * k))
    assert sets.one_vs_rest().tp.sum() == 25


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: LabelSets.from_indicators([[1, 0]], [[1, 0, 0]]), r"actual is \(1, 2\) and predicted \(1, 3\)"),
        (lambda: LabelSets.from_indicators([[1, 0]], [[1, 0]], "abc"), "3 names for 2 labels"),
        (lambda: LabelScores.from_arrays([[1, 0]], [[1]]), r"actual is \(1, 2\) and scores \(1, 1\)"),
        (lambda: LabelScores.from_arrays([[1, 0]], [[1, np.nan]]), "scores"),
        (lambda: LabelScores.from_arrays([[1, 0]], [[1, 0]], "a"), "1 names for 2 labels"),
        (lambda: LabelSets.from_indicators([[1]], [[1]], weights=[-1]), "weight"),
    ],
)
def test_bad_arrays_are_refused_with_a_sentence(make, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        make()
