"""The constants that losses prefer: who follows an outlier, what does not apply, and the exported Python."""

import math

import numpy as np
import pandas as pd
import pytest

from evalcore.analyses import MOST_SENT, BestConstants, EstimateRows, LossSetting, Source
from evalcore.estimation import LOSS_FAMILIES
from evalcore.figures import ink, loss_curves_figure
from evalcore.readers import DataSet, read_sample
from tests.words import sentence_with


def constants_of(truth, **setting) -> BestConstants:
    frame = pd.DataFrame({"truth": truth, "estimate": np.arange(len(truth)) * 1.0})
    data = DataSet.of(frame).with_roles("truth~truth~~estimate~estimate")
    return BestConstants(EstimateRows.of(Source.of(data)), LossSetting(**setting))


def test_the_mean_follows_an_outlier_and_the_median_does_not() -> None:
    moved = constants_of([1.0, 2, 3, 4, 5], outlier=95.0, delta=1.0)
    assert moved.constants["squared"] == (3, 110 / 6)
    assert moved.constants["absolute"] == (3, 3.5)
    assert moved.constants["quantile"] == (4, 5)
    assert abs(moved.constants["huber"][1] - 3.5) < 0.1
    assert moved.constants["poisson"] == moved.constants["squared"]
    assert "moves the mean by 15.3" in moved.verdict
    assert sentence_with(moved.verdict, "absolute and Huber loss")


def test_losses_of_two_classes_follow_only_the_side_of_the_limit() -> None:
    near, far, below = (constants_of([1.0, 2, 3, 4, 5], outlier=at) for at in (4.0, 95.0, -95.0))
    assert near.limit == 4
    assert near.constants["logistic"] == far.constants["logistic"] == pytest.approx((math.log(2 / 3), 0))
    assert below.constants["exponential"] == pytest.approx((math.log(2 / 3) / 2, math.log(2 / 4) / 2))
    assert below.constants["hinge"] == (-1, -1)
    assert math.isnan(below.constants["poisson"][1])
    assert sentence_with(far.verdict, "4", "+0.405")
    assert constants_of([1.0, 2, 3], limit=2.5).constants["hinge"][0] == -1
    alone = constants_of([1.0, 2, 3], limit=9.0)
    assert math.isnan(alone.constants["hinge"][0])
    assert sentence_with(str(alone.rows[1]), "one side")
    assert math.isnan(constants_of([2.0, 2, 2]).limit)


def test_the_verdict_follows_from_the_numbers() -> None:
    wide = constants_of([0.0, 0, 0, 10, 10, 10], outlier=11.0, delta=100.0)
    assert wide.constants["absolute"] == (5, 10)
    words = "absolute loss follows it more than squared loss, Huber loss follows it as much as squared loss."
    assert words in wide.verdict
    assert ": no loss follows it." in constants_of([1.0, 2, 3], outlier=2.0).verdict


def test_two_classes_have_log_odds() -> None:
    classes = constants_of([0.0, 1, 1, 1]).constants
    assert classes["logistic"][0] == math.log(3)
    assert classes["exponential"][0] == math.log(3) / 2
    assert classes["hinge"][0] == 1


def test_the_exported_python_finds_them_and_many_rows_are_sent_as_quantiles() -> None:
    diabetes = EstimateRows.of(Source.of(read_sample("diabetes"), sample="diabetes"))
    constants = BestConstants(diabetes, LossSetting(outlier=900.0))
    exec(compile(constants.code, "exported", "exec"), {})  # noqa: S102
    assert len(constants.sent["values"]) == 442
    many = constants_of(np.arange(5000.0))
    assert len(many.sent["values"]) == MOST_SENT
    assert abs(np.mean(many.sent["values"]) - 2499.5) < 3
    assert [len(loss_curves_figure(family, 0.5, ink(dark=False)).data) for family in LOSS_FAMILIES] == [4, 3, 1]
