"""The same numbers as scikit-learn, with ties, with weights, and where a class is absent."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as peer

from evalcore.classification import (
    ConfusionCounts,
    ConfusionMatrix,
    ScoredLabels,
    accuracy,
    average_precision,
    balanced_accuracy,
    cohen_kappa,
    f_beta,
    jaccard,
    matthews_correlation,
    negative_likelihood_ratio,
    partial_auc,
    positive_likelihood_ratio,
    precision,
    precision_recall_curve,
    recall,
    roc_auc,
    roc_curve,
)
from tests.classification.small_inputs import thorough


@st.composite
def samples(draw):
    """Labels of both classes, scores (many or few values) and weights (or none)."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(2, 300))
    labels = random.random(n) < draw(st.sampled_from([0.1, 0.5, 0.9]))
    labels[:2] = True, False
    values = draw(st.sampled_from([3, 20, 10_000]))
    weights = random.integers(1, 5, n) / 2 if draw(st.booleans()) else None
    return labels, random.integers(0, values, n) / 7, weights


@thorough
@given(sample=samples())
def test_curves(sample) -> None:
    labels, scores, weights = sample
    table = ScoredLabels.from_arrays(labels, scores, weights=weights).table()
    fpr, tpr, thresholds = peer.roc_curve(labels, scores, sample_weight=weights, drop_intermediate=False)
    curve = roc_curve(table)
    assert np.array_equal(curve.thresholds, thresholds)
    np.testing.assert_allclose(curve.fpr, fpr, rtol=1e-13)
    np.testing.assert_allclose(curve.tpr, tpr, rtol=1e-13)
    shares, recalls, cuts = peer.precision_recall_curve(labels, scores, sample_weight=weights)
    points = precision_recall_curve(table)
    # The peer's last point, recall 0 with precision 1, is one that nobody measured.
    assert np.array_equal(points.thresholds[::-1], cuts)
    np.testing.assert_allclose(points.precision[::-1], shares[:-1], rtol=1e-13)
    np.testing.assert_allclose(points.recall[::-1], recalls[:-1], rtol=1e-13)


@thorough
@given(sample=samples(), limit=st.sampled_from([0.05, 0.1, 0.5, 1]))
def test_areas(sample, limit: float) -> None:
    labels, scores, weights = sample
    scored = ScoredLabels.from_arrays(labels, scores, weights=weights)
    assert roc_auc(scored) == pytest.approx(peer.roc_auc_score(labels, scores, sample_weight=weights), rel=1e-12)
    assert average_precision(scored) == pytest.approx(
        peer.average_precision_score(labels, scores, sample_weight=weights), rel=1e-12
    )
    assert partial_auc(scored, 0, limit, corrected=True) == pytest.approx(
        peer.roc_auc_score(labels, scores, sample_weight=weights, max_fpr=limit), rel=1e-10
    )


@thorough
@given(sample=samples(), cut=st.sampled_from([0.5, 1.0, 2.0]))
def test_measures_of_counts(sample, cut: float) -> None:
    labels, scores, weights = sample
    predicted = scores >= cut
    counts = ConfusionCounts.from_labels(labels, predicted, True, weights)
    assert [[counts.tn, counts.fp], [counts.fn, counts.tp]] == peer.confusion_matrix(
        labels, predicted, sample_weight=weights, labels=[False, True]
    ).tolist()
    same = {
        accuracy: peer.accuracy_score,
        recall: peer.recall_score,
        balanced_accuracy: peer.balanced_accuracy_score,
        jaccard: peer.jaccard_score,
        f_beta: peer.f1_score,
    }
    if predicted.any():
        same[precision] = peer.precision_score
    if predicted.any() and not predicted.all():
        same |= {matthews_correlation: peer.matthews_corrcoef, cohen_kappa: kappa_of_peer}
    for measure, score in same.items():
        expected = score(labels, predicted, sample_weight=weights)
        assert float(measure(counts)) == pytest.approx(expected, rel=1e-12, abs=1e-14)
    for beta in (0.5, 2):
        expected = peer.fbeta_score(labels, predicted, beta=beta, sample_weight=weights)
        assert float(f_beta(counts, beta=beta)) == pytest.approx(expected, rel=1e-12)


def kappa_of_peer(labels, predicted, sample_weight):
    return peer.cohen_kappa_score(labels, predicted, sample_weight=sample_weight)


def test_likelihood_ratios() -> None:
    random = np.random.default_rng(4)
    labels, predicted = random.random(200) < 0.4, random.random(200) < 0.5
    counts = ConfusionCounts.from_labels(labels, predicted, True)
    expected = peer.class_likelihood_ratios(labels, predicted)
    assert float(positive_likelihood_ratio(counts)) == pytest.approx(expected[0], rel=1e-13)
    assert float(negative_likelihood_ratio(counts)) == pytest.approx(expected[1], rel=1e-13)


@thorough
@given(seed=st.integers(0, 2**32 - 1), weighted=st.booleans())
def test_several_classes(seed: int, weighted: bool) -> None:
    random = np.random.default_rng(seed)
    actual, predicted = random.choice(list("abcde"), size=(2, 60))
    weights = random.integers(1, 4, 60) / 2 if weighted else None
    matrix = ConfusionMatrix.from_labels(actual, predicted, weights=weights)
    expected = peer.confusion_matrix(actual, predicted, labels=list(matrix.classes), sample_weight=weights)
    assert matrix.counts.tolist() == expected.tolist()
    each = matrix.one_vs_rest()
    stacked = peer.multilabel_confusion_matrix(actual, predicted, labels=list(matrix.classes), sample_weight=weights)
    assert np.array_equal(np.array([[each.tn, each.fp], [each.fn, each.tp]]).transpose(2, 0, 1), stacked)
    per_class = peer.f1_score(
        actual, predicted, labels=list(matrix.classes), average=None, sample_weight=weights, zero_division=np.nan
    )
    np.testing.assert_allclose(f_beta(each), per_class, rtol=1e-13)
