"""Recalibration: the verdict, and the words beside each loss."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from evalcore.analyses import (
    Binning,
    Calibration,
    CalibrationMapping,
    Losses,
    ProbabilitySource,
    RecalibrationEffect,
    Reliability,
    Source,
)
from evalcore.classification import ProbabilityTable
from evalcore.inference import compare_losses, recalibrated_table
from evalcore.readers import read_sample, read_table
from evalcore.wording import Cell
from tests.words import sentence_with


def test_the_verdict_and_the_words_beside_each_loss_agree() -> None:
    source = ProbabilitySource.of(Source.of(read_sample("breast_cancer")))
    before = Calibration(Reliability.of(source, Binning()), Losses.of(source.table))
    effect = RecalibrationEffect.of(before, recalibrated_table(source.table, method="isotonic"))
    words = {row[0].text: row[4].aside for row in effect.rows if isinstance(row[4], Cell)}
    assert sentence_with(words["Log-loss, nats"], "due to chance")
    assert words["Brier score, two classes"] == "better"
    assert sentence_with(effect.verdict, "**lower**")


def test_five_rows_make_no_recalibration_better_or_worse() -> None:
    """With all signs of five differences the smallest p is 1/16."""
    before = ProbabilityTable.from_event([1, 0, 1, 0, 1], [0.6, 0.4, 0.7, 0.3, 0.6], positive=1)
    after = ProbabilityTable.from_event([1, 0, 1, 0, 1], [0.9, 0.1, 0.9, 0.1, 0.9], positive=1)
    for change in compare_losses(before, after).values():
        assert change.estimate < 0 == change.high


def mapping_of(sample: str, method: str) -> tuple[CalibrationMapping, RecalibrationEffect]:
    source = ProbabilitySource.of(Source.of(read_sample(sample)))
    before = Calibration(Reliability.of(source, Binning()), Losses.of(source.table))
    effect = RecalibrationEffect.of(before, recalibrated_table(source.table, method))
    return CalibrationMapping.of(effect), effect


@pytest.mark.parametrize("method", ["platt", "isotonic"])
def test_the_python_of_a_curve_gives_what_the_curve_gives(method: str) -> None:
    mapping, effect = mapping_of("breast_cancer", method)
    scope: dict = {}
    exec(mapping.code, scope)  # noqa: S102
    x = np.append(np.random.default_rng(1).random(1000), [0, 1, 0.5])
    np.testing.assert_array_equal(scope["calibrated"](x), effect.curves[0][1](x))
    assert scope["CLASSES"] == tuple(map(str, effect.fitted.before.classes))


def test_the_equation_of_a_curve_takes_away_what_is_negative() -> None:
    _, effect = mapping_of("roc_20", "platt")
    (name, curve), *_ = effect.curves
    for intercept, shift in ((-1.5, "− 1.500"), (1.5, "+ 1.500")):
        curves = {name: replace(curve, intercept=intercept)}
        moved = replace(effect, fitted=replace(effect.fitted, curves=curves))
        assert f"· log-odds before {shift};" in moved.log_odds


@pytest.mark.parametrize("method", ["platt", "isotonic"])
def test_the_python_of_several_classes_divides_each_row_by_its_sum(method: str) -> None:
    mapping, effect = mapping_of("digits_probabilities", method)
    scope: dict = {}
    exec(mapping.code, scope)  # noqa: S102
    rows = effect.before.probabilities.table.probabilities[:50]
    curves = effect.fitted.curves
    apart = np.column_stack([curves[name](rows[:, k]) for k, name in enumerate(effect.fitted.before.classes)])
    np.testing.assert_allclose(scope["calibrated"](rows), apart / apart.sum(axis=1, keepdims=True), rtol=1e-15)
    assert set(mapping.table) == {"class", "predicted probability", "calibrated probability"}


@pytest.mark.parametrize("method", ["platt", "isotonic"])
@pytest.mark.parametrize("lower", [False, True])
def test_the_python_of_scores_takes_the_scores_of_the_file(method: str, lower: bool) -> None:
    data = read_sample("glucose_10")
    data = data.with_roles(replace(data.roles, higher_is_positive=not lower))
    source = Source.of(data)
    probabilities = ProbabilitySource.of(source, method)
    mapping = CalibrationMapping.of_scores(probabilities, probabilities.scaled)
    scope: dict = {}
    exec(mapping.code, scope)  # noqa: S102
    x = np.linspace(10, 60, 101)
    np.testing.assert_array_equal(scope["calibrated"](x), probabilities.scaled.curve(x))
    assert f"column {source.system!r}" in mapping.code


def test_points_of_an_isotonic_curve_are_all_its_corners() -> None:
    mapping, effect = mapping_of("breast_cancer", "isotonic")
    x = np.random.default_rng(1).random(500)
    points = mapping.table
    read = np.interp(x, points["predicted probability"], points["calibrated probability"])
    np.testing.assert_array_equal(read, effect.curves[0][1](x))


def test_names_from_a_file_stand_as_texts_in_the_python_of_a_curve(tmp_path: Path) -> None:
    """And it runs with NumPy alone, as a file."""
    nasty = "'''\\n\"\"\"\nraise SystemExit(1) #"
    quoted = nasty.replace('"', '""')
    rows = "".join(f'"{label}",{p}\n' for label, p in ((quoted, 0.9), ("no", 0.2), (quoted, 0.4), ("no", 0.6)))
    data = read_table(f'actual,"{quoted} score"\n{rows}'.encode(), "x.csv")
    probabilities = ProbabilitySource.of(Source.of(data))
    before = Calibration(Reliability.of(probabilities, Binning()), Losses.of(probabilities.table))
    effect = RecalibrationEffect.of(before, recalibrated_table(probabilities.table))
    file = tmp_path / "curve.py"
    file.write_text(CalibrationMapping.of(effect).code + "\nprint(repr(float(calibrated(0.3))))\n", "utf-8")
    told = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, check=True)
    assert float(told.stdout) == float(effect.curves[0][1](0.3))
