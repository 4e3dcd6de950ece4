"""The steps of a curve are those of the textbook's table, and each says what it does to the curve."""

import numpy as np
import pytest

from evalcore.analyses import CurveSteps, RankedList, Rankings, Scores, Source
from evalcore.readers import read_sample


def test_the_rows_of_the_roc_table_are_those_in_print() -> None:
    steps = CurveSteps.of_scores(Scores.of(Source.of(read_sample("roc_20")), "score"))
    assert "".join(steps.table["class"]) == "PPNPPPNNPNPNPNNNPNPN"
    assert steps.table["TP"] == [1, 2, 2, 3, 4, 5, 5, 5, 6, 6, 7, 7, 8, 8, 8, 8, 9, 9, 10, 10]
    assert steps.table["FP"] == [0, 0, 1, 1, 1, 1, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 8, 9, 9, 10]
    assert (steps.x[0], steps.y[0], steps.x[-1], steps.y[-1]) == (0, 0, 1, 1)
    assert steps.sentences[2].startswith("**Score 0.7**: a row that is negative, so the curve goes right.")


def test_tied_scores_are_one_slanted_step() -> None:
    steps = CurveSteps.of_scores(Scores.of(Source.of(read_sample("roc_ties_10")), "score"))
    place = steps.table["score"].index(0.85)
    assert steps.table["class"][place] == "PNN"
    assert "1 positive and 2 negative rows share it" in steps.sentences[place]
    assert np.trapezoid(steps.y, steps.x) == pytest.approx(0.56, abs=1e-12)


def test_a_list_says_at_every_rank_what_happens_to_precision() -> None:
    steps = CurveSteps.of_list(RankedList(Rankings(Source.of(read_sample("ranking_14")), "rank"), "1"))
    assert steps.sentences[0] == "**Rank 1**, 588, is relevant: precision is 1/1 = 1.000, recall rises to 1/5 = 0.200."
    assert "precision stays 2/2 = 1.000" in steps.sentences[1]
    assert "precision rises to 5/13 = 0.385, recall rises to 5/5 = 1.000" in steps.sentences[12]
    assert np.isnan([steps.x[0], steps.y[0]]).all()
