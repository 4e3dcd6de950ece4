"""Formulas with the numbers in them: a pocket calculator comes to the number that is printed."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore import METRICS
from evalcore.analyses import (
    Binning,
    Calibration,
    Losses,
    ProbabilitySource,
    Reliability,
    Scores,
    Source,
    analyse_confusion,
    calibration_formulas,
    compare_systems,
    score_formulas,
)
from evalcore.classification import ConfusionCounts
from evalcore.readers import read_sample, read_table
from tests.classification.small_inputs import thorough

TALL = re.compile(r"\\t?frac\{([^{}]*)\}\{([^{}]*)\}")
COUNT = st.integers(0, 400)


def reckoned(tex: str) -> float:
    """What a pocket calculator makes of a formula without letters."""
    tex = re.sub(r"10\^\{(-?\d+)\}", r"10**(\1)", tex.replace(r"\,", "").replace(r"\%", "/100"))
    tex = re.sub(r"\^(\d+(?:\.\d+)?)", r"**\1", tex)
    tex = re.sub(r"\\ln ([\d.]+)", r"log(\1)", tex)
    while "{" in tex:
        before = tex
        tex = TALL.sub(r"((\1)/(\2))", tex)
        tex = re.sub(r"\\sqrt\{([^{}]*)\}", r"sqrt(\1)", tex)
        assert tex != before, tex
    tex = re.sub(r"\\left\|(.*?)\\right\||\|(.*?)\|", r"abs(\1\2)", tex)
    tex = tex.replace(r"\cdot", "*").replace(r"\left[", "(").replace(r"\right]", ")").replace(r"\infty", "inf")
    return eval(tex, {"sqrt": math.sqrt, "log": math.log, "abs": abs, "inf": math.inf})  # noqa: S307 (numbers only)


def agrees(formula: str) -> bool:
    """Whether the number behind the last equals sign is what stands before it, up to how it is printed."""
    *_, filled, printed = re.split(r"\\;=\\;| = ", formula.strip("$"))
    digits = re.search(r"\.(\d+)", printed)
    percent = 100 if r"\%" in printed else 1
    half = 0.5 * 10.0 ** -(len(digits[1]) if digits else 0) / percent
    value = reckoned(printed)
    large = abs(value) * 0.005 if abs(value) >= 1000 else 0
    return abs(reckoned(filled) - value) <= half * 1.01 + large


@thorough
@given(COUNT, COUNT, COUNT, COUNT)
def test_every_measure_of_counts(tp: int, fp: int, fn: int, tn: int) -> None:
    for line in analyse_confusion(ConfusionCounts(tp, fp, fn, tn)).formulas.split("\n\n"):
        _, formula = line.split(r"$\displaystyle ")
        if "undefined" in line or r"\infty" in line or "p_o" in line or "/0" in line or "}{0}" in line:
            continue
        assert agrees(formula), line


def test_the_likelihood_ratio_is_that_of_its_counts() -> None:
    formulas = analyse_confusion(ConfusionCounts(50, 1, 7, 299)).formulas
    assert r"\frac{\tfrac{50}{57}}{\tfrac{1}{300}} \;=\; 263$" in formulas
    assert r"1 - 0.925926 \;=\; 0.074$" in formulas


@pytest.mark.parametrize("name", ["roc_20", "roc_ties_10", "breast_cancer"])
def test_every_measure_of_scores_and_probabilities(name: str) -> None:
    source = Source.of(read_sample(name))
    lines = score_formulas(Scores.of(source, source.systems[0] if source.systems else "score"))
    probabilities = ProbabilitySource.of(source)
    calibration = Calibration(Reliability.of(probabilities, Binning()), Losses.of(probabilities.table))
    lines += calibration_formulas(calibration)
    tried = 0
    for _, formula, _ in lines:
        filled = formula.removeprefix(r"$\displaystyle ").split(" = ")[-2:]
        if (
            len(filled) == 2
            and r"\dots" not in filled[0]
            and not re.search(r"[A-Zpqyo]_|\\sum|\\int|\\max|TPR", filled[0])
        ):
            tried += 1
            assert agrees(formula.removeprefix(r"$\displaystyle ")), formula
    assert tried >= 4


def test_the_sum_of_a_log_loss_is_cut_with_dots_whatever_the_weights_add_up_to() -> None:
    rows = "".join(f"{row % 2},0.{row + 2},0.25\n" for row in range(6))
    table = read_table(f"actual,prob,weight\n{rows}".encode(), "t.csv")
    source = ProbabilitySource.of(Source.of(table))
    calibration = Calibration(Reliability.of(source, Binning()), Losses.of(source.table))
    formula = calibration_formulas(calibration)[0][1]
    assert source.table.weights is not None
    assert r"\cdot \ln 0.8 + " in formula
    assert formula.count(r"\ln 0.") == 4
    assert r" + \dots \right]" in formula


def test_a_comparison_writes_both_systems_by_their_counts() -> None:
    source = Source.of(read_sample("breast_cancer"))
    comparison = compare_systems(source, measure=METRICS["positive_likelihood_ratio"])
    written = [line for line in comparison.formulas.split("\n\n") if " of " in line and "TPR" in line]
    assert len(written) == 2
    assert all(r"\tfrac{" in line and agrees(line.split(r"$\displaystyle ")[1]) for line in written)
