"""The decision curve: what is said at the typed prices is a sum on paper, and scores are taken for what they are."""

import json

import pytest

from tests.pages.classify.threshold.price_panels import one_class, panels, table, words

LABELS, SCORES = [1, 1, 0, 0, 0], [0.9, 0.4, 0.6, 0.3, 0.1]


def decisions(**parameters: str):
    parameters.setdefault("data", table(LABELS, SCORES))
    return panels(panel="decisions", **parameters)


def names(test) -> list[str]:
    return [trace["name"] for trace in json.loads(test.get("plotly_chart")[0].proto.spec)["data"]]


def test_at_your_prices() -> None:
    said = words(decisions(t="0.5", miss_cost="4"))
    assert "as bad as 4 false alarms acts from a risk of 20.0%, which is 1 / (1 + 4)" in said
    # Cut at 0.2: two hits, two alarms, (2 − 2/4)/5. One of five is spared.
    assert "the scores cut at this risk: net benefit 0.300, 20.0 of 100 interventions avoided" in said
    # Cut at 0.5: one hit, one alarm, (1 − 1/4)/5; (0.15 − 0.25)/0.25 of 100.
    assert "cut at ≥ 0.5: net benefit 0.150; acting on everybody is better by 40.0 interventions of 100" in said
    assert "acting on everybody: 0.250; on nobody: 0" in said


def test_scores_beyond_0_to_1_are_no_risks() -> None:
    test = decisions(data=table(LABELS, [10 * score for score in SCORES]), t="5")
    assert names(test) == ["treat all", "treat none", "cut at ≥ 5"]
    assert "no probabilities, so only the present threshold has a line" in words(test)


def test_where_lower_is_positive_a_score_is_no_risk_of_it() -> None:
    turned = decisions(
        data=table(LABELS, [1 - score for score in SCORES], higher_is_positive=False), t="0.5", miss_cost="4"
    )
    assert names(turned)[2:] == ["cut at ≤ 0.5"]
    assert "cut at ≤ 0.5: net benefit 0.150" in words(turned)


def test_at_another_prevalence() -> None:
    # Half of the positives are found, a third of the negatives alarm: 0.1 × ½ − 0.9 × ⅓ at even odds.
    assert "cut at ≥ 0.5: net benefit −0.250" in words(decisions(t="0.5", prevalence="0.1"))


@pytest.mark.parametrize("labels", [[1], [0]])
def test_one_class_alone_gives_what_can_be_known(labels) -> None:
    said = words(decisions(data=one_class(labels[0]), t="0.5"))
    assert "net benefit" in said
    assert "undefined" in said
