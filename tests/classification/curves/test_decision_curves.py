"""Decision curves: hand numbers, and the identity that ties them to costs."""

import numpy as np
import pytest

from evalcore.classification import ScoredLabels, at_prevalence, cost, decision_curve

SCORED = ScoredLabels.from_arrays([1, 1, 0, 0, 0], [0.9, 0.4, 0.6, 0.3, 0.1], positive=1)


def test_by_hand() -> None:
    curve = decision_curve(SCORED, [0, 0.2, 0.5])
    # At 0.2: TP 2, FP 2, odds 1/4. At 0.5: TP 1, FP 1, odds 1.
    assert curve.model.tolist() == pytest.approx([2 / 5, (2 - 2 / 4) / 5, 0])
    assert curve.treat_all.tolist() == pytest.approx([2 / 5, (2 - 3 / 4) / 5, (2 - 3) / 5])
    # One of five is spared at 0.2 and nobody missed; at 0.5 three of five, less one miss at odds 1.
    assert curve.avoided[1:].tolist() == pytest.approx([1 / 5, 1 / 5])
    assert np.isnan(curve.avoided[0])


def test_a_fixed_threshold_gives_a_straight_line_in_the_odds() -> None:
    risks = np.array([0.1, 0.5, 0.8])
    curve = decision_curve(SCORED, risks, threshold=0.35)
    assert curve.model == pytest.approx((2 - risks / (1 - risks) * 1) / 5)


@pytest.mark.parametrize("share", [None, 0.1])
def test_net_benefit_is_what_is_saved_of_missing_everybody(share) -> None:
    rng = np.random.default_rng(4)
    truth = rng.random(300) < 0.4
    scored = ScoredLabels.from_arrays(truth, np.clip(0.5 * truth + rng.random(300) / 2, 0, 1))
    risks = np.linspace(0, 0.99, 50)
    curve = decision_curve(scored, risks, prevalence=share)
    counts = scored.counts_at(risks)
    counts = counts if share is None else at_prevalence(counts, share)
    paid = cost(counts, fn_cost=1, fp_cost=risks / (1 - risks))
    own = truth.mean() if share is None else share
    assert curve.model == pytest.approx(own - paid)


def test_with_one_class_it_is_what_can_be_known() -> None:
    only = ScoredLabels.from_arrays([0, 0], [0.2, 0.7], positive=1)
    assert decision_curve(only, [0.5]).model.tolist() == [-0.5]
    assert np.isnan(decision_curve(only, [0.5], prevalence=0.3).model).all()


@pytest.mark.parametrize("risk", [-0.1, 1.0, float("nan")])
def test_a_risk_that_is_none_is_refused(risk) -> None:
    with pytest.raises(ValueError, match="below 1"):
        decision_curve(SCORED, [risk])
