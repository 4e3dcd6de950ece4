"""If costs are not known: what is said of the threshold is what its ROC curve says, on either direction of scores."""

from dataclasses import replace

import pytest

from evalcore import METRICS
from evalcore.analyses import CostSensitivity, NetBenefit, Scores, net_benefit_of
from evalcore.classification import Limit, cheapest_thresholds, youden_goal
from tests.analyses.small_scores import one_class, plain_text, small_scores
from tests.words import sentence_with

LABELS, SCORES = [1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.1]
INF = float("inf")


def costs(t: float, ratio: float = 1, share: float | None = None, scores: Scores | None = None) -> CostSensitivity:
    scores = scores or small_scores(LABELS, SCORES)
    share = scores.prevalence if share is None else share
    return CostSensitivity(scores, t, cheapest_thresholds(scores.table), ratio, share)


def said(*arguments, **settings) -> str:
    analysis = costs(*arguments, **settings)
    parts = (analysis.verdict, analysis.verdict_elsewhere, analysis.best_verdict, analysis.saving_verdict)
    return plain_text(" ".join(filter(None, parts)))


def test_a_corner_is_the_best_choice_for_a_range_of_ratios() -> None:
    assert sentence_with(said(0.6), "0.6", "0.5")
    assert sentence_with(said(0.9), "0.9", "0.5")
    assert sentence_with(said(INF), "0.9", "otherwise")
    assert sentence_with(said(-3), "-3", "0.6")


def test_where_positives_are_rarer_a_miss_has_to_cost_more() -> None:
    # 0.5 at odds of 3 : 2 is 0.5 × 1.5 × 9 at odds of 1 : 9.
    expected = "At a prevalence of 10.0%, ≥ 0.6 is the best choice if a miss costs more than 6.75 false alarms."
    assert expected in said(0.6, share=0.1)


def test_below_the_hull_it_says_what_is_better() -> None:
    assert sentence_with(said(0.7), "0.7", "0.6")
    # No fewer alarms at 0.9 make up for what it misses more, so only the better one is offered; no prevalence helps.
    assert costs(0.7).better == [2]
    assert costs(0.7, share=0.1).verdict_elsewhere == ""


def test_between_two_corners_one_of_them_is_always_cheaper() -> None:
    # Counted from the right: (0, 2), (1, 2 hits), (2, 3), (3, 3), (3, 6) of 6 and 6.
    scores = small_scores([1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 0, 0], list(range(12, 0, -1)))
    # From (0, 2) to (3, 6): (1, 3) lies below. Against the first 1 more alarm for 1 hit, to the second 2 for 3.
    assert sentence_with(said(9, scores=scores), "1", "11", "0.667", "4")


def test_a_perfect_threshold_is_the_best_choice_whatever_a_miss_costs() -> None:
    assert sentence_with(said(3, scores=small_scores([1, 1, 0, 0], [4, 3, 2, 1])), "whatever a miss costs")


def test_on_a_straight_piece_the_tie_is_said() -> None:
    expected = "only if a miss costs exactly 1 false alarm, and then it ties with calling nothing positive and"
    assert expected in said(0.9, scores=small_scores([1, 0, 1, 0], [0.9, 0.9, 0.1, 0.1]))


def test_the_ratio_has_its_cheapest_threshold() -> None:
    # One of three is missed nowhere at 0.6, where one of two is a false alarm: 1000 cases cost 400 × ½.
    expected = "At 4 : 1 and a prevalence of 60.0%, ≥ 0.6 is the cheapest: 1000 cases cost as much as 200 false alarms."
    assert expected in said(0.9, 4)
    # At 0.9 two of three are missed: 600 × ⅔ × 4.
    assert "The current threshold costs 1600." in said(0.9, 4)
    assert sentence_with(said(0.9, 4), "0.6", "87.5%")
    assert costs(0.9, 4).best == 2
    assert sentence_with(said(0.6, 4), "No other threshold")


def test_two_that_cost_the_same_are_both_named() -> None:
    expected = "≥ 0.9 is the cheapest: 1000 cases cost as much as 200 false alarms; ≥ 0.6 costs the same"
    assert expected in said(0.9, 0.5)


@pytest.mark.parametrize("t", [0.9, 0.7, 0.6, 0.1])
def test_where_lower_is_positive_the_same_is_said_the_other_way_round(t) -> None:
    turned = small_scores(LABELS, [-score for score in SCORES], higher_is_positive=False)
    expected = said(t, 3).replace("≥ ", "≤ −").replace("threshold is ", "threshold is −")
    assert said(-t, 3, scores=turned) == expected


def test_weights_count_as_so_many_rows() -> None:
    weighted = small_scores([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1], weights=[1, 3, 2, 1])
    # Three false alarms for two hits.
    assert "less than 1.5 false alarms" in said(0.9, scores=weighted)


@pytest.mark.parametrize(("label", "missing"), [(1, "negative"), (0, "positive")])
def test_one_class_alone_is_undefined_with_its_reason(label, missing) -> None:
    with pytest.raises(ValueError, match=f"There are no {missing} rows"):
        costs(0.5, 1, 0.5, one_class(label))


def test_equal_scores_leave_nothing_or_everything() -> None:
    assert sentence_with(said(5, 2, scores=small_scores([1, 0], [5, 5])), "everything positive")


# Net benefit

RISK_LABELS, RISKS = [1, 1, 0, 0, 0], [0.9, 0.4, 0.6, 0.3, 0.1]


def benefit(t: float = 0.5, ratio: float = 1, share: float | None = None, scores: Scores | None = None) -> NetBenefit:
    scores = scores or small_scores(RISK_LABELS, RISKS)
    return net_benefit_of(scores, t, ratio, scores.prevalence if share is None else share)


def test_at_your_costs() -> None:
    verdict = plain_text(benefit(ratio=4).verdict)
    assert sentence_with(verdict, "4", "20.0%", "1")
    # Cut at 0.2: two hits, two alarms, (2 − 2/4)/5. One of five is spared.
    assert sentence_with(verdict, "0.300", "20.0", "100")
    # Cut at 0.5: one hit, one alarm, (1 − 1/4)/5; (0.15 − 0.25)/0.25 of 100.
    assert sentence_with(verdict, "0.5", "0.150", "better", "40.0", "100")
    assert "treat all: 0.250; treat none: 0" in verdict


def test_scores_beyond_0_to_1_are_no_risks() -> None:
    analysis = benefit(5, scores=small_scores(RISK_LABELS, [10 * risk for risk in RISKS]))
    assert list(analysis.curves) == ["fixed threshold ≥ 5"]
    assert sentence_with(analysis.note, "only the fixed threshold")


def test_where_lower_is_positive_a_score_is_no_risk_of_it() -> None:
    turned = benefit(ratio=4, scores=small_scores(RISK_LABELS, [1 - risk for risk in RISKS], higher_is_positive=False))
    assert list(turned.curves) == ["fixed threshold ≤ 0.5"]
    assert "fixed threshold ≤ 0.5: net benefit 0.150" in plain_text(turned.verdict)


def test_at_another_prevalence() -> None:
    # Half of the positives are found, a third of the negatives alarm: 0.1 × ½ − 0.9 × ⅓ at even odds.
    assert "fixed threshold ≥ 0.5: net benefit −0.250" in plain_text(benefit(share=0.1).verdict)


@pytest.mark.parametrize("label", [1, 0])
def test_net_benefit_of_one_class_gives_what_can_be_known(label) -> None:
    verdict = benefit(share=0.5, scores=one_class(label)).verdict
    assert "net benefit" in verdict
    assert "undefined" in verdict


def test_a_cheapest_threshold_that_breaks_a_limit_says_so() -> None:
    """Where a miss costs little the cheapest threshold is 0.9, with recall 1/3 and precision 1."""
    recall, precision = (METRICS[key] for key in ("recall", "precision"))
    goal = youden_goal().within(Limit(recall, at_least=0.9), Limit(precision, at_least=0.5))
    strict, free = (replace(costs(0.6, ratio=0.1), goal=one) for one in (goal, youden_goal()))
    for one in (strict.saving_verdict, strict.best_verdict):
        assert "It breaks your limit** recall ≥ 0.90." in one
        assert "precision" not in one
    assert strict.saving_verdict.startswith(free.saving_verdict)
    assert "limit" not in free.best_verdict + replace(costs(0.6, ratio=10), goal=goal).best_verdict
