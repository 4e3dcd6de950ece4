"""The decision curve: what is said at the costs is a sum on paper, and scores are taken for what they are."""

import pytest

from evalcore.analyses import NetBenefit, Scores, net_benefit_of
from tests.analyses.small_scores import one_class, plain_text, small_scores

LABELS, SCORES = [1, 1, 0, 0, 0], [0.9, 0.4, 0.6, 0.3, 0.1]


def benefit(t: float = 0.5, ratio: float = 1, share: float | None = None, scores: Scores | None = None) -> NetBenefit:
    scores = scores or small_scores(LABELS, SCORES)
    return net_benefit_of(scores, t, ratio, scores.prevalence if share is None else share)


def test_at_your_costs() -> None:
    said = plain_text(benefit(ratio=4).verdict)
    assert "as much as 4 false alarms, act when the risk is at least 20.0% = 1 / (1 + 4)." in said
    # Cut at 0.2: two hits, two alarms, (2 − 2/4)/5. One of five is spared.
    assert "scores as risks: net benefit 0.300, 20.0 interventions avoided per 100" in said
    # Cut at 0.5: one hit, one alarm, (1 − 1/4)/5; (0.15 − 0.25)/0.25 of 100.
    assert "fixed threshold ≥ 0.5: net benefit 0.150; treating all is better by 40.0 interventions per 100" in said
    assert "treat all: 0.250; treat none: 0" in said


def test_scores_beyond_0_to_1_are_no_risks() -> None:
    analysis = benefit(5, scores=small_scores(LABELS, [10 * score for score in SCORES]))
    assert list(analysis.curves) == ["fixed threshold ≥ 5"]
    assert "no probabilities, so only the fixed threshold has a curve" in analysis.note


def test_where_lower_is_positive_a_score_is_no_risk_of_it() -> None:
    turned = benefit(ratio=4, scores=small_scores(LABELS, [1 - score for score in SCORES], higher_is_positive=False))
    assert list(turned.curves) == ["fixed threshold ≤ 0.5"]
    assert "fixed threshold ≤ 0.5: net benefit 0.150" in plain_text(turned.verdict)


def test_at_another_prevalence() -> None:
    # Half of the positives are found, a third of the negatives alarm: 0.1 × ½ − 0.9 × ⅓ at even odds.
    assert "fixed threshold ≥ 0.5: net benefit −0.250" in plain_text(benefit(share=0.1).verdict)


@pytest.mark.parametrize("label", [1, 0])
def test_one_class_alone_gives_what_can_be_known(label) -> None:
    said = benefit(share=0.5, scores=one_class(label)).verdict
    assert "net benefit" in said
    assert "undefined" in said
