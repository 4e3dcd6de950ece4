"""Goals that rule in or out, beside what the rows bear out."""

import pytest

from evalcore.analyses import Scores, Source, best_threshold
from evalcore.classification import rule_in_goal, rule_out_goal, youden_goal
from evalcore.readers import read_sample
from tests.words import sentence_with


@pytest.mark.parametrize(("goal", "share", "words"), [
    (rule_out_goal(npv=0.8), None, "NPV is 100.0 % (20.7"),
    (rule_out_goal(sensitivity=0.95), 0.5, "a prevalence of 50.0"),
    (rule_out_goal(npv=0.8), 0.1, "a prevalence of 10.0"),
    (youden_goal(), None, ""),
])  # fmt: skip
def test_goals_that_rule_in_or_out_say_where_the_rows_do_not_bear_them_out(goal, share, words) -> None:
    chosen = best_threshold(Scores.of(Source.of(read_sample("roc_20")), "score"), goal)
    verdict = chosen.verdict(share=share).replace("\u202f", " ")
    assert words in verdict
    assert ("in this sample alone" in verdict) == bool(words)


def test_a_goal_agrees_with_the_ruling_where_there_are_rows_enough() -> None:
    scores = Scores.of(Source.of(read_sample("breast_cancer")), "logistic_regression")
    agreed = best_threshold(scores, rule_out_goal(npv=0.8)).verdict().replace("\u202f", " ")
    assert sentence_with(agreed, "It rules out", "92.7 %", "89.7", "94.9 %", "80 %")
    assert "The goal goes by" not in agreed
    moved = best_threshold(scores, rule_in_goal(specificity_of=0.95)).verdict(share=0.01).replace("\u202f", " ")
    assert sentence_with(moved, "1.0%", "18.9%", "12.6", "27.7%", "90%")
