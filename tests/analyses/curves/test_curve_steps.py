"""The steps of a curve are those of the textbook's table, and each says what it does to the curve."""

import numpy as np
import pytest

from evalcore.analyses import CurveSteps, RankedList, Rankings, Scores, Source
from evalcore.readers import read_sample
from tests.words import facts, sentence_with


def test_the_rows_of_the_roc_table_are_those_in_print() -> None:
    steps = CurveSteps.of_scores(Scores.of(Source.of(read_sample("roc_20")), "score"))
    assert "".join(steps.table["class"]) == "PPNPPPNNPNPNPNNNPNPN"
    assert steps.table["TP"] == [1, 2, 2, 3, 4, 5, 5, 5, 6, 6, 7, 7, 8, 8, 8, 8, 9, 9, 10, 10]
    assert steps.table["FP"] == [0, 0, 1, 1, 1, 1, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 8, 9, 9, 10]
    assert (steps.x[0], steps.y[0], steps.x[-1], steps.y[-1]) == (0, 0, 1, 1)
    assert sentence_with(steps.sentences[2], "0.7", "negative")


def test_tied_scores_are_one_slanted_step() -> None:
    steps = CurveSteps.of_scores(Scores.of(Source.of(read_sample("roc_ties_10")), "score"))
    place = steps.table["score"].index(0.85)
    assert steps.table["class"][place] == "PNN"
    assert sentence_with(steps.sentences[place], "1", "2")
    assert np.trapezoid(steps.y, steps.x) == pytest.approx(0.56, abs=1e-12)


def test_a_list_says_at_every_rank_what_happens_to_precision() -> None:
    steps = CurveSteps.of_list(RankedList(Rankings(Source.of(read_sample("ranking_14")), "rank"), "1"))
    assert facts(steps.sentences[0]) == "1 588 1 1 1.000 1 5 0.200"
    assert "precision stays 2/2 = 1.000" in steps.sentences[1]
    assert sentence_with(steps.sentences[12], "5", "13", "0.385", "1.000")
    assert np.isnan([steps.x[0], steps.y[0]]).all()
