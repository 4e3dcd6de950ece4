"""Two distributions out of a table or typed: how it is read, the verdict, and the agreement of the exported Python."""

import math

import numpy as np
import pandas as pd
import pytest

from evalcore.analyses import (
    BinChoice,
    DistanceParts,
    DistanceSettings,
    DistributionComparison,
    Source,
    TwoDistributions,
    distance_formulas,
    typed_distributions,
    ways_to_compare,
)
from evalcore.figures import bins_figure, by_bins_figure, by_smoothing_figure, ink, transport_figure
from evalcore.readers import DataSet, ReadProblem, column_pair, count_columns, group_pair, read_sample
from tests.pages.nasty_names import NASTY
from tests.words import facts, sentence_with

CANCER = Source.of(read_sample("breast_cancer"), sample="breast_cancer")
DIABETES = Source.of(read_sample("diabetes"), sample="diabetes")
SPLIT = ("logistic_regression", "actual", ("malignant", "benign"))


def compared(two: TwoDistributions, **settings) -> DistributionComparison:
    return DistributionComparison(two, DistanceSettings(**settings))


@pytest.mark.parametrize(
    "comparison",
    [
        compared(TwoDistributions.of_groups(CANCER, *SPLIT, BinChoice()), measure="kl_divergence"),
        compared(TwoDistributions.of_columns(DIABETES, "truth", "linear_regression", BinChoice("quantiles")), base=2.0),
        compared(TwoDistributions.of_columns(CANCER, "actual", "size_band", BinChoice()), smoothing=0.5),
        compared(TwoDistributions.of_text("10 50% 10%\n5 50% 90%"), smoothing=1.0),
    ],
    ids=["groups", "columns", "texts", "typed"],
)
def test_the_exported_python_finds_the_same_numbers(comparison: DistributionComparison, capsys) -> None:
    exec(compile(comparison.code, "exported", "exec"), {})  # noqa: S102
    assert "Jensen–Shannon divergence" in capsys.readouterr().out
    assert len(distance_formulas(comparison)) == len(comparison.measures) == len(comparison.rows)


def test_an_infinite_divergence_names_the_bin_and_smoothing_makes_it_finite() -> None:
    two = TwoDistributions.of_text("a 3 0\nb 5 9\nc 2 1")
    verdict = compared(two, measure="kl_divergence").verdict
    assert sentence_with(verdict, "a", "30.0%")
    assert {(row[2], row[3]) for row in compared(two).rows if row[1].text == "∞"} == {("empty bin", "")}
    smooth = compared(two, measure="kl_divergence", smoothing=0.5)
    p, q = np.array([3.5, 5.5, 2.5]) / 11.5, np.array([0.5, 9.5, 1.5]) / 11.5
    assert smooth.value(smooth.measure) == pytest.approx(float((p * np.log(p / q)).sum()), rel=1e-12)
    constants, curves = DistanceParts(smooth).by_smoothing
    assert (np.diff(curves["KL(P‖Q)"]) < 0).all()
    assert len(constants) == len(curves["KL(Q‖P)"])


def test_shares_have_no_interval_and_equal_shares_no_difference() -> None:
    shares = compared(TwoDistributions.of_text("a 0.5 0.25\nb 0.5 0.75"), base=2.0)
    assert shares.estimates == {}
    assert sentence_with(shares.verdict, "0.049", "divergence")
    assert sentence_with(shares.verdict, "25.0%", "mass")
    assert math.isnan(shares.table["value"][[m.key for m in shares.measures].index("chi_square_statistic")])
    assert sentence_with(compared(TwoDistributions.of_text("a 1 2\nb 1 2")).verdict, "same share")
    undefined = compared(TwoDistributions.of_text("a 1 2\nb 3 2"), measure="wasserstein_distance")
    assert sentence_with(undefined.verdict, "no order")


def test_small_samples_of_one_distribution_show_no_difference() -> None:
    frame = pd.DataFrame({"x": np.random.default_rng(2).normal(size=80), "part": ["a", "b"] * 40})
    source = Source.of(DataSet.of(frame))
    comparison = compared(TwoDistributions.of_groups(source, "x", "part", ("a", "b"), BinChoice("sturges")))
    assert facts(comparison.verdict) == "0.016 95% 0.000 0.087 0.097 0.919"
    assert "not clearly differ" in comparison.verdict


def test_a_divergence_blind_to_the_order_of_bins_leaves_the_word_to_measures_that_see_it() -> None:
    bins = "\n".join(f"{place} {12 - 4 * (place > 9)} {8 + 4 * (place > 9)}" for place in range(20))
    verdict = compared(TwoDistributions.of_text(bins)).verdict
    assert sentence_with(verdict, "do not clearly differ by this measure")
    assert sentence_with(verdict, "Kolmogorov–Smirnov distance and Wasserstein distance")
    assert "They do" not in compared(TwoDistributions.of_text(bins.replace("\n", "\nx"))).verdict


def test_clusters_and_the_rows_of_two_columns_stay_together() -> None:
    n = 40
    frame = pd.DataFrame({"truth": np.arange(n) % 7, "estimate": np.arange(n) % 5 + 0.5, "who": np.arange(n) // 4})
    data = DataSet.of(frame)
    assert len(set(column_pair(data, "truth", "estimate").units_p)) == n
    clustered = data.with_roles("truth~truth~~estimate~estimate~~cluster~who")
    samples = column_pair(clustered, "truth", "estimate")
    assert samples.units_p.tolist() == (np.arange(n) // 4).tolist()
    two = TwoDistributions.of_columns(Source.of(clustered), "truth", "estimate", BinChoice("values"))
    assert "take whole" in two.facts


def test_typed_bins_in_the_forms_people_paste() -> None:
    for text in ("x;1,5;2\ny;3;4", "x\t1.5\t2\ny\t3\t4", "x, 1.5, 2\ny, 3, 4", "x 1.5 2\n\ny 3 4"):
        heads, names, p, q = typed_distributions(text)
        assert (heads, names, p.tolist(), q.tolist()) == (("P", "Q"), ("x", "y"), [1.5, 3], [2, 4]), text
    assert typed_distributions("bin;old;new\n1;2;3")[0] == ("old", "new")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "one line"),
        ("a 1 2\nb 3", "Line 2, “b 3”"),
        ("a -1 2", "Line 1 has a number below 0"),
        ("a 0 2\nb 0 1", "All numbers of P are 0"),
        ("a 1 2\n" * 300, "There are 300 bins"),
        ("x" * 10_001, "too long"),
    ],
)
def test_what_cannot_be_typed_is_said(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        typed_distributions(text)


def test_columns_that_cannot_be_compared_are_named() -> None:
    frame = pd.DataFrame({"n": [1.0, -2], "t": ["a", "b"], "empty": [np.nan, np.nan], "long": ["x" * 9, "y"]})
    data = DataSet.of(frame)
    for problem, call in (
        ('"t" holds texts and', lambda: column_pair(data, "n", "t")),
        ('"empty" has no value', lambda: column_pair(data, "n", "empty")),
        ("no group", lambda: group_pair(data, "n", "t", ("a", "z"))),
        ("negative or infinite counts", lambda: count_columns(data, "n", "n", None)),
    ):
        with pytest.raises(ReadProblem, match=problem):
            call()
    assert list(ways_to_compare(None)) == ["typed"]


def test_pictures_hold_what_they_show_and_names_do_nothing() -> None:
    names = NASTY[0], NASTY[1]
    two = TwoDistributions(names, TwoDistributions.of_text("a 3 0\nb 5 9").pair, (NASTY[0], "b"), "")
    comparison, colours = compared(two, measure="kl_divergence"), ink(dark=True)
    figure = bins_figure(comparison, colours)
    assert figure.data[0].y.tolist() == [0.375, 0.625]
    assert [a.text for a in figure.layout.annotations] == ["∞"]
    parts = DistanceParts(comparison)
    flows = transport_figure(parts, colours)
    ribbons = [trace.name for trace in flows.data if trace.type == "scatter"]
    assert ribbons == ["stays (62.5\u202f%)", "moves up (37.5\u202f%)"]
    assert "<a" not in flows.to_json() + figure.to_json()
    wide = DistanceParts(compared(TwoDistributions.of_groups(CANCER, *SPLIT, BinChoice()), smoothing=0.1))
    assert by_bins_figure(wide, colours).data[0].x.tolist()[:3] == [2, 3, 4]
    assert len(by_smoothing_figure(wide, colours).data) == 3
    assert sentence_with(wide.by_bins_note, "More bins")


def test_two_columns_of_numbers_are_compared_before_their_groups() -> None:
    frame = pd.DataFrame({"before": np.arange(60) * 1.37 % 7, "after": np.arange(60) * 2.11 % 5})
    assert next(iter(ways_to_compare(Source.of(DataSet.of(frame))))) == "columns"
