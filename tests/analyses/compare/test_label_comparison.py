"""Two systems that give labels to the same rows: the same rows, the same labels, and what the verdict may say."""

import numpy as np
import pandas as pd
import pytest

from evalcore.analyses import LabelThresholds, Source, compare_label_systems
from evalcore.classification import LabelScores, LabelSets
from evalcore.inference import MICRO_F1, label_ranking_differences, label_set_differences, mcnemar, paired_t
from evalcore.readers import DataSet

LABELS = "abc"


def table(n: int = 400) -> pd.DataFrame:
    random = np.random.default_rng(5)
    columns = {f"y_{label}": (random.random(n) < 0.4).astype(int) for label in LABELS}
    for system, noise in (("good", 0.5), ("bad", 0.8)):
        for label in LABELS:
            columns[f"{system}_{label}"] = (1 - noise) * columns[f"y_{label}"] + noise * random.random(n)
    return pd.DataFrame(columns)


def arrays(frame: pd.DataFrame, system: str) -> np.ndarray:
    return frame[[f"{system}_{label}" for label in LABELS]].to_numpy()


def test_each_measure_has_its_paired_test() -> None:
    frame = table()
    truth, a, b = (arrays(frame, system) for system in ("y", "bad", "good"))
    of_a, of_b = (LabelScores.from_arrays(truth, scores) for scores in (a, b))
    tests = label_ranking_differences(of_a, of_b)
    expected = paired_t(of_a.ranks.loss, of_b.ranks.loss)
    loss = tests["label_ranking_loss"]
    assert (loss.estimate, loss.p_value) == pytest.approx((expected.estimate, expected.p_value))
    assert (loss.interval.low, loss.interval.high) == pytest.approx((expected.interval.low, expected.interval.high))
    sets = label_set_differences(of_a.at(0.5), of_b.at(0.5))
    right = [((scores >= 0.5) == truth).all(axis=1) for scores in (a, b)]
    assert sets["subset_accuracy"].p_value == mcnemar(*right).p_value
    for key, of_row in (("hamming_loss", [((scores >= 0.5) != truth).mean(axis=1) for scores in (a, b)]),):
        mean = paired_t(*of_row)
        assert sets[key].estimate == pytest.approx(mean.estimate)
        assert sets[key].interval.low == pytest.approx(mean.interval.low, abs=0.005)
        assert sets[key].interval.high == pytest.approx(mean.interval.high, abs=0.005)
    assert sets[MICRO_F1].interval.low < sets[MICRO_F1].estimate < sets[MICRO_F1].interval.high


def test_a_row_of_weight_two_is_the_row_twice() -> None:
    frame = table(50)
    truth, a, b = (arrays(frame, system) for system in ("y", "bad", "good"))
    weights = np.arange(50) % 3
    twice = np.repeat(np.arange(50), weights)
    weighted, repeated = (
        label_ranking_differences(*(LabelScores.from_arrays(truth[rows], one[rows], weights=w) for one in (a, b)))
        for rows, w in ((slice(None), weights), (twice, None))
    )
    for key, one in weighted.items():
        assert (one.estimate, one.p_value) == pytest.approx((repeated[key].estimate, repeated[key].p_value)), key


def test_systems_that_are_alike_do_not_differ() -> None:
    truth = np.eye(3, dtype=bool)
    sets = LabelSets.from_indicators(truth, truth)
    assert {test.estimate for test in label_set_differences(sets, sets).values()} == {0.0}


def test_only_rows_that_both_systems_have_are_compared() -> None:
    frame = table()
    frame.loc[:99, "good_a"] = np.nan
    comparison = compare_label_systems(Source.of(DataSet.of(frame)), "bad", "good")
    assert [sets.rows for sets in comparison.sets] == [300, 300]
    assert "Compared on 300 rows" in comparison.note
    rest = compare_label_systems(Source.of(DataSet.of(frame[100:].reset_index(drop=True))), "bad", "good")
    assert comparison.table["difference"] == pytest.approx(rest.table["difference"])
    assert comparison.verdict.startswith("**good is better by label-ranking average precision: +0.1")


def test_sets_with_other_labels_are_compared_on_all_of_them() -> None:
    frame = pd.DataFrame({"truth": ["a|b", "b"] * 20, "one": ["a|x", "a|b"] * 20, "two": ["b|a", "b"] * 20})
    comparison = compare_label_systems(Source.of(DataSet.of(frame)), "one", "two")
    assert {sets.classes for sets in comparison.sets} == {("a", "b", "x")}
    values = dict(zip(comparison.table["measure"], comparison.table["value of A"], strict=True))
    assert values["Hamming loss"] == pytest.approx(3 / 6)


def test_no_yes_where_another_measure_falls() -> None:
    """A threshold that gives every label finds more of them, and no row is exactly right."""
    frame = table()
    source = Source.of(DataSet.of(frame))
    thresholds = tuple(LabelThresholds().at(source, label) for label in LABELS)
    comparison = compare_label_systems(source, "bad", "good", thresholds=(thresholds, (-1.0,) * 3))
    assert comparison.verdict.startswith(
        "**No clear winner: good is better by label-ranking average precision, but worse by"
    )
