"""Non-inferiority and equivalence: what is asked of the interval, and what the sentence says."""

import math
import runpy
from dataclasses import replace
from pathlib import Path

import pytest

from evalcore.analyses import Margin, Rankings, Source, compare_rankings, compare_systems
from evalcore.readers import read_sample, read_table
from evalcore.registry import METRICS
from tests.words import sentence_with

THREE = "actual,score_a,score_b,score_c\n" + "".join(
    f"{i % 2},{i % 7 / 7:.3f},{i % 11 / 11:.3f},{i % 13 / 13:.3f}\n" for i in range(90)
)
WORDS = {True: "Yes:", False: "Not shown:"}


def systems(question: str, size: float, **settings):
    return compare_systems(Source.of(read_sample("breast_cancer")), margin=Margin(question, size), **settings)


@pytest.mark.parametrize("size", [0.001, 0.005, 0.02, 0.1])
def test_not_inferior_is_the_bound_of_the_interval_that_is_drawn(size: float) -> None:
    comparison = systems("noninferior", size)
    result = comparison.margin_result
    assert result.holds == (comparison.difference.low > -size)
    assert WORDS[result.holds] in result.verdict
    assert result.margin.limits(comparison.difference) == (-size,)


@pytest.mark.parametrize("size", [0.001, 0.01, 0.02, 0.1])
def test_equivalent_is_the_90_percent_interval(size: float) -> None:
    """Two one-sided tests of 5 % each."""
    comparison = systems("equivalent", size)
    narrower = replace(comparison, choice=replace(comparison.choice, level=0.9)).difference
    result = comparison.margin_result
    assert result.holds == (-size < narrower.low and narrower.high < size)
    assert f"90\u202f% interval of B minus A: {narrower.bounds}" in result.verdict
    assert result.margin.limits(comparison.difference) == (-size, size)


def test_a_measure_of_which_less_is_better_has_its_limit_above() -> None:
    comparison = systems("noninferior", 0.05, measure=METRICS["error_rate"])
    assert comparison.margin.limits(comparison.difference) == (0.05,)
    assert comparison.margin_result.holds == (comparison.difference.high < 0.05)


def test_a_ratio_has_a_margin_by_its_logarithm() -> None:
    comparison = systems("equivalent", 0.25, measure=METRICS["negative_likelihood_ratio"])
    assert comparison.margin.limits(comparison.difference) == (0.8, 1.25)
    assert comparison.difference.is_ratio
    assert "margin ×0.800–×1.250" in comparison.margin_result.verdict
    assert "B over A" in comparison.margin_result.verdict
    assert "B over A **×" in comparison.verdict


def test_worse_by_more_than_the_margin_is_a_no() -> None:
    source = Source.of(read_sample("digits"))
    comparison = compare_systems(source, "logistic_regression", "naive_bayes", margin=Margin("noninferior", 0.02))
    assert sentence_with(comparison.margin_result.verdict, "No", "worse")
    apart = replace(comparison, margin=Margin("equivalent", 0.02))
    assert sentence_with(apart.margin_result.verdict, "No", "2.0")


def test_only_better_asks_for_no_margin() -> None:
    assert systems("better", 0.02).margin_result is None


def test_several_systems_are_corrected() -> None:
    source = Source.of(read_table(THREE.encode(), "three.csv"))
    result = compare_systems(source, margin=Margin("noninferior", 0.3)).margin_result
    assert result.comparisons == 2
    assert result.corrected >= result.p
    assert "Holm-corrected" in result.verdict


def test_neither_direction_of_a_prevalence_is_better() -> None:
    comparison = systems("noninferior", 0.02, measure=METRICS["predicted_prevalence"])
    assert sentence_with(comparison.margin_result.verdict, "only equivalence")
    assert math.isnan(comparison.margin_result.p)


def test_rankings_are_asked_the_same() -> None:
    rankings = Rankings(Source.of(read_sample("image_retrieval")), "pixels")
    comparison = compare_rankings(rankings, "projection", ["AP", "RR"], margin=Margin("noninferior", 0.01))
    assert sentence_with(comparison.margin_result.verdict, "Yes", "projection")
    assert not compare_rankings(rankings, "projection", ["AP"], margin=Margin("equivalent", 0.1)).margin_result.holds


@pytest.mark.parametrize("question", ["noninferior", "equivalent"])
def test_the_code_asks_it_again(question: str, tmp_path: Path, monkeypatch, capsys) -> None:
    comparison = systems(question, 0.02, test="mid_p", interval="newcombe", measure=METRICS["recall"])
    assert sentence_with(comparison.difference.test.method, "Newcombe, McNemar, mid-p")
    monkeypatch.chdir(Path(__file__).parents[3] / "sample_data")
    script = tmp_path / "compare.py"
    script.write_text(comparison.code, encoding="utf-8")
    runpy.run_path(str(script))
    assert comparison.margin_result.verdict in capsys.readouterr().out
