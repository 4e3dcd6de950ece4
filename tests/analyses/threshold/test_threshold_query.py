"""What is typed at the line: a threshold, a target of a measure, or how many rows to flag."""

import pytest

from evalcore.analyses import UnclearThreshold, threshold_meant
from tests.analyses.small_scores import scores_of, small_scores
from tests.words import facts, sentence_with

TWENTY = scores_of("roc_20")
INF = float("inf")
THIN = "\u202f"


@pytest.mark.parametrize(
    ("typed", "threshold"),
    [
        ("0.62", 0.62), ("0,62", 0.62), (" −3 ", -3), ("1e3", 1000), ("∞", INF), ("-inf", -INF), (".5", 0.5),
        ("recall = 0.9", 0.34), ("recall 90 %", 0.34), ("RECALL ≥ 0.85", 0.34), ("sensitivity >= 1", 0.3),
        ("specificity <= 0", 0.1), ("flag 3", 0.7), ("flag 15%", 0.7), ("flag 0", INF), ("precision = 1", 0.8),
        ("F2 at", None), ("beauty = 3", None), ("", None), ("recall", None), ("recall = 2", None), ("flag -1", None),
        ("AUC = 0.9", None), ("precision ≥ 0.99 please", None), ("1 2 3 four", None), ("recall = nan", None),
    ],
)  # fmt: skip
def test_what_can_be_typed(typed, threshold) -> None:
    if threshold is None:
        with pytest.raises(UnclearThreshold, match=r"\w"):
            threshold_meant(TWENTY, typed)
    else:
        assert threshold_meant(TWENTY, typed) == threshold


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("recall = 9", f"mean 9{THIN}%"),
        ("beauty = 3", "called “beauty”"),
        ("AUC = 0.9", "Area under"),
        ("", "0.9, precision ≥ 95"),
    ],
)
def test_what_is_unclear_is_answered_with_a_sentence(typed, answer) -> None:
    with pytest.raises(UnclearThreshold) as told:
        threshold_meant(TWENTY, typed)
    assert sentence_with(str(told.value), answer)


def test_a_target_out_of_reach_says_how_near_it_gets() -> None:
    scores = small_scores([0, 1, 0, 1], [0.9, 0.8, 0.2, 0.1])
    with pytest.raises(UnclearThreshold) as told:
        threshold_meant(scores, "precision >= 95 %")
    assert facts(str(told.value)) == "95.0% 50.0% 0.8"
