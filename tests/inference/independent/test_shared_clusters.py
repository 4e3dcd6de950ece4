"""Two samples with rows of the same patients: what is taken off is the covariance that whole patients show."""

import numpy as np
import pandas as pd
import pytest

from evalcore import METRICS, find
from evalcore.analyses import Source, compare_samples, group_columns, group_of
from evalcore.classification import ConfusionCounts, ConfusionMatrix, ScoredLabels, average_precision, roc_auc
from evalcore.inference import (
    compare_independent_auc,
    correlation_of_counts,
    correlation_of_matrices,
    correlation_of_scores,
    independent_score_differences,
)
from evalcore.readers import DataSet, roles_of
from tests.words import sentence_with


def patients(seed: int = 3, count: int = 40):
    """Rows of two visits: labels, scores, patients, visit."""
    random = np.random.default_rng(seed)
    codes, visit = np.repeat(np.arange(count), 6), np.tile([0, 0, 0, 1, 1, 1], count)
    labels = random.random(len(codes)) < 0.5
    scores = random.normal(size=count)[codes] + random.normal(size=len(codes)) / 2 + labels
    return labels, scores, codes, visit


def halves(make):
    labels, scores, codes, visit = patients()
    return [make(labels[visit == k], scores[visit == k], codes[visit == k]) for k in (0, 1)]


def drawn_correlation(measure, make, resamples: int = 400) -> float:
    """Of the values in resamples of the patients, each drawn with the rows of both visits."""
    labels, scores, codes, visit = patients()
    random, values = np.random.default_rng(8), []
    rows = [np.flatnonzero(codes == code) for code in range(codes.max() + 1)]
    for _ in range(resamples):
        drawn = np.concatenate([rows[code] for code in random.integers(0, len(rows), len(rows))])
        parts = [drawn[visit[drawn] == k] for k in (0, 1)]
        values.append([float(measure(make(labels[part], scores[part], codes[part]))) for part in parts])
    return float(np.corrcoef(np.transpose(values))[0, 1])


def counts(labels, scores, codes):
    return ConfusionCounts.from_labels(labels, scores > 0.5, True, clusters=codes)


def test_correlations_are_those_of_resampled_patients() -> None:
    for name in ("recall", "F1"):
        expected = drawn_correlation(find(name), counts)
        assert correlation_of_counts(find(name), *halves(counts)) == pytest.approx(expected, abs=0.1)
        assert expected > 0.3

    def scored(labels, scores, codes):
        return ScoredLabels.from_arrays(labels, scores, clusters=codes)

    expected = drawn_correlation(average_precision, scored, 200)
    assert correlation_of_scores(METRICS["average_precision"], *halves(scored)) == pytest.approx(expected, abs=0.15)
    (test,) = independent_score_differences(
        [find("AUC")], *halves(scored), alike=lambda measure: correlation_of_scores(measure, *halves(scored))
    )
    known = compare_independent_auc(*halves(scored), shared=True)
    assert test.p_value == pytest.approx(known.p_value, rel=0.1)
    assert roc_auc(halves(scored)[1]) - roc_auc(halves(scored)[0]) == pytest.approx(test.estimate)

    def matrix(labels, scores, codes):
        return ConfusionMatrix.from_labels(labels * 1, (scores > 0.5) * 1, range(2), clusters=codes)

    of_table = correlation_of_matrices(find("overall accuracy"), *halves(matrix))
    assert of_table == pytest.approx(correlation_of_counts(find("accuracy"), *halves(counts)), abs=0.02)


@pytest.mark.parametrize("family", ["score", "predicted"])
def test_groups_of_the_same_patients_are_compared_as_such(family: str) -> None:
    """Two eyes of each patient, nearly alike: what the eyes have in common tells nothing of their difference."""
    random, n = np.random.default_rng(1), 120
    labels, both = random.random(n) < 0.5, random.normal(size=n)
    frame = pd.DataFrame({"actual": np.tile(labels, 2) * 1, "eye": np.repeat(["left", "right"], n)})
    values = np.tile(both + labels, 2) + random.normal(size=2 * n) / 10
    frame[family], frame["patient"] = values if family == "score" else (values > 0.5) * 1, np.tile(np.arange(n), 2)
    widths, notes = [], []
    for cluster in ({}, {"cluster": "patient"}):
        of_system = {family: (family,)} if family == "score" else {"predicted": ("predicted",)}
        source = Source.of(DataSet.of(frame, roles=roles_of(actual="actual", **of_system, positive=1, **cluster)))
        groups = [group_of(source, one) for one in group_columns(source)["eye"].values()]
        compared = compare_samples(*groups, measure=METRICS["f_beta"])
        shown = compared.differences([METRICS[key] for key in ("recall", "f_beta", "negative_likelihood_ratio")])
        widths.append([float(np.log(one.high / one.low) if one.low > 0 else one.high - one.low) for one in shown])
        notes.append(compared.note)
    assert all(own < 0.7 * apart for apart, own in zip(*widths, strict=True))
    assert sentence_with(notes[1], "120", "intervals")
    assert notes[1].startswith("Compared as two samples")
    assert notes[0].startswith("Compared as independent samples")
    assert "in both" not in notes[0]
