"""What a factor on the odds changes: the counts of the changed probabilities, and nothing of the curve."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.analyses import ClassWeights, Scores, Source, weight_steps
from evalcore.classification import ScoredLabels, equivalent_threshold, precision, recall, reweighted, roc_auc
from evalcore.readers import ReadProblem, read_sample, read_table


def scores_of(csv: str) -> Scores:
    return Scores.of(Source.of(read_table(csv.encode(), "table.csv")), "p")


@settings(max_examples=60)
@given(st.integers(1, 40), st.floats(0.01, 100))
def test_counting_rows_several_times_multiplies_the_odds(positives: int, times: float) -> None:
    # of 40 rows with one score so many are positive; the share of positives after each counts `times` times
    share, repeated = positives / 40, positives * times / (positives * times + 40 - positives)
    assert float(reweighted(share, times)) == pytest.approx(repeated)
    assert (repeated >= 0.5) == (share >= equivalent_threshold(times)) or repeated == pytest.approx(0.5)


@pytest.mark.parametrize("times", [0.2, 1.0, 28.0])
def test_the_counts_are_those_of_the_changed_probabilities(times: float) -> None:
    scores = Scores.of(Source.of(read_sample("rare_digit")), "as_they_are")
    weights = ClassWeights(scores, times)
    table = weights.probabilities[1]
    changed = ScoredLabels.from_arrays(table.actual == 1, table.probabilities[:, 1])
    for cell in ("tp", "fp", "fn", "tn"):
        assert float(getattr(weights.after, cell)) == float(getattr(changed.counts_at(0.5), cell))
    assert weights.columns["roc_auc"] == pytest.approx([float(roc_auc(changed))] * 2)
    assert weights.columns["stated"][1] == pytest.approx(table.probabilities[:, 1].mean())


def test_models_that_were_trained_with_the_remedies_differ_at_one_half_and_not_by_their_curve() -> None:
    data = read_sample("rare_digit")
    scored = {system: data.scored(system) for system in data.systems}
    assert {name: int(one.counts_at(0.5).tp) for name, one in scored.items()} == {
        "as_they_are": 29, "oversampled": 48, "undersampled": 52, "cost_sensitive": 48
    }  # fmt: skip
    assert np.ptp([float(roc_auc(one)) for one in scored.values()]) < 0.005
    predicted = ClassWeights(Scores.of(Source.of(data), "as_they_are"), weight_steps_of(data)).after
    trained = scored["cost_sensitive"].counts_at(0.5)
    assert float(recall(predicted)) == pytest.approx(float(recall(trained)), abs=0.1)
    assert float(precision(predicted)) < 0.5 < float(precision(scored["as_they_are"].counts_at(0.5)))


def weight_steps_of(data) -> float:
    steps, balanced = weight_steps(Scores.of(Source.of(data), "as_they_are"))
    assert balanced in steps
    return balanced


def test_the_words_on_the_page() -> None:
    scores = Scores.of(Source.of(read_sample("rare_digit")), "as_they_are")
    text = ClassWeights(scores, 28.0).verdict
    assert "0.0344828 on the old scale" in text
    assert "recall goes from 50.0\u202f% to 89.7\u202f%" in text
    assert ClassWeights(scores, 1.0).verdict.startswith("**Nothing is changed")
    heads, rows = ClassWeights(scores, 28.0).table
    assert heads[2] == "each positive ×28"
    assert len(rows) == 11


def test_lower_scores_that_are_positive_and_scores_that_are_no_probabilities() -> None:
    scores = scores_of("actual,p\n1,0.1\n1,0.4\n0,0.6\n0,0.9\n")
    turned = replace(scores, scored=ScoredLabels.from_arrays([1, 1, 0, 0], [0.1, 0.4, 0.6, 0.9], 1, None, False))
    assert float(ClassWeights(turned, 4.0).after.fp) == 1  # the odds of 0.6 are 2 : 3 for the positive class
    assert float(ClassWeights(turned, 1.0).after.fp) == 0
    with pytest.raises(ReadProblem, match="outside 0 … 1"):
        ClassWeights(scores_of("actual,p\n1,3.5\n0,0.6\n"), 2.0)
