"""Several labels of rows that belong together: copies of a row sharpen nothing, and tests are those of loops."""

import numpy as np
import pandas as pd
import pytest

from evalcore.analyses import LabelTable, Source, compare_label_systems
from evalcore.classification import LabelScores, LabelSets
from evalcore.inference import bootstrap_label_measures, label_ranking_differences, label_set_differences
from evalcore.readers import DataSet, roles_of
from tests.words import sentence_with

CLASSES = ("a", "b", "c")


def labelled(seed: int = 1, rows: int = 90):
    random = np.random.default_rng(seed)
    truth = random.random((rows, 3)) < 0.4
    scores = [truth + random.normal(size=(rows, 3)) for _ in "ab"]
    return truth, *scores, random.integers(0, 4, rows) / 2


def state(truth, scores, times: int = 1, weights=None, alone: bool = False) -> LabelScores:
    columns = [tuple(np.repeat(values, times, axis=0).T) for values in (truth, scores)]
    rows = np.repeat(np.arange(len(truth)), times)
    return LabelScores(CLASSES, *columns, None if weights is None else weights[rows], None if alone else rows)


@pytest.mark.parametrize("weighted", [False, True])
def test_copies_of_rows_leave_the_intervals_as_wide_as_they_were(weighted: bool) -> None:
    truth, a, _, weights = labelled()
    weights = weights if weighted else None
    each, copies = (state(truth, a, times, weights) for times in (1, 4))
    for of in (lambda scores: scores, lambda scores: scores.at(0.5)):
        single, many = (bootstrap_label_measures(of(one)) for one in (each, copies))
        for key, interval in single.items():
            # The same clusters are drawn, whatever the number of their rows.
            assert many[key].ends == pytest.approx(interval.ends)
            assert interval.clusters == (90 if weights is None else np.count_nonzero(weights)) or "samples" in key
        rows = bootstrap_label_measures(of(state(truth, a, 4, weights, alone=True)))
        assert all(rows[key].high - rows[key].low < one.high - one.low for key, one in many.items())


def test_differences_of_copies_are_no_surer() -> None:
    truth, a, b, _ = labelled()
    for differences, of in (
        (label_ranking_differences, lambda scores: scores),
        (label_set_differences, lambda scores: scores.at(0.5)),
    ):
        single, many, alone = (
            differences(of(state(truth, a, times, alone=alone)), of(state(truth, b, times, alone=alone)))
            for times, alone in ((1, False), (4, False), (4, True))
        )
        for key, one in single.items():
            assert many[key].p_value == pytest.approx(one.p_value)
            assert many[key].estimate == pytest.approx(one.estimate)
            assert alone[key].p_value <= one.p_value
            assert "cluster" in many[key].method


def test_a_difference_of_rankings_is_tested_as_a_loop_over_clusters_has_it() -> None:
    truth, a, b, _ = labelled()
    clusters = np.arange(90) % 12
    one, two = (LabelScores(CLASSES, tuple(truth.T), tuple(x.T), None, clusters) for x in (a, b))
    test = label_ranking_differences(one, two)["label_ranking_loss"]
    differences = two.ranks.loss - one.ranks.loss
    sums = [sum(float(d - differences.mean()) for d in differences[clusters == code]) for code in range(12)]
    assert test.statistic == pytest.approx(differences.mean() / (sum(x * x for x in sums) * 12 / 11) ** 0.5 * 90)


def test_each_label_and_the_page_take_whole_patients() -> None:
    truth, a, _, _ = labelled()
    rows = np.repeat(np.arange(90), 3)
    columns = {f"true_{name}": truth[rows, i].astype(int) for i, name in enumerate(CLASSES)}
    columns |= {f"m_{name}": a[rows, i] for i, name in enumerate(CLASSES)}
    frame = pd.DataFrame(columns).assign(patient=rows)
    true, scored = ([f"{part}_{name}" for name in CLASSES] for part in ("true", "m"))
    roles = roles_of(true_labels=tuple(true), label_score=tuple(scored), cluster="patient")
    source = Source.of(DataSet.of(frame, roles=roles))
    table = LabelTable.of(source, [0.5] * 3)
    counts = table.sets.one_vs_rest()
    for index, name in enumerate(CLASSES):
        scored_label = source.dataset.scored(name)
        np.testing.assert_array_equal(counts[index].clusters.cells, scored_label.counts_at(0.5).clusters.cells)
        assert scored_label.clusters == 90
    predicted = pd.DataFrame({f"guess_{name}": (a[rows, i] > 0.5).astype(int) for i, name in enumerate(CLASSES)})
    roles = roles_of(true_labels=tuple(true), predicted_labels=tuple(predicted), cluster="patient")
    matrix = DataSet.of(frame.join(predicted), roles=roles).matrix("a")
    np.testing.assert_array_equal(matrix.counts, [[counts.tn[0], counts.fp[0]], [counts.fn[0], counts.tp[0]]])
    assert matrix.one_vs_rest()[1].clusters.cells.tolist() == counts[0].clusters.cells.tolist()


def test_a_comparison_says_that_patients_are_resampled() -> None:
    frame = {"truth": ["a|b", "b"] * 20, "model1": ["a", "a|b"] * 20, "model2": ["b|a", "b"] * 20}
    frame = pd.DataFrame(frame).assign(patient=np.arange(40) // 2)
    roles = roles_of(true_labels=("truth",), predicted_labels=("model1",), cluster="patient")
    comparison = compare_label_systems(Source.of(DataSet.of(frame, roles=roles)), "model1", "model2")
    assert sentence_with(comparison.note, "bootstrap of the patients")
    assert all(one.test.interval.clusters == 20 or np.isnan(one.low) for one in comparison.differences)


def test_label_sets_built_by_hand_have_no_clusters() -> None:
    assert LabelSets.from_indicators([[1, 0]], [[1, 1]]).one_vs_rest()[0].clusters is None
