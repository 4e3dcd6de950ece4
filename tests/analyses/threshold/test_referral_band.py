"""A band between two thresholds: zones, the narrowest band for a target, and what it costs, in either direction."""

import numpy as np
import pytest

from evalcore.analyses import ReferralBand, narrowest_band
from evalcore.classification import Referral
from tests.analyses.small_scores import plain_text, small_scores
from tests.words import facts, sentence_with

LABELS, SCORES = [1, 1, 0, 1, 0, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.1]
EIGHT = small_scores(LABELS, SCORES)
TURNED = small_scores(LABELS, [-score for score in SCORES], higher_is_positive=False)


def cells(rows) -> list[list[str]]:
    return [
        [plain_text(cell if isinstance(cell, str) else f"{cell.text} {cell.aside}".strip()) for cell in row]
        for row in rows
    ]


def zones(analysis: ReferralBand) -> list[list[str]]:
    return [row[1:4] for row in cells(analysis.zones[1])]


def narrowest(scores=EIGHT, t: float = 0.6, **target: float) -> tuple[Referral | None, str]:
    return narrowest_band(scores, t, **target)


@pytest.mark.parametrize(("t", "t2"), [(0.8, 0.4), (0.4, 0.8)])
def test_the_zones_are_the_same_whichever_threshold_comes_first(t, t2) -> None:
    # At 0.8 two hits; from 0.4 to below 0.8 one positive and three negatives; below one of each.
    analysis = ReferralBand(EIGHT, t, t2)
    assert zones(analysis) == [["2", "0", "2"], ["1", "3", "4"], ["1", "1", "2"]]
    measures = {row[0]: row[1] for row in cells(analysis.measures[1])}
    assert measures["decided"] == "50.0%"
    assert measures["error rate"] == "25.0%"
    assert measures["recall"] == "66.7%"


def test_where_lower_is_positive_the_zones_are_mirrored() -> None:
    here, there = ReferralBand(EIGHT, 0.8, 0.4), ReferralBand(TURNED, -0.8, -0.4)
    assert zones(there) == zones(here)
    assert cells(there.measures[1]) == cells(here.measures[1])
    assert cells(there.zones[1])[0][0] == "predicted ill ≤ −0.8"
    assert cells(there.zones[1])[2][0] == "predicted well > −0.4"
    assert "Refer the 5 rows from −0.8 to −0.3, the" in plain_text(narrowest(TURNED, -0.8, error=0.0)[1])


def test_without_a_second_threshold_no_case_is_referred() -> None:
    analysis = ReferralBand(EIGHT, 0.6, 0.6)
    assert facts(plain_text(analysis.verdict)) == "1000 250"
    assert zones(analysis)[1] == ["0", "0", "0"]


def test_the_narrowest_band_of_few_errors() -> None:
    # Sure are 0.9 and 0.8 above and 0.1 below: five rows lie between.
    said = plain_text(narrowest(error=0.0)[1])
    assert facts(said) == "5 0.3 0.8 37.5% 0.0%"


def test_a_target_that_one_threshold_meets_needs_no_referral() -> None:
    found = narrowest(error=0.25)
    assert sentence_with(plain_text(found[1]), "0.6", "threshold")
    assert float(found[0].low) == float(found[0].high) == 0.6


def test_trust_in_both_predictions() -> None:
    # Below 0.6 three of four are negative; from 0.8 on all are positive. One of the six decided is missed.
    said = plain_text(narrowest(precision=1.0, npv=0.7)[1])
    assert facts(said) == "2 0.6 0.8 75.0% 16.7%"


def test_what_no_band_meets_is_said_with_the_nearest() -> None:
    found = narrowest(small_scores([0, 1, 1, 0], [0.9, 0.8, 0.3, 0.1]), 0.5, npv=0.99, precision=0.9)
    assert found[0] is None
    assert facts(plain_text(found[1])) == "66.7%"


def test_even_the_surest_may_have_too_many_errors() -> None:
    said = narrowest(small_scores([0, 1, 0, 1], [0.9, 0.9, 0.1, 0.1]), 0.5, error=0.01)[1]
    assert facts(plain_text(said)) == "50.0%"


def test_up_to_which_cost_the_band_pays_off() -> None:
    # At 0.8 alone two are missed: 6. With the band one is, and four are referred at 0.1.
    said = plain_text(ReferralBand(EIGHT, 0.8, 0.4, miss=3).verdict)
    assert sentence_with(said, "1000", "425", "750", "0.8")
    assert sentence_with(said, "0.750", "referral")


@pytest.mark.parametrize(
    ("labels", "scores"),
    [([1, 1], [0.2, 0.7]), ([0, 0, 1], [0.2, 0.7, np.nan]), ([1, 0], [5, 5]), ([1, 0, 0], [1e308, -1e308, 0])],
)
@pytest.mark.parametrize("t2", [0.4, -np.inf])
def test_hard_data_and_hard_thresholds(labels, scores, t2) -> None:
    analysis = ReferralBand(small_scores(labels, scores), 0.5, t2)
    assert sum(int(row[2]) for row in zones(analysis)) == np.isfinite(scores).sum()
    centre, bands = analysis.curve()
    assert np.isfinite(centre)
    assert bands.coverage[0] == 1


def test_an_infinite_band_refers_everything() -> None:
    analysis = ReferralBand(EIGHT, np.inf, -np.inf)
    assert zones(analysis)[1] == ["4", "4", "8"]
    assert "undefined" in {row[1] for row in cells(analysis.measures[1])}
